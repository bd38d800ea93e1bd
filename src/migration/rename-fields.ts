/** Renames fields wherever the definition of a collection names them. */
import type { CollectionDefinition, MemberRule } from '../definition/types.ts';
import { renameMembers } from '../expressions/expression.ts';

/** A definition with other names of fields. @param rename the new name of a field. */
export function renameFields(
  definition: CollectionDefinition,
  rename: (field: string) => string,
): CollectionDefinition {
  const renameRule = ({ expression }: MemberRule): MemberRule => ({
    expression: renameMembers(expression, rename),
  });
  return {
    ...definition,
    fields: definition.fields.map((field) => ({ ...field, name: rename(field.name) })),
    sort: definition.sort.map(rename),
    filter: definition.filter.map(rename),
    search: definition.search.map(rename),
    ...(definition.olderSearches && {
      olderSearches: definition.olderSearches.map(({ version, fields }) => ({
        version,
        fields: fields.map(rename),
      })),
    }),
    unique: definition.unique.map(({ fields, where, ...rest }) => ({
      ...rest,
      fields: fields.map(rename),
      ...(where && { where: renameRule(where) }),
    })),
    checks: definition.checks.map((check) => ({ ...check, ...renameRule(check) })),
    indexes: definition.indexes.map((keys) =>
      keys.map((key) => ({ ...key, field: rename(key.field) })),
    ),
  };
}
