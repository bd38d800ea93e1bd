/**
 * Lists by their plans: each sort and each filter that a definition declares is answered by an
 * index, whatever is in the table; in older versions too, where what they show is in the order of
 * what is stored. The statements are those of the emitted repositories, and the tables are large
 * enough for PostgreSQL to choose as it would in earnest.
 */
import { existsSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

import { execa } from 'execa';
import pg from 'pg';
import { afterAll, describe, expect, inject, test } from 'vitest';

import { readDefinitions } from '../../src/disk/definitions.ts';
import { buildModel } from '../../src/model/build.ts';
import { listStatement } from '../../src/model/list-statement.ts';
import { collectionLists, columnSql, listsOf as listsInModel } from '../../src/model/lists.ts';
import type { ItemList } from '../../src/model/lists.ts';
import type { Model } from '../../src/model/types.ts';
import { parseSources } from '../../src/project/parse-sources.ts';
import { makeDatabase } from './support/project.ts';

const ROWS = 20_000;
const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** The parts of the emitted modules that are used here. */
interface Scope {
  readonly column: string;
  readonly id: string;
  readonly values?: (user: string) => string;
}
interface Statement {
  readonly text: string;
}
type Query = (statement: Statement, values: unknown[]) => Promise<unknown[]>;
type ReadPage = (
  database: { query: Query },
  list: object,
  scopes: readonly Scope[],
  table?: Table,
) => Promise<unknown>;
type ReadList = (
  request: object,
  options: Options,
  paging: object,
  path: string,
) => { readonly filters: readonly { readonly value: unknown }[] };
interface OwnerStep {
  readonly table: string;
  readonly column: string;
}
interface OwnerPaths {
  readonly ownerPathOf: (resource: object) => readonly [OwnerStep, ...OwnerStep[]];
  readonly valuesOwnedBy: (user: string, path: readonly OwnerStep[]) => string;
}
interface Table {
  readonly columns: Readonly<Record<string, { readonly name: string }>>;
}
interface View {
  readonly lists: Options;
  readonly table: Table;
}
interface Options {
  readonly sort: readonly string[];
  readonly filter: Readonly<
    Record<string, { readonly schema: Sampled; readonly ordered: boolean }>
  >;
}

/** What is asked of one collection, in one version. */
interface Lists {
  /** With the version, where several differ. */
  readonly title: string;
  readonly name: string;
  readonly version: number;
  /** Absent where no version differs. */
  readonly table: Table | undefined;
  readonly list: ReadPage;
  readonly options: Options;
  /** The columns that a nested list, or one of an owner, is narrowed by. */
  readonly scopes: readonly string[];
}

interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Index Name'?: string;
  readonly 'Index Cond'?: string;
  readonly 'Subplan Name'?: string;
  readonly Plans?: readonly PlanNode[];
}

/** The part of a plan that reads the rows of a page. */
function findPage(node: PlanNode): PlanNode | undefined {
  if (node['Subplan Name'] === 'CTE page') return node;
  return node.Plans?.map(findPage).find((page) => page !== undefined);
}

describe.each([
  ['bookshop', 'examples/bookshop.yaml'],
  ['everything', 'test/definitions/everything'],
  ['library', 'test/cases/versions/definitions.yaml'],
  ['orders', 'test/e2e/definitions/orders.yaml'],
])('%s', async (name, definitions) => {
  const project = await makeSources(name, definitions);
  const { readList } = (await import(path.join(project, 'src/platform/http/list.ts'))) as {
    readList: ReadList;
  };
  const client = new pg.Client({ connectionString: await makeDatabase(`indexes_${name}`) });
  await client.connect();
  afterAll(() => client.end());
  await client.query(readFileSync(path.join(project, 'migrations/0001_initial.sql'), 'utf8'));
  const columns = await client.query<{ name: string; type: string }>(
    `select format('"%s"."%s"', table_name, column_name) as "name", data_type as "type"
      from information_schema.columns where table_schema = current_schema()`,
  );
  const types = new Map(columns.rows.map((one) => [one.name, one.type]));
  /** An id of the type of a column. */
  const idFor = (column: string): string => (types.get(column) === 'uuid' ? AN_ID : A_NUMBER);
  const all = await listsOf(project);
  const small: string[] = [];
  for (const table of new Set(all.map((lists) => lists.name))) {
    if ((await fill(client, table)) <= ROWS / 2) small.push(table);
  }
  const collections = all.filter((lists) => !small.includes(lists.name));
  await client.query('analyze');

  test('the tables are large, but for one with a unique boolean', () => {
    expect(small).toEqual(name === 'everything' ? ['switches'] : []);
  });

  /** The kinds of steps in the plan of a list, and the conditions that an index answers. */
  const plan = async (
    { list, options, name: table, version, table: seen }: Lists,
    parameters: string,
    { scopes = [], position }: { scopes?: Scope[]; position?: unknown[] } = {},
  ) => {
    const steps: string[] = [];
    const conditions: string[] = [];
    const indexes: string[] = [];
    const note = (node: PlanNode): void => {
      steps.push(node['Node Type']);
      conditions.push(node['Index Cond'] ?? '');
      if (node['Index Name'] !== undefined) indexes.push(node['Index Name']);
      node.Plans?.forEach(note);
    };
    const query: Query = async ({ text }, values) => {
      const { rows } = await client.query<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(
        `explain (format json) ${text}`,
        values,
      );
      // The rest measures the rows of the page, and puts them in order once more.
      for (const row of rows)
        note(findPage(row['QUERY PLAN'][0].Plan) ?? row['QUERY PLAN'][0].Plan);
      return [];
    };
    const request = { raw: { url: `/${table}?${parameters}` }, api: { version } };
    const read = readList(request, options, { pageBytes: PAGE_BYTES }, table);
    const behind =
      position === undefined
        ? read
        : { ...read, position: { direction: 'after', values: position } };
    await list({ query }, behind, scopes, seen);
    return { steps: new Set(steps), conditions: conditions.join(' '), indexes };
  };

  test('what older versions show in another order than that of an index is known', () => {
    const others = collections.flatMap((lists) =>
      [...new Set([...lists.options.sort, ...Object.keys(lists.options.filter)])]
        .filter((member) => columnOf(lists, member) === undefined)
        .map((member) => `${lists.title}: ${member}`),
    );
    expect(others).toEqual(
      name === 'library'
        ? [
            ...['books in version 1: state', 'books in version 2: state'],
            ...['desks in version 2: loan', 'desks in version 2: terminal'],
          ]
        : name === 'everything'
          ? ['rentals in version 1: status', 'rentals in version 2: status']
          : [],
    );
  });

  test.each(collections)('$title: each order is that of an index', async (lists) => {
    for (const member of ['', ...lists.options.sort]) {
      const column = columnOf(lists, member);
      if (column === undefined) continue;
      for (const sort of member === '' ? [''] : [member, `-${member}`]) {
        const parameters = sort === '' ? '' : `sort=${sort}`;
        const { steps, indexes } = await plan(lists, parameters);
        expect.soft(steps, `sort=${sort}`).toContain('Index Scan');
        // A unique index has one row for each value: to order these by the id costs nothing.
        const isUnique = indexes.every((index) => index.endsWith('__key'));
        const others = [...steps].filter(
          (step) => !IN_ORDER.has(step) && !(isUnique && step === 'Incremental Sort'),
        );
        expect.soft(others, `sort=${sort}`).toEqual([]);
        const type = lists.options.filter[member]?.schema;
        if (type === undefined) continue;
        // From a position on, the index is entered there.
        const position = [samplesOf(type)[0], idFor(`"${lists.name}"."id"`)];
        const { conditions } = await plan(lists, parameters, { position });
        expect.soft(conditions, `sort=${sort} from a position`).toContain(column);
      }
    }
  });

  test.each(collections)('$title: each filter is a condition of an index', async (lists) => {
    for (const [member, { schema, ordered }] of Object.entries(lists.options.filter)) {
      const column = columnOf(lists, member);
      if (column === undefined) continue;
      const [value, beyond] = samplesOf(schema);
      const equal = await plan(lists, `${member}=${value}`);
      expect.soft(equal.conditions, member).toContain(column);
      const others = [
        `[in]=${value}`,
        '[null]=true',
        ...(ordered ? [`[lt]=${beyond}`, `[lte]=${beyond}`] : []),
      ];
      // Where many items match, the first of them come sooner in the order of the list.
      for (const other of others) {
        const { steps } = await plan(lists, `${member}${other}`);
        expect.soft(steps, `${member}${other}`).not.toContain('Seq Scan');
      }
      for (const operator of ordered ? ['gt', 'gte'] : []) {
        const { conditions } = await plan(lists, `${member}[${operator}]=${beyond}`);
        expect.soft(conditions, `${member}[${operator}]`).toContain(column);
      }
    }
  });

  const orders = collections.find((lists) => lists.name === 'orders');
  const parent = orders?.scopes[0] ?? '';

  test.each(orders === undefined ? [] : DECLARED)(
    '%s is a range of the index that is declared for it',
    async (parameters, index) => {
      const nested = parameters.startsWith('customer_id');
      const sent = nested ? parameters.replace(/^.*?&/, '') : parameters;
      const scopes = nested ? [{ column: parent, id: idFor(parent) }] : [];
      const { steps, indexes } = await plan(orders!, sent, { scopes });
      expect.soft(indexes).toEqual([index]);
      expect.soft([...steps].filter((step) => !IN_ORDER.has(step))).toEqual([]);
    },
  );

  test.each(orders === undefined ? [] : ['number'])(
    'the unique member %s has one index, and lists are sorted by it',
    async (member) => {
      const { rows } = await client.query<{ name: string }>(
        `select indexname as "name" from pg_indexes where tablename = 'orders' and indexdef like '%(${member}%'`,
      );
      expect(rows.map((row) => row.name)).toEqual([`orders__${member}__key`]);
      const position = ['text 5', AN_ID];
      const { conditions } = await plan(orders!, `sort=${member}`, { position });
      expect(conditions).toContain(member);
    },
  );

  test('explain --database measures the statements that the service sends', async () => {
    const kinds = new Set<string>();
    for (const known of collectionLists(await modelOf(definitions))) {
      const { kebab } = known.collection.code;
      const lists = all.findLast((one) => one.name === kebab.replaceAll('-', '_'));
      if (lists === undefined) throw new Error(`${kebab} has no lists`);
      for (const list of listsInModel(known)) {
        const { filter, sort, words, path: at } = list;
        const type = filter && lists.options.filter[filter.member]?.schema;
        const [value] = type === undefined ? [''] : samplesOf(type);
        const parameters = String(
          new URLSearchParams({
            ...(filter && { [filter.member]: value }),
            ...(sort && { sort: sort.member }),
            ...(words !== undefined && { q: 'river' }),
          }),
        );
        const request = { raw: { url: `${at}?${parameters}` }, api: { version: lists.version } };
        const read = readList(request, lists.options, { pageBytes: PAGE_BYTES }, kebab);
        const scopes = await fixedFilters(project, kebab, list, idFor);
        const sent: { text: string; values: unknown[] }[] = [];
        const query: Query = ({ text }, values) => {
          sent.push({ text, values: values.map(String) });
          return Promise.resolve([]);
        };
        await lists.list({ query }, read, scopes, lists.table);
        const measured = listStatement(list, {
          scopes: list.scopes.map(({ column, owner }) =>
            owner === undefined ? idFor(columnSql(column)) : AN_ID,
          ),
          filter: String(read.filters[0]?.value),
          word: 'river',
        });
        const title = `${at}?${parameters}${list.own ? ' of an owner' : ''}`;
        expect.soft(sent.length, title).toBeGreaterThan(0);
        for (const { text, values } of sent) {
          expect.soft(text, title).toContain(measured.text.replace('select * ', ''));
          const count = measured.values.length;
          expect.soft(values.slice(0, count), title).toEqual(measured.values.map(String));
        }
        if (list.own) kinds.add('own');
        if (at.includes('{id}')) kinds.add('nested');
        if (filter?.beginning !== undefined) kinds.add('long text');
        if (words !== undefined) kinds.add('search');
      }
    }
    const needed = name === 'everything' ? ['long text', 'nested', 'own', 'search'] : ['nested'];
    expect([...kinds]).toEqual(expect.arrayContaining(needed));
  });

  test('what lists are sorted by has no second index for filters', async () => {
    const { rows } = await client.query<{ name: string }>(
      'select indexname as "name" from pg_indexes where schemaname = current_schema()',
    );
    const names = rows.map((row) => row.name);
    const sorted = names.filter((index) => index.endsWith('__sort'));
    expect(sorted.length).toBeGreaterThan(1);
    // A reference has one for its foreign key.
    const second = sorted
      .map((index) => index.replace(/__sort$/, '__idx'))
      .filter((index) => names.includes(index) && !index.endsWith('_id__idx'));
    expect(second).toEqual([]);
  });

  test.each(collections.filter(({ scopes }) => scopes.length > 0))(
    '$title: those of a parent or an owner are found by an index',
    async (lists) => {
      for (const column of lists.scopes) {
        const scopes = [{ column, id: idFor(column) }];
        const { steps, conditions } = await plan(lists, '', { scopes });
        expect.soft(steps, column).not.toContain('Seq Scan');
        expect.soft(conditions, column).toContain(column.replace(/^.*\."|"/g, ''));
      }
    },
  );
});

/** Lists of orders that are filtered and sorted, each with the index that is declared for it. */
const DECLARED = [
  ['status=open&sort=due_on', 'orders__status__due_on__index'],
  ['status=open&sort=-due_on', 'orders__status__due_on__index'],
  ['status=open&sort=-priority,due_on', 'orders__status__priority__desc__due_on__index'],
  ['priority=3&sort=created_at', 'orders__priority__created_at__index'],
  ['customer_id=of&sort=created_at', 'orders__customer_id__created_at__desc__index'],
  ['note=text 7&sort=-updated_at', 'orders__note__updated_at__desc__index'],
] as const;

/** No sort: an index gives the first rows in order, and a sum or a window over just these measures them. */
const IN_ORDER = new Set([
  ...['Limit', 'Index Scan'],
  ...['CTE Scan', 'Aggregate', 'Result'],
  ...['WindowAgg', 'Subquery Scan'],
]);

/** The default. */
const PAGE_BYTES = 4_194_304;

const AN_ID = '01890a5d-ac96-774b-bcce-b302099a8057';
const A_NUMBER = '7';

/** What is indexed of a member; undefined where it is compared as something else. */
const columnOf = ({ table }: Lists, member: string): string | undefined =>
  table?.columns[member] === undefined
    ? member
    : /^"\w+"\."(\w+)"$/.exec(table.columns[member].name)?.[1];

/** The sources of an emitted project, which find their packages in this one. */
async function makeSources(name: string, definitions: string): Promise<string> {
  const project = path.join(inject('workshop'), `indexes-${name}`);
  const words = ['--no-install', '--no-git', '--yes', '--from', path.join(ROOT, definitions)];
  await execa(inject('command'), ['new', project, ...words]);
  symlinkSync(path.join(ROOT, 'node_modules'), path.join(project, 'node_modules'));
  return project;
}

async function modelOf(definitions: string): Promise<Model> {
  const sources = readDefinitions(path.join(ROOT, definitions), (file) => file);
  const read = await parseSources(sources, 'service');
  if (!read.ok) throw new Error(JSON.stringify(read.issues));
  return buildModel(read.service);
}

/** The export of an emitted module whose name has this form. */
const exportOf = (exports: Record<string, unknown>, pattern: RegExp): unknown =>
  Object.entries(exports).find(([key]) => pattern.test(key))?.[1];

/** What the routes of the service limit a list to. */
async function fixedFilters(
  project: string,
  kebab: string,
  list: ItemList,
  idFor: (column: string) => string,
): Promise<Scope[]> {
  const nested = list.scopes.slice(0, list.own ? -1 : undefined);
  const parents: Scope[] = nested.map(({ column }) => ({
    column: columnSql(column),
    id: idFor(columnSql(column)),
  }));
  if (!list.own) return parents;
  const load = async <Exports>(file: string): Promise<Exports> =>
    (await import(path.join(project, 'src', file))) as Exports;
  const repository = await load<Record<string, unknown>>(`collections/${kebab}/repository.ts`);
  const resource = exportOf(repository, /_RESOURCE$/) as { table: string };
  // As `ownership.ts` does, whose other functions need packages of the project.
  const { ownerPathOf, valuesOwnedBy } = await load<OwnerPaths>('platform/database/owner-path.ts');
  const [{ table, column }, ...rest] = ownerPathOf(resource);
  const values = (user: string): string => valuesOwnedBy(user, rest);
  return [...parents, { column: `${table}.${column}`, id: AN_ID, values }];
}

async function listsOf(project: string): Promise<Lists[]> {
  const folder = path.join(project, 'src/collections');
  const kinds = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  const lists = await Promise.all(
    kinds.map(async ({ name }): Promise<Lists[]> => {
      const at = path.join(folder, name);
      const repository = (await import(path.join(at, 'repository.ts'))) as Record<string, unknown>;
      const schema = (await import(path.join(at, 'schema.ts'))) as Record<string, unknown>;
      const code = readFileSync(path.join(at, 'routes.ts'), 'utf8');
      const one = {
        name: name.replaceAll('-', '_'),
        list: exportOf(repository, /^list[A-Z]/) as ReadPage,
        scopes: [...code.matchAll(/column: '([^']+)'/g)].map(([, column]) => column ?? ''),
      };
      if (!existsSync(path.join(at, 'views.ts'))) {
        const options = exportOf(schema, /Lists$/) as Options;
        return [{ ...one, title: one.name, version: 1, options, table: undefined }];
      }
      const versions = (await import(path.join(at, 'views.ts'))) as Record<string, unknown>;
      const views = exportOf(versions, /Views$/) as Readonly<Record<number, View>>;
      return Object.entries(views).map(([version, { lists: options, table }]) => ({
        ...one,
        title: `${one.name} in version ${version}`,
        version: Number(version),
        options,
        table,
      }));
    }),
  );
  return lists.flat();
}

/**
 * Makes rows with values of each kind, some of them null; what they must fulfil is no matter here.
 * @returns how many there are: as many as unique values allow.
 */
async function fill(client: pg.Client, table: string): Promise<number> {
  const quoted = client.escapeIdentifier(table);
  const { rows: constraints } = await client.query<{ name: string }>(
    `select quote_ident(conname) as "name" from pg_constraint
      where conrelid = $1::regclass and contype in ('c', 'f')`,
    [quoted],
  );
  for (const { name } of constraints) {
    await client.query(`alter table ${quoted} drop constraint ${name}`);
  }
  const { rows: columns } = await client.query<{ name: string; type: string; nullable: boolean }>(
    `select attname as "name", format_type(atttypid, null) as "type", not attnotnull as "nullable"
      from pg_attribute where attrelid = $1::regclass and attnum > 0 and not attisdropped`,
    [quoted],
  );
  const values = columns.map(({ name, type, nullable }) => {
    const value = VALUES[type];
    if (value === undefined) throw new Error(`${table}.${name} is of the type ${type}`);
    const typed = `(${value})::${type}`;
    return nullable ? `case when n % 10 > 0 then ${typed} end` : typed;
  });
  const names = columns.map(({ name }) => client.escapeIdentifier(name));
  const { rowCount } = await client.query(
    `insert into ${quoted} (${names.join(', ')})
      select ${values.join(', ')} from generate_series(1, ${ROWS}) n on conflict do nothing`,
  );
  return rowCount ?? 0;
}

const VALUES: Readonly<Record<string, string>> = {
  uuid: 'gen_random_uuid()',
  text: `'text ' || n`,
  'text[]': `array['text']`,
  bigint: 'n',
  integer: 'n',
  'double precision': 'n / 7.0',
  numeric: '(n % 90) / 100.0',
  boolean: 'n % 100 = 1',
  date: `date '2000-01-01' + n`,
  'timestamp with time zone': `timestamptz '2000-01-01' + n * interval '1 minute'`,
  'time without time zone': `time '00:00:00' + n * interval '1 second'`,
  interval: `n * interval '1 second'`,
  inet: `inet '10.0.0.0' + n`,
  bytea: `'\\x00'`,
  jsonb: `'{}'`,
};

/** Two values that a filter takes: one that few items have, and one that none reaches. */
function samplesOf(schema: Sampled): [value: string, beyond: string] {
  const { type, format = '', pattern, enum: values } = schema;
  if (values !== undefined) return [values[0] ?? '', ''];
  if (type === 'boolean') return ['true', ''];
  if (format === '' && pattern !== undefined) {
    const samples = PATTERN_SAMPLES.find(([value]) => new RegExp(pattern, 'v').test(value));
    if (samples === undefined) throw new Error(`no sample matches ${pattern}`);
    return samples;
  }
  return SAMPLES[format] ?? SAMPLES[type] ?? ['text 7', 'u'];
}

interface Sampled {
  readonly type: string;
  readonly format?: string;
  readonly pattern?: string;
  readonly enum?: readonly string[];
}

const SAMPLES: Readonly<Record<string, [value: string, beyond: string]>> = {
  integer: ['7', '1000000'],
  int64: ['7', '1000000'],
  number: ['1', '1000000'],
  decimal: ['0', '0.99'],
  uuid: ['01890a5d-ac96-774b-bcce-b302099a8057', ''],
  date: ['2000-01-08', '2900-01-01'],
  'date-time': ['2000-01-01T00:07:00Z', '2900-01-01T00:00:00Z'],
};

/** Of types that JSON Schema has no format for. The first whose pattern matches: that of IP addresses is wide. */
const PATTERN_SAMPLES: readonly [value: string, beyond: string][] = [
  ['10.0.0.7', '255.255.255.255'],
  ['00:07:00', '23:59:59'],
  ['PT7M', 'PT24H'],
];
