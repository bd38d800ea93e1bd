/**
 * Entity tags and preconditions (RFC 9110, section 13): `If-None-Match` avoids sending an unchanged
 * item again (304), and `If-Match` prevents lost updates (412). Lists have no ETag. Responses have no
 * `Last-Modified`, so `If-Modified-Since` and `If-Unmodified-Since` are ignored (sections 13.1.3 and
 * 13.1.4).
 */
import { createHash } from 'node:crypto';

import type { FastifyInstance, FastifyRequest } from 'fastify';

import { badRequest, HttpError, preconditionFailed } from './errors.ts';
import { COMPUTED } from './shapes.ts';
import type { ShapeParts } from './shapes.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The revision of the item in the path, set by the hook that looks the item up. */
    revision: string | undefined;
    /** Identifies the state of the database schema; see `decorateEntityTags`. */
    schemaState: string;
  }
}

/** The member with the revision of an item of an existing table. JSON does not have it. */
export const REVISION = Symbol('revision');

/** An item with its revision, which each change makes another one. */
export interface Revised {
  readonly updated_at?: string | null;
  readonly [REVISION]?: string | undefined;
}

/** The revision of an item: for an existing table, that of its row, else the time of its last change. */
export const revisionOf = ({ [REVISION]: revision, updated_at: time }: Revised): string =>
  revision ?? time ?? '';

/** The value of `If-Match` or `If-None-Match`. */
type EntityTags = '*' | readonly string[];

/** A list of entity tags (RFC 9110, sections 5.6.1 and 8.8.3), possibly with empty elements. */
const TAGS = /^[ \t,]*(?:(?:W\/)?"[!\x23-\x7e\x80-\xff]*"[ \t]*(?:,[ \t,]*|$))*$/;
const TAG = /(?:W\/)?"[^"]*"/g;

/**
 * Adds the request decorators that entity tags need.
 * @param schemaState identifies the state of the database schema. It is part of each tag, because a
 * migration can change how an item looks without changing its revision.
 */
export function decorateEntityTags(app: FastifyInstance, schemaState: () => string): void {
  app.decorateRequest('revision');
  app.decorateRequest('schemaState', { getter: schemaState });
}

/**
 * The strong entity tag of an item in the requested version (RFC 9110, section 8.8.3): its revision,
 * and, if the response of the route has computed members, a digest of their values.
 */
export function entityTagOf(request: FastifyRequest, item: Revised): string {
  const shapes = Object.values(request.routeOptions.schema?.response ?? {}) as ShapeParts[];
  const computed = shapes.flatMap((shape) => shape[COMPUTED] ?? []);
  const tag = revisionTagOf(request, revisionOf(item));
  if (computed.length === 0) return tag;
  const values = computed.map((name) => (item as unknown as Record<string, unknown>)[name]);
  const digest = createHash('sha256').update(JSON.stringify(values)).digest('base64url');
  return `${tag.slice(0, -1)}+${digest.slice(0, 16)}"`;
}

const revisionTagOf = ({ api, schemaState }: FastifyRequest, revision = ''): string =>
  `"v${api.version}-${schemaState}-${revision}"`;

/**
 * Evaluates the preconditions of a GET: true for 304.
 * @throws 412 if `If-Match` does not match.
 */
export function isNotModified({ headers }: FastifyRequest, tag: string): boolean {
  const { 'if-match': match, 'if-none-match': noneMatch } = headers;
  if (match !== undefined && !matches(read('If-Match', match), tag)) throw outdated();
  // A malformed `If-None-Match` counts as no match: the item is sent.
  const tags = noneMatch === undefined ? [] : (parse(noneMatch) ?? []);
  return matchesWeakly(tags, tag);
}

/**
 * An `onRequest` hook for PUT, PATCH and DELETE, after the hook that sets `request.revision`. It compares
 * revisions alone: a change does not overwrite computed members, whatever their values are by now.
 * Malformed headers pass: `expectedRevision` answers them with 400, after 415.
 * @throws 412 if a precondition fails.
 */
export async function checkPreconditions(request: FastifyRequest): Promise<void> {
  const { 'if-match': match, 'if-none-match': noneMatch } = request.headers;
  if (match === undefined && noneMatch === undefined) return;
  const tag = revisionTagOf(request, request.revision);
  const wanted = revisionsOf(parse(match ?? '*') ?? '*');
  const unwanted = revisionsOf(parse(noneMatch ?? '') ?? []);
  if (!matches(wanted, tag) || matchesWeakly(unwanted, tag)) throw outdated();
}

/** An `onRequest` hook for routes that require `If-Match`. @throws 428 (RFC 6585, section 3). */
export async function requireIfMatch({ headers }: FastifyRequest): Promise<void> {
  if (headers['if-match'] !== undefined) return;
  throw new HttpError(
    428,
    'If-Match is required: send the ETag of the item as you read it, or * for any state.',
  );
}

/**
 * The revision that an UPDATE or DELETE must match, so that no change between `checkPreconditions`
 * and the statement is overwritten; undefined without preconditions.
 * @throws 400 if a precondition is malformed.
 */
export function expectedRevision({ headers, revision }: FastifyRequest): string | undefined {
  const { 'if-match': match, 'if-none-match': noneMatch } = headers;
  const wanted = match === undefined ? '*' : read('If-Match', match);
  if (noneMatch !== undefined) read('If-None-Match', noneMatch);
  return wanted === '*' && noneMatch === undefined ? undefined : revision;
}

/** The tags without the digests of computed members. */
const revisionsOf = (tags: EntityTags): EntityTags =>
  tags === '*' ? tags : tags.map((tag) => tag.replace(/\+[\w-]{16}"$/, '"'));

const outdated = (): HttpError =>
  preconditionFailed(
    'The item is not in the state that If-Match or If-None-Match demands: get it again, and its ETag.',
  );

/** Strong comparison (RFC 9110, section 8.8.3.2): weak tags never match. */
const matches = (tags: EntityTags, tag: string): boolean => tags === '*' || tags.includes(tag);

/** Weak comparison (RFC 9110, section 8.8.3.2). */
const matchesWeakly = (tags: EntityTags, tag: string): boolean =>
  matches(tags, tag) || tags.includes(`W/${tag}`);

function read(name: string, text: string): EntityTags {
  const tags = parse(text);
  if (tags !== undefined) return tags;
  throw badRequest(
    `${name} must be * or comma-separated entity tags in double quotes: send an ETag as it was ` +
      'received.',
  );
}

function parse(text: string): EntityTags | undefined {
  if (/^[ \t]*\*[ \t]*$/.test(text)) return '*';
  return TAGS.test(text) ? (text.match(TAG) ?? []) : undefined;
}
