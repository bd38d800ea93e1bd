/** Random edits of a team, and random changes of a database: no edit is lost, and what is written is valid. */
import { isDeepStrictEqual } from 'node:util';

import fc from 'fast-check';
import { expect, test } from 'vitest';

import { parseFolder } from '../../../src/definition/index.ts';
import { definitionText } from '../../../src/import/definition-text.ts';
import type { ImportPlan } from '../../../src/import/plan-import.ts';
import { yamlComments, definitionValue } from '../../../src/reimport/edit-yaml.ts';
import { importedDefinitions, lockText, parseLock } from '../../../src/reimport/import-lock.ts';
import { planReimport } from '../../../src/reimport/plan-reimport.ts';
import type { ReimportPlan } from '../../../src/reimport/types.ts';
import { ownMember } from '../../../src/shared/json.ts';
import type { JsonObject } from '../../../src/shared/json.ts';

type Keys = Record<string, unknown>;
type Fields = Record<string, Keys>;

/** A table, as far as its definition shows it. */
interface Table {
  readonly table: string;
  readonly collection: string;
  readonly definition: {
    fields: Fields;
    sort: string[];
    filter?: string[];
    [key: string]: unknown;
  };
}

const textField = (length: number): Keys => ({ type: 'string', max_length: length });

const tablesBefore = (): Table[] => [
  {
    table: 'film',
    collection: 'films',
    definition: {
      table: 'film',
      key: { type: 'integer', column: 'film_id' },
      history: { updated_at: 'last_update' },
      fields: {
        title: { ...textField(40), required: true },
        tagline: textField(10),
        length: { type: 'integer', minimum: 0, maximum: 100 },
        language_id: { type: 'reference', to: 'languages' },
        rating: { type: 'enum', values: ['G', 'R'], stored: 'rating', default: 'G' },
      },
      sort: ['title', 'length'],
      filter: ['title'],
      checks: { long: { rule: "length > 1 or title != 'title'" } },
      unique: [{ fields: ['title', 'length'], name: 'title_length' }],
    },
  },
  {
    table: 'language',
    collection: 'languages',
    definition: {
      table: 'language',
      key: { type: 'integer', column: 'language_id' },
      history: {},
      fields: { name: textField(20) },
      sort: [],
    },
  },
];

const COLUMNS = ['title', 'tagline', 'length', 'rating', 'added', 'note'] as const;

/** Changes of the database. */
const databaseChange = fc.oneof(
  fc
    .tuple(fc.constantFrom('title', 'title', 'title', 'rating', ...COLUMNS), fc.nat(90))
    .map(([column, size]) => (tables: Table[]) => {
      const { fields = {} } = tables[0]?.definition ?? {};
      const field = fields[column];
      if (field === undefined) fields[column] = textField(size + 1);
      else if (field['type'] === 'string') field['max_length'] = size + 1;
      else if (field['type'] === 'integer') field['maximum'] = size + 1;
      else (field['values'] as unknown[]).push(`V${size}`);
    }),
  fc.constantFrom(...COLUMNS).map((column) => (tables: Table[]) => {
    const definition = tables[0]?.definition;
    if (definition === undefined || column === 'length' || column === 'title') return;
    definition.fields = Object.fromEntries(
      Object.entries(definition.fields).filter(([name]) => name !== column),
    );
    definition.sort = definition.sort.filter((name) => name !== column);
    definition.filter = (definition.filter ?? []).filter((name) => name !== column);
  }),
  fc.constantFrom(...COLUMNS).map((column) => (tables: Table[]) => {
    const definition = tables[0]?.definition;
    if (definition?.fields[column] === undefined) return;
    definition.filter = [...new Set([...(definition.filter ?? []), column])];
    definition.sort = definition.sort.filter((name) => name !== column);
  }),
  fc.constantFrom(...COLUMNS).map((column) => (tables: Table[]) => {
    const field = tables[0]?.definition.fields[column];
    if (field === undefined) return;
    if (field['required'] === true) delete field['required'];
    else field['required'] = true;
  }),
  fc.constant((tables: Table[]) => {
    if (tables[0]?.definition.fields['language_id'] === undefined) return;
    tables[0].definition.fields['language_id'] = { type: 'integer' };
  }),
  fc.constant((tables: Table[]) => {
    if (tables.length > 2) return;
    const fields = { film_id: { type: 'reference', to: 'films' }, text: { type: 'text' } };
    const definition = { table: 'review', key: 'integer', history: {}, fields, sort: [] };
    tables.push({ table: 'review', collection: 'reviews', definition });
  }),
);

const FILMS_FILE = 'definitions/collections/films.yaml';

/** Whether an edit is there. */
type Proof = (files: ReadonlyMap<string, string>) => boolean;

/** An edit of the team; it says what has to be there afterwards. */
type Edit = (files: Map<string, string>) => Proof | undefined;

const films = (files: ReadonlyMap<string, string>): string =>
  [...files].find(([, text]) => definitionValue(text)['table'] === 'film')?.[1] ?? '';

function replaceIn(files: Map<string, string>, from: RegExp, to: string): boolean {
  const [path, text = ''] =
    [...files].find(([, one]) => definitionValue(one)['table'] === 'film') ?? [];
  const edited = text.replace(from, to);
  if (path === undefined || edited === text) return false;
  files.set(path, edited);
  return true;
}

const fieldOfColumn = (text: string, column: string): readonly [string, JsonObject] | undefined =>
  Object.entries(definitionValue(text)['fields'] as Readonly<Record<string, JsonObject>>).find(
    ([name, field]) => (ownMember(field, 'column') ?? name) === column,
  );

let comments = 0;

const teamEdit: fc.Arbitrary<Edit> = fc.oneof(
  fc.constantFrom(...COLUMNS).map((column): Edit => (files) => {
    const comment = `# comment ${(comments += 1)}`;
    const line = new RegExp(`^(  ${column}: .*)$`, 'm');
    if (!replaceIn(files, line, `$1 ${comment}`)) return undefined;
    return (after) => yamlComments(films(after)).includes(comment);
  }),
  fc.constantFrom(...COLUMNS).map((column): Edit => (files) => {
    const line = new RegExp(`^  ${column}: \\{ (?!desc)`, 'm');
    if (!replaceIn(files, line, `  ${column}: { description: Ours, `)) return undefined;
    return (after) => fieldOfColumn(films(after), column)?.[1]['description'] === 'Ours';
  }),
  fc.constantFrom('rating', 'tagline').map((column): Edit => (files) => {
    if (
      !replaceIn(
        files,
        new RegExp(`^  ${column}: \\{ `, 'm'),
        `  our_${column}: { column: ${column}, `,
      )
    )
      return undefined;
    return (after) => {
      // Without another edit it goes with its column.
      const [name = `our_${column}`] = fieldOfColumn(films(after), column) ?? [];
      return name === `our_${column}`;
    };
  }),
  fc.constant<Edit>((files) => {
    if (!replaceIn(files, /^ {2}tagline: .*\n/m, '')) return undefined;
    return (after) => fieldOfColumn(films(after), 'tagline') === undefined;
  }),
  fc.constant<Edit>((files) => {
    if (!replaceIn(files, /max_length: 40/, 'max_length: 95')) return undefined;
    return (after) => fieldOfColumn(films(after), 'title')?.[1]['max_length'] === 95;
  }),
  fc.constant<Edit>((files) => {
    if (!replaceIn(files, /maximum: 100/, 'maximum: 1')) return undefined;
    return (after) => fieldOfColumn(films(after), 'length')?.[1]['maximum'] === 1;
  }),
  fc.constant<Edit>((files) => {
    if (!replaceIn(files, /^sort:/m, 'permissions: { read: public }\nsort:')) return undefined;
    return (after) =>
      isDeepStrictEqual(definitionValue(films(after))['permissions'], { read: 'public' });
  }),
  fc.constant<Edit>((files) => {
    if (!replaceIn(files, /^filter: \[title\]/m, 'filter: # ours\n  - title\n  - length'))
      return undefined;
    return (after) => JSON.stringify(definitionValue(films(after))['filter']).includes('length');
  }),
  fc.constant<Edit>((files) => {
    const text = films(files);
    const [path] = [...files].find(([, one]) => one === text) ?? [];
    if (path !== FILMS_FILE) return undefined;
    files.delete(path);
    files.set('definitions/collections/movies.yaml', text);
    return (after) => after.has('definitions/collections/movies.yaml');
  }),
);

const OPTIONS = { schemas: ['public'], skip: [], adopt: true };

const planOf = (tables: readonly Table[]): ImportPlan => ({
  database: 'shop',
  serverVersion: '18',
  serviceSchema: 'service',
  counts: [],
  files: [],
  tables: tables.map(({ table, collection, definition }) => ({
    ...{ schema: 'public', table, collection, kind: 'table', rows: null },
    ...{ definition: definitionText(definition), columns: [], differences: [] },
  })),
});

async function again(
  lock: string,
  files: ReadonlyMap<string, string>,
  tables: readonly Table[],
): Promise<ReimportPlan> {
  return planReimport({
    ...{ lock: parseLock(lock), options: OPTIONS, files, plan: planOf(tables) },
    tables: new Set(tables.map(({ table }) => table)),
    fallbackName: 'shop',
  });
}

test('no edit is lost, and what is written is valid and complete', async () => {
  const scenario = fc.record({
    edits: fc.array(teamEdit, { minLength: 2, maxLength: 6, size: 'max' }),
    changes: fc.array(databaseChange, { minLength: 2, maxLength: 8, size: 'max' }),
  });
  const outcomes = { written: 0, conflicts: 0, invalid: 0 };
  await fc.assert(
    fc.asyncProperty(scenario, async ({ edits, changes }) => {
      const before = tablesBefore();
      const lock = lockText({
        options: OPTIONS,
        imported: importedDefinitions(planOf(before)),
        leftOut: [],
        leftOutColumns: [],
      });
      const files = new Map([
        ['definitions/service.yaml', 'name: shop\nschema: service\n'],
        ...before.map(({ collection, definition }): [string, string] => [
          `definitions/collections/${collection}.yaml`,
          definitionText(definition),
        ]),
      ]);
      const isValid = async (all: ReadonlyMap<string, string>): Promise<boolean> =>
        (
          await parseFolder(
            Array.from(all, ([path, text]) => ({ path, bytes: Buffer.from(text) })),
            { fallbackName: 'shop' },
          )
        ).ok;
      const proofs = edits.flatMap((edit) => edit(files) ?? []);
      fc.pre(await isValid(files));
      const tables = tablesBefore();
      for (const change of changes) change(tables);

      const result = await again(lock, files, tables);
      if (result.issues.length > 0) {
        outcomes.invalid += 1;
        return;
      }
      outcomes[result.conflicts.length > 0 ? 'conflicts' : 'written'] += 1;
      // With --keep-edits, what conflicts stays as it is.
      const after = new Map(files);
      for (const { path, after: text } of result.files) {
        if (text === undefined) after.delete(path);
        else after.set(path, text);
      }
      expect(await isValid(after)).toBe(true);
      // A later edit may have undone an earlier one.
      for (const proof of proofs) expect(proof(after)).toBe(proof(files) || proof(after));
      const second = await again(result.lock, after, tables);
      expect(second.files).toEqual([]);
      expect(second.conflicts).toEqual([]);
      expect(second.lock).toBe(result.lock);
    }),
    { numRuns: 120 },
  );
  expect(outcomes.written).toBeGreaterThan(30);
  expect(outcomes.conflicts).toBeGreaterThan(1);
});
