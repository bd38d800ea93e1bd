/** What the OpenAPI documents say of a collection. */
import type { CollectionDefinition, Field } from '../../definition/types.ts';
import { ruleText } from '../../expressions/rule-text.ts';
import { placeholderIdOf } from '../../expressions/candidate-values.ts';
import { checkValues, isKeptValue } from '../../model/check-values.ts';
import { keptValues } from '../../model/samples.ts';
import { exampleValues } from '../../types/example-values.ts';
import { keySpec } from '../../types/key.ts';
import { specOf } from '../../types/registry.ts';
import { ownerPathText } from '../../model/owner-paths.ts';
import type { Collection } from '../../model/types.ts';
import { valueCode } from '../../shared/literals.ts';

/** What documents say of a collection. */
export interface DocumentationView {
  /** The group of its operations, and what it is. */
  readonly tag: string;
  readonly tagDescription: string;
  /** The members of an example of a body; none where one that is required has no example. */
  readonly example: readonly { readonly name: string; readonly code: string }[];
  /** Members that two items may not share, alone or together; with the rule of the items if that is not all. */
  readonly uniqueNames: readonly string[];
}

export const documentationView = ({ definition, names }: Collection): DocumentationView => ({
  tag: capital(names.words),
  tagDescription: [
    definition.description ?? `${capital(names.words)}.`,
    ...ownerSentence(definition),
  ].join(' '),
  example: exampleOf(definition),
  uniqueNames: uniqueNamesOf(definition),
});

/** Whose an item is, where an owner path says so. */
function ownerSentence(definition: Collection['definition']): string[] {
  const path = ownerPathText(definition);
  const links = (definition.owner ?? []).flatMap(({ collection, link }) =>
    link === undefined ? [] : [`\`${collection}\``],
  );
  if (path === undefined) return [];
  return [
    `The owner is the user at \`${path}\`.`,
    ...(links.length === 0
      ? []
      : [`Over ${links.join(' and ')}, the path leads to the item that refers to the one before.`]),
  ];
}

export function uniqueNamesOf({ fields, unique }: Collection['definition']): string[] {
  const isUnique = ({ name, unique: alone }: Field): boolean =>
    alone || unique.some((rule) => rule.where === undefined && rule.fields.includes(name));
  return [
    ...fields.filter(isUnique).map(({ name }) => name),
    ...unique.flatMap(({ fields: names, where }) => {
      if (where === undefined) return [];
      // A version may not have what the rule is about.
      const rule = where.inView === undefined ? ` where ${ruleText(where.expression)}` : '';
      return [`${names.join(' and ')}${rule}`];
    }),
  ];
}

/**
 * A value for each member.
 * @param some those that clients write, unless given.
 * @returns nothing if a required one has no example.
 */
export function exampleOf(
  { fields, checks }: Pick<CollectionDefinition, 'fields' | 'checks'>,
  some: readonly Field[] = fields.filter(({ readOnly }) => !readOnly),
): DocumentationView['example'] {
  if (some.length === 0) return [];
  const known = checkValues(fields, checks, new Map());
  const members = some.flatMap((field) => {
    if (field.type.type === 'reference') {
      const id = isKeptValue(known, field, placeholderIdOf(field.name))
        ? keySpec(field.type.key ?? 'uuid').example
        : null;
      return [{ name: field.name, code: valueCode(id) }];
    }
    // What no client may read is no example either, even if it stands in the definition.
    const { example: _, ...hidden } = field;
    const kept = keptValues(field, known);
    const values = kept ?? exampleValues(specOf, field.writeOnly ? hidden : field);
    // Of objects the last is whole. Beside other members, one may have to be null.
    const value = (field.type.type === 'object' ? values.at(-1) : values[0]) ?? (kept && null);
    return value === undefined ? [] : [{ name: field.name, code: valueCode(value) }];
  });
  const isMissing = ({ name, required }: Field): boolean =>
    required && !members.some((member) => member.name === name);
  // Many validators take such a member for one that every object inherits, and refuse the example.
  const isInherited = ({ name }: Field): boolean => Object.hasOwn(Object.prototype, name);
  return some.some((field) => isMissing(field) || isInherited(field)) ? [] : members;
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
