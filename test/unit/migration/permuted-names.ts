/**
 * Random changes in which fields and collections take each other’s names, and get other options: two definitions of
 * one service, rows that satisfy both, and the names of each table and column before and after.
 */
import fc from 'fast-check';

type Written = Record<string, unknown>;

/** A table and its columns by their old names, with the new ones. */
export interface RenamedTable {
  readonly before: string;
  readonly now: string;
  readonly columns: readonly { readonly before: string; readonly now: string }[];
}

export interface PermutedNames {
  /** The definitions before and after, each as one file of JSON. */
  readonly definitions: readonly [before: string, now: string];
  /** SQL that inserts rows into the tables of before. */
  readonly rows: string;
  readonly tables: readonly RenamedTable[];
}

/** The options of a kind of field, and the value of one of its rows in SQL, which all of these options permit. */
interface Kind {
  readonly options: fc.Arbitrary<Written>;
  readonly value: (row: number) => string;
}

const ROWS = 2;

const KINDS: readonly Kind[] = [
  {
    options: fc.record({
      type: fc.constant('string'),
      max_length: fc.constantFrom(50, 300),
      min_length: fc.constantFrom(0, 1),
    }),
    value: (row) => `'text ${row}'`,
  },
  {
    options: fc.record({ type: fc.constant('integer'), maximum: fc.constantFrom(50, 300) }),
    value: (row) => String(row + 7),
  },
  {
    // Another type locks the table: the statements have another order then.
    options: fc.record({ type: fc.constantFrom('integer', 'bigint') }),
    value: (row) => String(row + 40),
  },
  {
    options: fc.record({
      type: fc.constant('enum'),
      values: fc.constantFrom(['open', 'done'], ['open', 'done', 'gone']),
    }),
    value: (row) => (row % 2 === 0 ? `'open'` : `'done'`),
  },
];

/** A field or a collection: what is left of a name if names change. */
interface Slot<T> {
  readonly before: string;
  readonly now: string;
  readonly value: T;
}

/** Gives each value a name before and after, both out of the same few. */
const permuted = <T>(
  values: fc.Arbitrary<T>,
  names: readonly string[],
  most: number,
): fc.Arbitrary<readonly Slot<T>[]> =>
  fc
    .tuple(
      fc.array(values, { minLength: 1, maxLength: most, size: 'max' }),
      fc.shuffledSubarray([...names], { minLength: most }),
      fc.shuffledSubarray([...names], { minLength: most }),
    )
    .map(([made, before, now]) =>
      made.map((value, at) => ({ before: before[at] ?? '', now: now[at] ?? '', value })),
    );

const twice = <T>(values: fc.Arbitrary<T>): fc.Arbitrary<readonly [T, T]> =>
  fc.tuple(values, values);

const lists = fc.record({
  unique: fc.boolean(),
  sort: fc.boolean(),
  filter: fc.boolean(),
  search: fc.boolean(),
  isChecked: fc.boolean(),
});

/** A field without its name: how it is written before and after. */
const field = fc
  .nat(KINDS.length - 1)
  .chain((kind) =>
    fc.record({ kind: fc.constant(kind), options: twice(KINDS[kind]!.options), in: twice(lists) }),
  );

const reference = fc.record({
  to: fc.nat(),
  onDelete: twice(fc.constantFrom('refuse', 'cascade', 'clear')),
  filter: twice(fc.boolean()),
});

const collection = fc.record({
  fields: permuted(field, ['alpha', 'beta', 'gamma', 'delta'], 3),
  references: permuted(reference, ['one_id', 'two_id', 'three_id'], 2),
  isUniqueTogether: twice(fc.boolean()),
});

/** @param texts fields of the condition, which has a text that looks like the column of another one. */
const uniqueRule = (first: string, second: string, texts: readonly string[]): unknown =>
  texts.length === 0
    ? [first, second]
    : { fields: [first], where: texts.map((name) => `${name} != '"beta"'`).join(' and ') };

const checksOf = (numbers: readonly string[]): Written =>
  numbers.length === 0
    ? {}
    : {
        checks: Object.fromEntries(
          numbers.map((name) => [`${name}_is_low`, { rule: `${name} < 49 or ${name} = null` }]),
        ),
      };

const COLLECTIONS = ['apples', 'pears', 'plums'];

const id = (slot: number, row: number): string =>
  `'01890a5d-ac96-774b-bcce-b302099a8${slot}0${row}'`;

type ValueOf<T> = T extends fc.Arbitrary<infer V> ? V : never;
type CollectionSlot = Slot<ValueOf<typeof collection>>;

/** One of the two definitions. */
type Side = 0 | 1;

const nameAt = ({ before, now }: Slot<unknown>, side: Side): string => (side === 0 ? before : now);

const entriesAt = <T>(
  slots: readonly Slot<T>[],
  side: Side,
  write: (value: T) => Written,
): [string, Written][] =>
  slots.map((slot) => [
    nameAt(slot, side),
    {
      ...write(slot.value),
      ...(side === 1 && slot.before !== slot.now && { renamed_from: slot.before }),
    },
  ]);

function writtenCollection(
  { fields, references, isUniqueTogether }: CollectionSlot['value'],
  targetAt: (to: number) => string,
  side: Side,
): Written {
  const listed = (list: keyof ValueOf<typeof lists>, type?: string): string[] =>
    fields
      .filter(({ value }) => value.in[side][list])
      .filter(({ value }) => type === undefined || value.options[side]['type'] === type)
      .map((slot) => nameAt(slot, side));
  const [first, second] = [fields[0]!, references[0]!];
  const hasUniqueRule = isUniqueTogether[side] && !first.value.in[side].unique;
  return {
    fields: Object.fromEntries([
      ...entriesAt(fields, side, (value) => ({
        ...value.options[side],
        unique: value.in[side].unique,
      })),
      ...entriesAt(references, side, ({ to, onDelete }) => ({
        type: 'reference',
        to: targetAt(to),
        on_delete: onDelete[side],
      })),
    ]),
    sort: listed('sort'),
    filter: [
      ...listed('filter'),
      ...references.filter(({ value }) => value.filter[side]).map((slot) => nameAt(slot, side)),
    ],
    search: listed('search', 'string'),
    ...(hasUniqueRule && {
      unique: [
        uniqueRule(nameAt(first, side), nameAt(second, side), listed('isChecked', 'string')),
      ],
    }),
    ...checksOf(listed('isChecked', 'integer')),
  };
}

/** The statements that fill the tables of before. All references lead to the last row of their target. */
function insertedRows(
  collections: readonly CollectionSlot[],
  targetOf: (to: number) => CollectionSlot,
): string {
  const inserts = collections.map(({ before, value: { fields } }, at) => {
    const columns = ['id', ...fields.map((slot) => slot.before)].map((name) => `"${name}"`);
    const rows = Array.from({ length: ROWS }, (_, row) => {
      const values = fields.map(({ value }) => KINDS[value.kind]!.value(row));
      return `(${[id(at, row), ...values].join(', ')})`;
    });
    return `insert into "${before}" (${columns.join(', ')}) values ${rows.join(', ')};`;
  });
  const updates = collections.flatMap((slot) =>
    slot.value.references.map(({ before, value }) => {
      const target = collections.indexOf(targetOf(value.to));
      return `update "${slot.before}" set "${before}" = ${id(target, ROWS - 1)};`;
    }),
  );
  return [...inserts, ...updates].join('\n');
}

/** Two definitions, with rows. */
export const permutedNames: fc.Arbitrary<PermutedNames> = permuted(collection, COLLECTIONS, 2).map(
  (collections) => {
    const targetOf = (to: number): CollectionSlot => collections[to % collections.length]!;
    const written = (side: Side): string =>
      JSON.stringify({
        name: 'shop',
        collections: Object.fromEntries(
          entriesAt(collections, side, (value) =>
            writtenCollection(value, (to) => nameAt(targetOf(to), side), side),
          ),
        ),
      });
    return {
      definitions: [written(0), written(1)],
      rows: insertedRows(collections, targetOf),
      tables: collections.map(({ before, now, value }) => ({
        before,
        now,
        columns: [...value.fields, ...value.references].map((slot) => ({
          before: slot.before,
          now: slot.now,
        })),
      })),
    };
  },
);
