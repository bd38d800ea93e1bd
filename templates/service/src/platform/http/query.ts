/** Parses the query of a request strictly. */
import type { FastifyRequest } from 'fastify';

import { badRequest } from './errors.ts';

/** The parameters in their order, each with all of its values. */
export type Query = ReadonlyMap<string, readonly string[]>;

/**
 * Parses the query of a request as `application/x-www-form-urlencoded`.
 * @throws 400 for an invalid percent-encoding, invalid UTF-8, and NUL characters.
 */
export function readQuery(request: FastifyRequest): Query {
  const url = request.raw.url ?? '';
  const start = url.indexOf('?');
  const query = new Map<string, string[]>();
  if (start < 0) return query;
  for (const pair of url.slice(start + 1).split('&')) {
    if (pair === '') continue;
    const equals = pair.indexOf('=');
    const name = decode(equals < 0 ? pair : pair.slice(0, equals));
    const value = equals < 0 ? '' : decode(pair.slice(equals + 1));
    const values = query.get(name);
    if (values === undefined) query.set(name, [value]);
    else values.push(value);
  }
  return query;
}

/** For operations without parameters. @throws 400 that names the parameters of the request. */
export function refuseParameters(request: FastifyRequest): void {
  const names = [...readQuery(request).keys()];
  if (names.length > 0) throw unknownParameters(names, []);
}

/** 400 for unknown parameters. */
export function unknownParameters(names: readonly string[], known: readonly string[]): Error {
  const quoted = names.map((name) => JSON.stringify(name)).join(', ');
  const hint =
    known.length === 0 ? 'This operation has no parameters.' : `Known: ${known.join(', ')}.`;
  return badRequest(
    `The query has ${names.length === 1 ? 'an unknown parameter' : 'unknown parameters'}: ` +
      `${quoted}. ${hint}`,
  );
}

function decode(text: string): string {
  let decoded: string;
  try {
    decoded = decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    throw badRequest(`The query is not percent-encoded UTF-8: ${JSON.stringify(text)}.`);
  }
  if (decoded.includes('\0')) throw badRequest('The query contains a NUL character.');
  return decoded;
}
