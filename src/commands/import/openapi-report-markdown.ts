/** The report of the import of an OpenAPI document, as Markdown that can be read on a terminal too. */
import type { OperationChange } from '../../import-openapi/compare-operation.ts';
import type {
  ImportedCollection,
  ImportedOperation,
  OpenApiImportPlan,
} from '../../import-openapi/plan-openapi-import.ts';
import type { DocumentDifference } from '../../import-openapi/propose-resource.ts';
import { counted, enumerate, printable } from '../../reading/quote.ts';
import { alignedRows } from '../explain/aligned-rows.ts';
import { formatNumber } from '../explain/database.ts';
import { changeCounts, operationCounts } from './openapi-report-json.ts';

/** More changes of one operation are only in the JSON report. */
const MOST_CHANGES = 12;
/** The JSON report has them whole. */
const LONGEST_CHANGE = 500;

export function openApiReportMarkdown(plan: OpenApiImportPlan): string {
  const { title, openapi, collections, operations } = plan;
  const isNotTaken = ({ result }: ImportedOperation): boolean => result === 'not-taken';
  return [
    `# Import report: ${printable(title)}`,
    `${counted(collections.length, 'collection')} of an OpenAPI document of version ${printable(openapi)}.`,
    'A service that is made from the definitions differs in these ways, which are not told of each operation:',
    list(conventionsOf(plan)),
    ...changeTable(plan),
    ...collections.flatMap((one) => [
      `## ${one.collection}`,
      ...collectionLines(one),
      list(operations.filter(({ collection }) => collection === one.collection).map(operationLine)),
    ]),
    ...(operations.some(isNotTaken)
      ? ['## Operations that are not taken', list(operations.filter(isNotTaken).map(notTakenLine))]
      : []),
    operationTotals(plan),
    '',
  ].join('\n\n');
}

/** What clients have to change, at a glance. */
function changeTable(plan: OpenApiImportPlan): readonly string[] {
  const rows = changeCounts(plan).map(({ code, operations, title }) => [
    formatNumber(operations),
    `${code}: ${title}`,
  ]);
  if (rows.length === 0) return [];
  const lines = alignedRows([['OPERATIONS', 'CHANGED'], ...rows]);
  return [lines.map((line) => `    ${line}`).join('\n')];
}

/** `12 operations: 2 same, 8 changed, 2 not taken`. */
export function operationTotals(plan: Pick<OpenApiImportPlan, 'operations'>): string {
  const { same, changed, notTaken } = operationCounts(plan);
  const all = counted(plan.operations.length, 'operation');
  return `${all}: ${formatNumber(same)} same, ${formatNumber(changed)} changed, ${formatNumber(notTaken)} not taken`;
}

/** What clients of all operations meet. */
function conventionsOf({ prefixes, servicePrefix, access }: OpenApiImportPlan): readonly string[] {
  const others = prefixes.filter((prefix) => prefix !== servicePrefix);
  const shown = others.map((prefix) => (prefix === '' ? '/' : prefix));
  return [
    ...(others.length === 0
      ? []
      : [
          `Base path: ${servicePrefix} in place of ${printable(enumerate(shown))}. An operation whose path differs only in that counts as changed.`,
        ]),
    `Lists: an array of at most a page of items. The header \`Link\` has the pages before and after it; \`limit\` sets the size.`,
    'Errors: `{ "status", "message", "request_id" }`, whatever the error.',
    'Members without a value are null. They are never left out of a response.',
    'Unknown members and parameters are refused, with 422 and 400.',
    `Credentials: an access token (Bearer), or a username and password (Basic).${access.includes('public') ? ' What the document declares as public is public.' : ''} For the rest, whoever is signed in can read and change all items, until you write permissions into the definitions. Scopes and roles are not imported.`,
  ];
}

function collectionLines({ differences }: ImportedCollection): readonly string[] {
  const of = (kind: DocumentDifference['kind']): readonly string[] =>
    differences
      .filter((one) => one.kind === kind)
      .map(({ members, text }) =>
        printable([...(members.length === 0 ? [] : [enumerate(members)]), text].join(' ')),
      );
  const lost = of('lost');
  const changed = of('changed');
  return [
    ...(lost.length === 0 ? [] : ['Left out:', list(lost)]),
    ...(changed.length === 0 ? [] : ['Changed:', list(changed)]),
    'Operations:',
  ];
}

function operationLine({
  method,
  path,
  offered,
  result,
  changes: allChanges,
}: ImportedOperation): string {
  const other = `${String(offered?.method)} ${String(offered?.path)}`;
  const start = `${method} ${printable(path)} → ${other}: ${result}`;
  if (allChanges.length === 0) return start;
  // The base path is told once, at the top.
  const changes = allChanges.filter(({ code }) => code !== 'base-path');
  if (changes.length === 0) return `${start}, only in its base path`;
  const rest = changes.length - MOST_CHANGES;
  const texts = byCode(changes.slice(0, MOST_CHANGES));
  return `${start}. ${texts.join('. ')}${rest > 0 ? `, and ${rest} more` : ''}`;
}

/** What changes, with the texts of each code together. */
function byCode(changes: readonly OperationChange[]): readonly string[] {
  const groups = new Map<string, string[]>();
  for (const { code, text } of changes) {
    const shown = text.length > LONGEST_CHANGE ? `${text.slice(0, LONGEST_CHANGE)}…` : text;
    groups.set(code, [...(groups.get(code) ?? []), shown]);
  }
  return Array.from(groups, ([code, texts]) => printable(`${code}: ${texts.join('; ')}`));
}

const notTakenLine = ({ method, path, reason }: ImportedOperation): string =>
  printable(`${method} ${path}: ${String(reason)}`);

const list = (lines: readonly string[]): string => lines.map((line) => `- ${line}`).join('\n');
