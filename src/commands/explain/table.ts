/** Endpoints as a table for people. */
import type { ServiceDefinition } from '../../definition/types.ts';
import { COMMON_STATUSES } from './endpoints.ts';
import type { EndpointAccess } from './endpoints.ts';
import { addressesOf } from './addresses.ts';
import { checkLines } from './checks.ts';
import type { ExplainedCheck } from './checks.ts';
import { includeLines } from './includes.ts';
import type { ExplainedInclude } from './includes.ts';
import { transitionLines } from './transitions.ts';
import type { ExplainedTransitions } from './transitions.ts';
import { olderVersionLines } from './older-versions.ts';
import type { OlderVersion } from './older-versions.ts';
import { uniqueLines } from './uniques.ts';
import type { ExplainedUnique } from './uniques.ts';

const HEADINGS = ['METHOD', 'PATH', 'PERMISSION', 'STATUSES'];

export function tableOf(
  service: ServiceDefinition,
  endpoints: readonly EndpointAccess[],
  older: readonly OlderVersion[] = [],
  checks: readonly ExplainedCheck[] = [],
  transitions: readonly ExplainedTransitions[] = [],
  includes: readonly ExplainedInclude[] = [],
  uniques: readonly ExplainedUnique[] = [],
): string {
  const rows = endpoints.map((endpoint) => [
    endpoint.method,
    endpoint.path,
    permissionOf(endpoint),
    endpoint.statuses.join(' '),
  ]);
  const widths = HEADINGS.map((heading, column) =>
    Math.max(heading.length, ...rows.map((row) => (row[column] ?? '').length)),
  );
  const line = (row: readonly string[]): string =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd();
  const lines = rows.map((row, index) => {
    const isFirst = endpoints[index]?.collection !== endpoints[index - 1]?.collection;
    return isFirst ? `\n${line(row)}` : line(row);
  });
  return [
    ...addressesOf(service).map((address) => `${service.title}: ${address}`),
    '',
    line(HEADINGS),
    ...lines,
    '',
    `Every endpoint may also answer ${COMMON_STATUSES.join(' ')}.`,
    'GET stands for HEAD too. GET /docs is a page to read and try all of it;',
    'GET /openapi.json below each address describes it whole, as OpenAPI 3.1.',
    ...(endpoints.some(({ needsRead }) => needsRead)
      ? ['"+ read": a change answers the item, so it is for those of them who may read it.']
      : []),
    ...(endpoints.some(({ needsReadOf }) => needsReadOf !== undefined)
      ? ['"+ read of": a nested path is for those of them who may read the item above.']
      : []),
    ...checkLines(checks),
    ...uniqueLines(uniques),
    ...transitionLines(transitions),
    ...includeLines(includes),
    ...olderVersionLines(older),
    '',
  ].join('\n');
}

function permissionOf({ permission, needsRead, needsReadOf }: EndpointAccess): string {
  const who = permission.join(', ');
  if (needsReadOf !== undefined) return `${who} + read of ${needsReadOf}`;
  return needsRead ? `${who} + read` : who;
}
