/** The report of an import, as Markdown that can be read on a terminal too. */
import { DIFFERENCES, differenceKind } from '../../import/difference.ts';
import type { Difference, DifferenceCode, DifferenceKind } from '../../import/difference.ts';
import { countTaken } from '../../import/plan-import.ts';
import type { TableImport, ImportPlan } from '../../import/plan-import.ts';
import { counted, enumerate, printable } from '../../reading/quote.ts';
import { alignedRows } from '../explain/aligned-rows.ts';
import { formatNumber } from '../explain/database.ts';

const HEADINGS: Readonly<Record<DifferenceKind, string>> = {
  lost: 'Left out',
  changed: 'Changed',
  stored: 'Stored differently',
  kept: 'Kept by the database, and not in the definition',
};

const KINDS = Object.keys(HEADINGS) as readonly DifferenceKind[];

/** Who may do what with an imported collection. */
export const ACCESS_NOTE =
  'Whoever is signed in can read and change all items, until you write permissions into the definitions.';

export function reportMarkdown(plan: ImportPlan): string {
  const { database, serverVersion, tables, counts } = plan;
  const kind = kindsOf(plan);
  return [
    `# Import report: ${printable(database)}`,
    `${summaryOf(plan)} The database is PostgreSQL ${serverVersion}.`,
    `${useOf(plan)} ${ACCESS_NOTE}`,
    ...KINDS.flatMap((one) => {
      const own = counts.filter(({ code }) => kind(code) === one);
      if (own.length === 0) return [];
      const rows = own.map(({ code, tables: count }) => [
        formatNumber(count),
        `${code}: ${DIFFERENCES[code].title}`,
      ]);
      const lines = alignedRows([['TABLES', HEADINGS[one].toUpperCase()], ...rows]);
      return [lines.map((line) => `    ${line}`).join('\n')];
    }),
    ...tables
      .filter(({ collection }) => collection !== null)
      .map((table) => tableSection(table, kind)),
    ...leftOutSection(tables.filter(({ collection }) => collection === null)),
    '',
  ].join('\n\n');
}

type KindOf = (code: DifferenceCode) => DifferenceKind;

const kindsOf =
  ({ serviceSchema }: ImportPlan): KindOf =>
  (code) =>
    differenceKind(code, serviceSchema !== undefined);

/** What the definitions do with the tables of the database. */
const useOf = ({ serviceSchema }: ImportPlan): string =>
  serviceSchema === undefined
    ? 'A service that is made from the definitions creates tables of its own. It does not use the tables of this ' +
      'database, and no rows are copied.'
    : 'A service that is made from the definitions reads and writes the rows of these tables. It creates only the ' +
      `schema ${serviceSchema}, with tables of its own and a view of each of these tables, which stay as they are. ` +
      'For an item that another program removed it answers 404, and not 410. The import wrote nothing to the database.';

/** How much of a database the definitions have, in a sentence or two. */
export function summaryOf(plan: ImportPlan): string {
  const { tables, serviceSchema, moreWithUtc } = plan;
  const taken = countTaken(plan);
  const views = tables.length - taken.allTables;
  const all = counted(taken.allTables, 'table');
  const left =
    views === 0 ? '' : ` ${counted(views, 'view')} ${views === 1 ? 'is' : 'are'} left out.`;
  const isOne = taken.tables === 1;
  const become = isOne ? 'becomes a collection' : 'become collections';
  const verb = serviceSchema === undefined ? become : `${isOne ? 'is' : 'are'} used`;
  const more =
    moreWithUtc === undefined
      ? ''
      : ` With --timestamps utc, ${enumerate(
          [
            ...(moreWithUtc.tables > 0 ? [counted(moreWithUtc.tables, 'more table')] : []),
            counted(moreWithUtc.columns, 'more column'),
          ],
          'and',
        )} can be used.`;
  return (
    `${formatNumber(taken.tables)} of ${all} ${verb}, ` +
    `with ${formatNumber(taken.columns)} of ${formatNumber(taken.allColumns)} columns.${left}${more}`
  );
}

function tableSection(table: TableImport, kindOfCode: KindOf): string {
  const { collection, rows, columns, differences } = table;
  const members = columns.filter(({ member }) => member !== null).length;
  const size = rows === null ? '' : `About ${counted(rows, 'row')}. `;
  return [
    `## ${nameOf(table)} → ${String(collection)}`,
    `${size}${counted(columns.length, 'column')}${members === columns.length ? '' : `, ${formatNumber(members)} of them in the definition`}.`,
    ...(differences.length === 0 ? ['No difference.'] : []),
    ...KINDS.flatMap((kind) => {
      const own = differences.filter(({ code }) => kindOfCode(code) === kind);
      return own.length === 0 ? [] : [`${HEADINGS[kind]}:`, list(byCode(own))];
    }),
  ].join('\n\n');
}

function leftOutSection(tables: readonly TableImport[]): readonly string[] {
  if (tables.length === 0) return [];
  const lines = tables.map((one) => `${nameOf(one)} ${one.differences.map(textOf).join('; ')}`);
  return ['## Tables and views that are left out', list(lines)];
}

/** Without the schema that is the usual one. */
const nameOf = ({ schema, table }: TableImport): string =>
  printable(schema === 'public' ? table : `${schema}.${table}`);

/** A line for each code, with all that have it. */
function byCode(differences: readonly Difference[]): string[] {
  const groups = new Map<string, string[]>();
  for (const one of differences) {
    groups.set(one.code, [...(groups.get(one.code) ?? []), textOf(one)]);
  }
  return Array.from(groups, ([code, texts]) => `${code}: ${texts.join('; ')}`);
}

const textOf = ({ columns, text }: Difference): string =>
  printable([...(columns.length === 0 ? [] : [enumerate(columns)]), text].join(' '));

const list = (lines: readonly string[]): string => lines.map((line) => `- ${line}`).join('\n');
