/** The status codes of a service as rows of a table in the README. */
import { when } from './module-imports.ts';
import type { ServiceView } from './service.ts';

interface StatusRow {
  readonly status: string;
  readonly meaning: string;
}

export function statusRows(service: ServiceView): StatusRow[] {
  const { byAccept, transitions, demandsIfMatch, retired } = service;
  const again = 'try again after `Retry-After` seconds';
  const invalid = ['malformed JSON', 'an unknown or invalid parameter'];
  const conflicts = [
    'a unique value is taken',
    ...when(transitions, 'a change of a value is not an allowed step'),
    'other items refer to the item',
  ];
  const gone = `the item was deleted${retired.length > 0 ? ', or the version is retired' : ''}`;
  const format = byAccept ? 'format or version' : 'format';
  return [
    { status: '304', meaning: 'the item still has the `ETag` in `If-None-Match`' },
    { status: '400', meaning: [...invalid, ...when(byAccept, 'no version')].join(', ') },
    {
      status: '401, 403',
      meaning: 'the credential is missing or wrong; the permission is missing',
    },
    { status: '404, 410', meaning: `the item or path does not exist; ${gone}` },
    { status: '405', meaning: 'the path does not support the method; see `Allow`' },
    {
      status: '406, 415',
      meaning: `the requested ${format}, or that of the body, is not supported`,
    },
    { status: '408', meaning: 'the request took too long to arrive' },
    {
      status: '409',
      meaning: `${conflicts.join(', ')}, or the same \`Idempotency-Key\` is in progress`,
    },
    demandsIfMatch
      ? {
          status: '412, 428',
          meaning: 'the item does not match `If-Match`; `If-Match` is missing',
        }
      : { status: '412', meaning: 'the item does not match `If-Match`' },
    {
      status: '413, 414',
      meaning: 'the body is too large; the query is too long to be repeated in the `Link` header',
    },
    {
      status: '422',
      meaning:
        'invalid values, each named in the message, a body whose members have more than 10,000 different names, or an `Idempotency-Key` that was used with another request',
    },
    {
      status: '429',
      meaning: `too many requests, failed logins or bodies that are still arriving; ${again}`,
    },
    {
      status: '503',
      meaning: `the service is busy, starting or stopping, or the database is unavailable; ${again}`,
    },
  ];
}
