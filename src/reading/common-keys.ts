/** Keys of the definition language that stand in several of its maps. */
import type { Key, Keys } from './records.ts';
import { text, whole } from './shapes.ts';
import type { JsonSchema, Shape } from './shapes.ts';
import { byVersion, HIGHEST_VERSION } from './version-shapes.ts';

/** What the JSON Schemas call their parts; keys refer to them where types nest. */
export const REFERENCES = {
  collection: { $ref: '#/definitions/collection' },
  field: { $ref: '#/definitions/field' },
  property: { $ref: '#/definitions/property' },
  item: { $ref: '#/definitions/item' },
  older: { $ref: '#/definitions/older' },
} as const;

/** snake_case, as names of collections, fields and roles are. */
export const SNAKE_CASE = '^[a-z][a-z0-9]*(_[a-z0-9]+)*$';
/** The longest identifier of PostgreSQL. */
export const LONGEST_NAME = 63;

/** A key with what the reference says of it. */
export function key<T>(
  shape: Shape<T>,
  description: string,
  more: { readonly examples?: readonly unknown[]; readonly missing?: string } = {},
): Key<T> {
  return { shape, description, ...more };
}

/** A name in snake_case. */
export const snakeName = text({ pattern: SNAKE_CASE, maxLength: LONGEST_NAME });

/** A name in snake_case, after `-` if it descends: as in the parameter `sort` of lists. */
export const orderedName = text({
  pattern: SNAKE_CASE.replace('^', '^-?'),
  maxLength: LONGEST_NAME + 1,
});

/** The JSON Schema of a map whose keys are names in snake_case. */
export const names = (description: string): JsonSchema => ({
  type: 'object',
  minProperties: 1,
  propertyNames: { pattern: SNAKE_CASE, maxLength: LONGEST_NAME },
  description,
});

const version = whole(1, HIGHEST_VERSION);

/** The keys of what not all versions have. */
export const SPAN_KEYS = {
  since: key(version, 'The first version that has it. Absent: all have it.', { examples: [2] }),
  until: key(version, 'The last version that has it. Absent: it is there to stay.', {
    examples: [1],
  }),
} satisfies Keys;

/** The key for names in older versions. */
export const olderNamesKey = (example: string) => ({
  name_in: key(
    byVersion(snakeName),
    'What it is called in older versions, each up to and including the one that is named.',
    { examples: [{ 1: example }] },
  ),
});
