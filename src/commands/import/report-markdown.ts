/** The report of an import, as Markdown that can be read on a terminal too. */
import type { Difference } from '../../import/difference.ts';
import { DIFFERENCES } from '../../import/difference.ts';
import type { ImportReport, ReportedTable } from '../../import/import-report.ts';
import { counted, enumerate, printable } from '../../reading/quote.ts';
import { formatNumber } from '../explain/database.ts';
import { alignedRows } from '../explain/aligned-rows.ts';

export function reportMarkdown(report: ImportReport): string {
  const { database, serverVersion, tables, counts } = report;
  const taken = tables.filter(({ collection }) => collection !== null);
  const left = tables.filter(({ collection }) => collection === null);
  return [
    `# ${printable(database)}`,
    `PostgreSQL ${serverVersion}. ${summaryOf(report)}`,
    'A service that is made from these definitions has tables of its own: it does not use those of this database, ' +
      'and has none of their rows. How its tables would differ:',
    alignedRows([
      ['TABLES', 'DIFFERENCE'],
      ...counts.map(({ code, tables: count }) => [
        formatNumber(count),
        `${code}: ${DIFFERENCES[code]}`,
      ]),
    ])
      .map((line) => `    ${line}`)
      .join('\n'),
    ...taken.map(tableSection),
    ...(left.length === 0 ? [] : ['## Left out', list(left.map(leftOutLine))]),
    '',
  ].join('\n\n');
}

const leftOutLine = (one: ReportedTable): string =>
  `${nameOf(one)} ${one.differences.map(textOf).join('; ')}`;

/** How much of a database the definitions have, in two sentences. */
export function summaryOf({ tables }: ImportReport): string {
  const taken = tables.filter(({ collection }) => collection !== null);
  const columns = taken.flatMap((table) => table.columns);
  const members = columns.filter(({ member }) => member !== null);
  const same = taken.filter(({ differences }) => differences.length === 0);
  return (
    `${formatNumber(taken.length)} of ${formatNumber(tables.length)} tables and views are collections, ` +
    `with ${formatNumber(members.length)} of ${formatNumber(columns.length)} columns. ` +
    `${formatNumber(same.length)} of these tables have no difference.`
  );
}

function tableSection(one: ReportedTable): string {
  const { collection, rows, columns, differences } = one;
  const members = columns.filter(({ member }) => member !== null).length;
  const size = rows === null ? '' : `About ${counted(rows, 'row')}. `;
  return [
    `## ${nameOf(one)} → ${String(collection)}`,
    `${size}${counted(columns.length, 'column')}, ${members === columns.length ? 'all taken' : `${members} taken`}.`,
    ...(differences.length === 0 ? ['No difference.'] : [list(byCode(differences))]),
  ].join('\n\n');
}

/** Without the schema that is the usual one. */
const nameOf = ({ schema, table }: ReportedTable): string =>
  printable(schema === 'public' ? table : `${schema}.${table}`);

/** A line for each code, with all that have it. */
function byCode(differences: readonly Difference[]): string[] {
  const groups = new Map<string, string[]>();
  for (const one of differences)
    groups.set(one.code, [...(groups.get(one.code) ?? []), textOf(one)]);
  return Array.from(groups, ([code, texts]) => `${code}: ${texts.join('; ')}`);
}

const textOf = ({ columns, text }: Difference): string =>
  printable([...(columns.length === 0 ? [] : [enumerate(columns)]), text].join(' '));

const list = (lines: readonly string[]): string => lines.map((line) => `- ${line}`).join('\n');
