/**
 * Preconditions (RFC 9110, section 13): a client says in which state an item must be, by the tag
 * that it read with it, so that it does not read again what it has (304), and does not write over
 * what it has not seen (412). Lists have no tags. No answer has a date of its last change, so that
 * `If-Modified-Since` and `If-Unmodified-Since` are passed over, as sections 13.1.3 and 13.1.4 say.
 */
import type { FastifyInstance, FastifyRequest } from 'fastify';

import { badRequest, HttpError, preconditionFailed } from './errors.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The revision of the item in the path, where a hook has looked at it. */
    revision: string | undefined;
    /** Names the state of the schema: see `tagItems`. */
    schemaState: string;
  }
}

/** What has revisions: the time of the last change, which no two states of an item share. */
interface Revised {
  readonly updated_at: string;
}

/** What a precondition names: any state, or those with these tags. */
type Named = '*' | readonly string[];

/** A list of entity tags (RFC 9110, sections 5.6.1 and 8.8.3); elements of it may be empty. */
const TAGS = /^[ \t,]*(?:(?:W\/)?"[!\x23-\x7e\x80-\xff]*"[ \t]*(?:,[ \t,]*|$))*$/;
const TAG = /(?:W\/)?"[^"]*"/g;

/**
 * Prepares the routes of a context for tags.
 * @param schemaState a name for the state of the schema. It is part of each tag: with a migration
 * an item may look different although nobody has changed it.
 */
export function tagItems(app: FastifyInstance, schemaState: string): void {
  app.decorateRequest('revision');
  app.decorateRequest('schemaState', schemaState);
}

/** The strong entity tag of an item in the version that is asked for (RFC 9110, section 8.8.3). */
export const tagOf = ({ api, schemaState }: FastifyRequest, { updated_at: revision }: Revised) =>
  `"v${api.version}-${schemaState}-${revision}"`;

/**
 * Whether a client that reads an item has it in this state already.
 * @throws 412 where it says by `If-Match` that it wants another one.
 */
export function hasCurrent({ headers }: FastifyRequest, tag: string): boolean {
  const { 'if-match': match, 'if-none-match': noneMatch } = headers;
  if (match !== undefined && !isNamed(read('If-Match', match), tag)) throw outdated();
  // What does not parse is no tag of ours, and reading again does no harm.
  const named = noneMatch === undefined ? [] : (parse(noneMatch) ?? []);
  return isNamedWeakly(named, tag);
}

/**
 * A hook for routes that change an item, after the one that looks at it: throws 412 where it is
 * not in the state that the client says. What does not parse is told later, as a 400.
 */
export async function checkPreconditions(request: FastifyRequest): Promise<void> {
  const { 'if-match': match, 'if-none-match': noneMatch } = request.headers;
  if (match === undefined && noneMatch === undefined) return;
  const tag = tagOf(request, { updated_at: request.revision ?? '' });
  const wanted = parse(match ?? '*') ?? '*';
  const unwanted = parse(noneMatch ?? '') ?? [];
  if (!isNamed(wanted, tag) || isNamedWeakly(unwanted, tag)) throw outdated();
}

/** A hook for routes that demand a precondition (RFC 6585, section 3): throws 428 without one. */
export async function requireIfMatch({ headers }: FastifyRequest): Promise<void> {
  if (headers['if-match'] !== undefined) return;
  throw new HttpError(
    428,
    'If-Match is needed: send the ETag that you have read, or * where any state will do.',
  );
}

/**
 * The revision that an item must still have when it is written; undefined where any will do.
 * `checkPreconditions` has found that it has it: the condition of the statement sees to it that it
 * stays so.
 * @throws 400 where a precondition does not parse.
 */
export function expectedRevision({ headers, revision }: FastifyRequest): string | undefined {
  const { 'if-match': match, 'if-none-match': noneMatch } = headers;
  const wanted = match === undefined ? '*' : read('If-Match', match);
  if (noneMatch !== undefined) read('If-None-Match', noneMatch);
  return wanted === '*' && noneMatch === undefined ? undefined : revision;
}

const outdated = (): HttpError =>
  preconditionFailed(
    'This is not in the state that the request names: get it again, and its ETag.',
  );

/** Strong comparison (RFC 9110, section 8.8.3.2): a weak tag is no tag of ours. */
const isNamed = (named: Named, tag: string): boolean => named === '*' || named.includes(tag);

/** Weak comparison (RFC 9110, section 8.8.3.2). */
const isNamedWeakly = (named: Named, tag: string): boolean =>
  isNamed(named, tag) || named.includes(`W/${tag}`);

function read(name: string, text: string): Named {
  const named = parse(text);
  if (named !== undefined) return named;
  throw badRequest(
    `${name} must be * or entity tags in double quotes, with commas between them: send an ETag as ` +
      'it was answered.',
  );
}

function parse(text: string): Named | undefined {
  if (/^[ \t]*\*[ \t]*$/.test(text)) return '*';
  return TAGS.test(text) ? (text.match(TAG) ?? []) : undefined;
}
