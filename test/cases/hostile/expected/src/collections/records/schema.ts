/**
 * The shapes of records, and what their lists offer.
 *
 * *∕ } process.exit(1); /*
 * `${process.exit(1)}`
 * '; drop table _tombstones; --
 * "
 * \
 * \'
 * </script><script>alert(1)</script>
 * {{name}} {{{name}}} {{#each}}
 * $$ $1 $tag$
 * a
 * b
 * c
 * � evil ��
 * | pipe | `tick` | [link](http://x) <b>bold</b> # head
 * -- sql comment
 * *∕
 * /* nested
 * %s %d %00 %%{init: {}}%% #quot;
 * prix : 10 %
 * null
 *   tab
 * 🦄 𝔘𝔫𝔦𝔠𝔬𝔡𝔢
 */
import type { Static } from 'typebox';

import type { Permissions } from '../../platform/auth/permissions.ts';
import { bodyReader } from '../../platform/http/body.ts';
import { keepsChecks } from '../../platform/http/checks.ts';
import type { Checks } from '../../platform/http/checks.ts';
import { byEnum, byString } from '../../platform/http/filters.ts';
import type { ListOptions } from '../../platform/http/list.ts';
import { bySearch } from '../../platform/http/search.ts';
import {
  described,
  itemShape,
  json,
  list,
  object,
  oneOf,
  optional,
  setExample,
  string,
} from '../../platform/http/shapes.ts';
import type { Complete } from '../../platform/http/shapes.ts';

/** What a client sends of a record. */
export const RecordItemBody = described(
  "Values that violate one of these rules are refused (422):\n\n- `kind`, `text`, `note`: */ `${process.exit(1)}` {{title}} ' \" \\ $$ % -- </script>\u00a0!\n- `kind`, `text`: kind != '</script>' or text != '-- ; drop table \"_tombstones\"; $$' must hold.",
  object({
    text: described(
      '*/ export const broken = `${1}`; // " <b> %%{init: {}}%% #quot; «\u00a0déjà\u00a0» \u202e',
      optional(string({ maxLength: 200 }), '\'"`\\${x}{{y}}*/--$$\u00a0'),
    ),
    kind: optional(
      oneOf([
        "'",
        '"',
        '`',
        '\\',
        '${x}',
        '{{x}}',
        '*/',
        '--',
        'a,b',
        'a b',
        'é',
        '日本',
        '$$',
        'null',
        'true',
        '',
        '%',
        '</script>',
        '\u202eadmin\u2066 \u2069',
        "zero\u200bwidth'\\",
        '${value}',
        '10\u00a0%\u3000',
      ]),
      "'",
    ),
    code: described(
      'pattern with every quote',
      optional(string({ maxLength: 10, pattern: '^[\\\\/\'"`${}*]{1,5}$' })),
    ),
    note: described(
      '| a | b |\n|---|---|\n<img src=x onerror=alert(1)>',
      optional(string(), '\u2028\u2029\u202e'),
    ),
    tags: optional(list(oneOf(["x'y", 'x"y', 'x`y'])), ["x'y"]),
    extra: optional(json(), {
      __proto_: '`${1}`',
      '*/': ["'", null, 1.5, true],
      constructor: { a: '\\' },
    }),
    inner: described(
      '{{/each}}',
      optional(
        object({
          constructor: optional(string(), '*/'),
          value: described('*/ }', optional(string())),
        }),
      ),
    ),
  }),
);

setExample(RecordItemBody, {
  text: '\'"`\\${x}{{y}}*/--$$\u00a0',
  kind: "'",
  code: '\\\'"`$',
  note: null,
  tags: ["x'y"],
  extra: { __proto_: '`${1}`', '*/': ["'", null, 1.5, true], constructor: { a: '\\' } },
  inner: { constructor: 'Constructor 1', value: 'Value 2' },
});

/** What is stored of a record, with defaults and nulls filled in. */
export type RecordItemValues = Complete<Static<typeof RecordItemBody>>;

/** The checks of records, by the names of their constraints in the database. */
export const recordChecks = {
  records__kind_and_text__rule: {
    members: ['kind', 'text', 'note'],
    message: '*/ `${process.exit(1)}` {{title}} \' " \\ $$ % -- </script>\u00a0!',
    holds: (values) =>
      values.note === null ||
      values.kind === null ||
      values.text === null ||
      !["'", '"', '`', '\\', '${x}', '{{x}}', '*/', '--', '$$', '', '%'].includes(values.kind) ||
      values.text !== '\'"`\\${x}{{y}}*/--$$\u00a0',
  },
  records__tostring__rule: {
    members: ['kind', 'text'],
    message: "kind != '</script>' or text != '-- ; drop table \"_tombstones\"; $$' must hold.",
    holds: (values) =>
      values.kind === null ||
      values.text === null ||
      values.kind !== '</script>' ||
      values.text !== '-- ; drop table "_tombstones"; $$',
  },
} satisfies Checks<RecordItemValues>;

/**
 * Members that are computed when an item is read: `COLUMNS` in repository.ts has their SQL. A subquery
 * over records must leave out the item itself: POST, PUT and PATCH see its row as it was before.
 */
export const RecordItemComputed = object({});

/** A record as clients read it. */
export const RecordItemShape = itemShape(
  'RecordItem',
  "*/ } process.exit(1); /*\n`${process.exit(1)}`\n'; drop table _tombstones; --\n\"\n\\\n\\'\n</script><script>alert(1)</script>\n{{name}} {{{name}}} {{#each}}\n$$ $1 $tag$\na\u2028b\u2029c\n\u202e evil \u200b\ufeff\n| pipe | `tick` | [link](http://x) <b>bold</b> # head\n-- sql comment\n*/\n/* nested\n%s %d %00 %%{init: {}}%% #quot;\nprix\u00a0: 10\u202f% \u3000\nnull\n\t tab\n🦄 𝔘𝔫𝔦𝔠𝔬𝔡𝔢",
  RecordItemBody,
  { computed: RecordItemComputed },
);

export interface RecordItem extends RecordItemValues, Complete<Static<typeof RecordItemComputed>> {
  readonly id: string;
  readonly created_at: string;
  readonly updated_at: string;
}

export const recordBodies = bodyReader(RecordItemBody, RecordItemShape, {
  rules: [keepsChecks(recordChecks)],
});

/** Who may do what with records. */
export const recordPermissions = {
  read: 'authenticated',
  create: 'authenticated',
  update: 'authenticated',
  delete: 'authenticated',
} as const satisfies Permissions;

export const recordLists: ListOptions = {
  pages: { default: 20, maximum: 100 },
  members: Object.keys(RecordItemShape.properties),
  sort: ['kind', 'text', 'created_at'],
  filter: {
    kind: byEnum([
      "'",
      '"',
      '`',
      '\\',
      '${x}',
      '{{x}}',
      '*/',
      '--',
      'a,b',
      'a b',
      'é',
      '日本',
      '$$',
      'null',
      'true',
      '',
      '%',
      '</script>',
      '\u202eadmin\u2066 \u2069',
      "zero\u200bwidth'\\",
      '${value}',
      '10\u00a0%\u3000',
    ]),
    text: byString(),
  },
  parameters: {
    q: bySearch,
  },
};
