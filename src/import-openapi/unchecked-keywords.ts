/** Keywords of a schema that no option of a field type stands for. */
import type { FieldTypeDefinition } from '../import/column-type.ts';
import type { ClearSchema } from './schemas.ts';
import { ownMember } from '../shared/json.ts';

/** Those that count for values of any type. */
const OF_ANY_TYPE = ['enum', 'const', 'not', 'if', 'anyOf', 'oneOf'];

/** Those that count for values of one type of JSON. */
const OF_TYPE: Readonly<Record<string, readonly string[]>> = {
  string: ['pattern', 'minLength', 'maxLength'],
  array: ['minItems', 'maxItems', 'uniqueItems', 'contains', 'prefixItems'],
  object: [
    ...['minProperties', 'maxProperties', 'patternProperties', 'propertyNames'],
    ...['dependentRequired', 'dependentSchemas', 'dependencies'],
  ],
};

/** The option that says the same. */
const OPTION_OF: Readonly<Record<string, string>> = {
  enum: 'values',
  const: 'values',
  pattern: 'pattern',
  minLength: 'min_length',
  maxLength: 'max_length',
  minItems: 'min_items',
  maxItems: 'max_items',
  uniqueItems: 'unique_items',
};

/** Without a definition: those of an object whose members are fields. */
export function uncheckedKeywords(
  { type, keywords }: ClearSchema,
  { definition }: { readonly definition?: FieldTypeDefinition },
): readonly string[] {
  const known = [...OF_ANY_TYPE, ...(type === undefined ? [] : (ownMember(OF_TYPE, type) ?? []))];
  return known
    .filter((key) => {
      const value = keywords.get(key);
      const option = ownMember(OPTION_OF, key);
      const isSaid = option !== undefined && definition?.[option] !== undefined;
      // A minimum of 0 and a flag that is not set allow all values, as an empty list of variants does.
      const allowsAll =
        value === undefined || value === false || (value === 0 && key.startsWith('min'));
      return !allowsAll && !isSaid;
    })
    .map((key) => `is not checked for ${key}`);
}
