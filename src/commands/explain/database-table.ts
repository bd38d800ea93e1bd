/** What a database does with lists, as text for people. */
import type { IndexSize } from '../../database/table-sizes.ts';
import type { ServiceDefinition } from '../../definition/types.ts';
import { counted, enumerate } from '../../reading/quote.ts';
import { addressesOf } from './addresses.ts';
import { alignedRows } from './aligned-rows.ts';
import { formatNumber, MOST_ROWS_READ } from './database.ts';
import type { ExplainedList, ExplainedTable } from './database.ts';
import { listRequest } from './list-request.ts';

/** How many of the lists that read few rows, and may read more, are named. */
const MOST_NAMED = 5;

export function databaseTable(
  service: ServiceDefinition,
  tables: readonly ExplainedTable[],
): string {
  const versions = service.versions.slice(-1);
  return [
    ...addressesOf({ ...service, versions }).map((address) => `${service.title}: ${address}`),
    '',
    'Rows are estimates of PostgreSQL. No list was executed.',
    ...tables.flatMap((one) => ['', ...linesOf(one)]),
    '',
  ].join('\n');
}

function linesOf({ collection, sizes, missing, note, lists }: ExplainedTable): string[] {
  const size =
    sizes?.rows === undefined
      ? ''
      : `: about ${formatNumber(sizes.rows)} rows, ${formatBytes(sizes.bytes)}`;
  const indexes = sizes?.indexes ?? [];
  const invalid = indexes.filter(({ valid }) => !valid).map(({ name }) => name);
  return [
    `${collection}${size}`,
    ...(note === undefined ? indexLines(indexes) : []),
    ...(missing.length === 0
      ? []
      : [`Not in the database: ${enumerate(missing)}. Run npm run migrate.`]),
    ...(invalid.length === 0
      ? []
      : [
          `Not complete, and not used: ${enumerate(invalid)}. Run reindex index, or migrate again.`,
        ]),
    ...(note === undefined ? listLines(lists) : [`${capital(note)}.`]),
  ].map((line, at) => (at === 0 ? line : `  ${line}`));
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

const indexLines = (indexes: readonly IndexSize[]): string[] =>
  alignedRows([
    ['INDEX', 'SIZE', 'USED'],
    ...indexes.map(({ name, bytes, scans }) => [
      name,
      formatBytes(bytes),
      scans === null ? '-' : scans === 0 ? 'never' : formatNumber(scans),
    ]),
  ]);

/** The lists over the limit, by what to do about them; then how many others there are. */
function listLines(lists: readonly ExplainedList[]): string[] {
  const overLimit = new Map<string, ExplainedList[]>();
  for (const one of lists) {
    const { suggestion } = one;
    if (suggestion === undefined) continue;
    const remedy =
      'entry' in suggestion
        ? `Add to indexes: [${suggestion.entry.join(', ')}]`
        : `No entry of indexes helps: ${suggestion.reason}.`;
    overLimit.set(remedy, [...(overLimit.get(remedy) ?? []), one]);
  }
  const others = lists.filter(({ suggestion }) => suggestion === undefined);
  const readings = others.flatMap(({ reading }) => reading?.rows ?? []);
  const empty = others.length - readings.length;
  const filtered = others
    .filter(({ reading }) => reading?.isWalk === true)
    .toSorted((one, other) => (other.reading?.rows ?? 0) - (one.reading?.rows ?? 0));
  const most = formatNumber(Math.max(...readings, 0));
  return [
    ...(overLimit.size === 0
      ? []
      : [`Lists that read more than ${formatNumber(MOST_ROWS_READ)} rows for a page:`]),
    ...[...overLimit].flatMap(([remedy, ones]) => [
      ...ones.flatMap((one) => [`  GET ${listRequest(one)}`, `    ${readingText(one)}`]),
      `    ${remedy}`,
    ]),
    ...(readings.length === 0
      ? []
      : [
          `${counted(readings.length, overLimit.size === 0 ? 'list' : 'other list')} ` +
            `${readings.length === 1 ? 'reads' : 'read'} at most ${most} rows.`,
        ]),
    ...(filtered.length === 0
      ? []
      : [
          `${filtered.length} of them ${filtered.length === 1 ? 'walks' : 'walk'} an index until a page is full, ` +
            `and would read more if matches came late in it${filtered.length > MOST_NAMED ? '; --json has all, the first are' : ''}:`,
          ...filtered.slice(0, MOST_NAMED).map((one) => `  GET ${listRequest(one)}`),
        ]),
    ...(empty === 0
      ? []
      : [`${counted(empty, 'list')} not measured: the table has no value to ask for.`]),
  ];
}

function readingText({ list, reading }: ExplainedList): string {
  const { rows = 0, indexes = [], isScan = false, isSorted = false } = reading ?? {};
  const way = isScan ? 'the whole table' : enumerate(indexes);
  return (
    `${list.own ? 'the items of a caller: ' : ''}reads about ${formatNumber(rows)} rows` +
    `${way === '' ? '' : `, by ${way}`}${isSorted ? ', and sorts them' : ''}`
  );
}

/** `35 MB`, and `0.4 MB`: PostgreSQL counts 1,048,576 bytes a megabyte. */
function formatBytes(bytes: number): string {
  const megabytes = bytes / 1_048_576;
  return `${megabytes < 10 ? megabytes.toFixed(1) : formatNumber(megabytes)} MB`;
}
