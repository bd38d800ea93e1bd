/** The query of a request: strict about its encoding, its names, and how often each stands. */
import type { FastifyRequest } from 'fastify';

import { badRequest } from './errors.ts';

/** The parameters in the order they came, each with all of its values. */
export type Query = ReadonlyMap<string, readonly string[]>;

/**
 * Reads the query of a request (the URL Standard's form encoding, but a broken escape is refused
 * instead of being taken as text).
 * @throws 400 where an escape is broken, where bytes are no UTF-8, and for a NUL character.
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

/**
 * For an operation that takes no parameter.
 * @throws 400 that names those which came all the same.
 */
export function refuseParameters(request: FastifyRequest): void {
  const names = [...readQuery(request).keys()];
  if (names.length > 0) throw unknownParameters(names, []);
}

/** 400 for parameters that an operation does not know. */
export function unknownParameters(names: readonly string[], known: readonly string[]): Error {
  const quoted = names.map((name) => JSON.stringify(name)).join(', ');
  const hint = known.length === 0 ? 'None is known here.' : `Known here: ${known.join(', ')}.`;
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
    throw badRequest(`The query is not well encoded: ${JSON.stringify(text)} is no UTF-8 text.`);
  }
  if (decoded.includes('\0')) throw badRequest('The query holds a NUL character.');
  return decoded;
}
