/** The shape of an entry of `unique`. */
import { snakeName, key } from '../reading/common-keys.ts';
import type { Keys, Reading } from '../reading/records.ts';
import { map } from '../reading/records.ts';
import { list } from '../reading/shapes.ts';
import type { Shape } from '../reading/shapes.ts';
import { COLUMN_NAME } from './existing-table-shapes.ts';
import { ruleShape } from './rule.ts';

const FIELDS = list(snakeName, 1);

const ENTRY_KEYS = {
  fields: key(FIELDS, 'The fields that are unique together.', {
    missing: '"fields:" with a list of fields, such as [slug]',
    examples: [['slug']],
  }),
  name: key(
    COLUMN_NAME,
    'In a collection with table: the name of the unique index. Absent: the table, the columns and key, with _ between them, as PostgreSQL names it.',
    { examples: ['index_posts_on_slug'] },
  ),
  where: key(
    ruleShape('archived = false'),
    'The items among which they are unique: those for which this rule is true. It is written as a rule of checks.',
    { examples: ['archived = false'] },
  ),
} satisfies Keys;

const ENTRY = map(ENTRY_KEYS);

/** An entry as it is written. */
export type WrittenUnique = Reading<typeof ENTRY_KEYS>;

/** The shape of an entry: a list of fields, or a map with the fields and a rule. */
export const UNIQUE: Shape<WrittenUnique> = {
  schema: {
    anyOf: [
      FIELDS.schema,
      { ...ENTRY.schema, anyOf: [{ required: ['where'] }, { required: ['name'] }] },
    ],
  },
  ...(FIELDS.hint && { hint: FIELDS.hint }),
  read(tree, what, issues) {
    if (tree.kind === 'map') {
      // Otherwise the map says no more than the list.
      if (!tree.entries.some(({ name }) => name === 'where' || name === 'name')) {
        const message = `${what} has no "where". Write "where:" with a rule such as 'archived = false', or the list of fields in place of the map.`;
        issues.add(tree.at, 'missing-key', message);
        return undefined;
      }
      return ENTRY.read(tree, what, issues);
    }
    const fields = FIELDS.read(tree, what, issues);
    return fields && { fields: { value: fields, at: tree.at, keyAt: tree.at } };
  },
};
