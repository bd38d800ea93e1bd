/** The parameter `include`: embeds the items that references lead to in the items of a response. */
import { createHash } from 'node:crypto';

import type { FastifyReply, FastifyRequest } from 'fastify';
import type { TObject } from 'typebox';

import { unauthorized } from '../auth/authenticate.ts';
import { mayAct } from '../auth/permissions.ts';
import type { Permission } from '../auth/permissions.ts';
import type { Database } from '../database/database.ts';
import { embed } from '../database/embed.ts';
import { positionOf } from '../database/pages.ts';
import type { ListTable } from '../database/pages.ts';
import { CURRENT_VERSION } from '../service.ts';
import type { Services } from '../services.ts';
import { badRequest, forbidden } from './errors.ts';
import { sendItem, sendText } from './item.ts';
import { readList, single } from './list.ts';
import type { ListOptions, ListRequest } from './list.ts';
import { sendPage } from './page.ts';
import type { Page } from './page.ts';
import { entityTagOf, isNotModified } from './preconditions.ts';
import type { Revised } from './preconditions.ts';
import { readQuery, refuseParameters, unknownParameters } from './query.ts';
import type { ShapeParts } from './shapes.ts';

/** How the items of a collection are embedded, in a version of the API. */
export interface Embedding {
  readonly table: ListTable;
  /** Who may read the items. */
  readonly read: Permission;
  /** The SQL expression of the owner of an item, if some callers may read only their own. */
  readonly owner?: string;
  /** An item in OpenAPI documents. */
  readonly shape: TObject;
  /** The references that `include` embeds in an item, by the names of the embedded members. */
  readonly references: Readonly<Record<string, EmbeddedReference>>;
}

interface EmbeddedReference {
  /** The member with the id. */
  readonly member: string;
  /** The collection that it refers to; a function, because collections may refer to each other. */
  readonly target: (version: number) => Embedding | undefined;
}

/** The embeddings of a collection, by version. */
export const embeddingsOf = (
  views: Readonly<
    Record<number, { readonly table: ListTable; readonly doc: { readonly item: TObject } }>
  >,
  access: Pick<Embedding, 'read' | 'owner'>,
  references: Readonly<Record<number, Embedding['references']>>,
): Readonly<Record<number, Embedding>> =>
  Object.fromEntries(
    Object.entries(views).map(([version, { table, doc }]) => [
      version,
      { ...access, table, shape: doc.item, references: references[Number(version)] ?? {} },
    ]),
  );

/** A reference that `include` may name, or names. */
export interface Include {
  /** How the parameter names it: `author`, `author.publisher`. */
  readonly path: string;
  /** The embedded member: `publisher`. */
  readonly name: string;
  /** The member with the id: `publisher_id`. */
  readonly member: string;
  readonly target: Embedding;
  /** The references of the embedded items that are embedded in turn. */
  readonly inner: readonly Include[];
}

/** How many references a path may have. */
const MAX_DEPTH = 2;

/**
 * The references that `include` may name in requests for items of a collection.
 * @param version matters if versions have collections in different forms.
 * @throws if an embedded member has the name of another one.
 */
export function includesOf(
  embedding: Embedding | undefined,
  version: number = CURRENT_VERSION,
  path = '',
  depth = 1,
): readonly Include[] {
  if (embedding === undefined || depth > MAX_DEPTH) return [];
  const { references, shape } = embedding;
  return Object.entries(references).flatMap(([name, { member, target: targetIn }]) => {
    if (Object.hasOwn(shape.properties, name)) {
      const { $id }: ShapeParts = shape;
      throw new Error(
        `${name} of ${$id} is a computed and an embedded member: rename the computed one.`,
      );
    }
    const target = targetIn(version);
    if (target === undefined) return [];
    const inner = includesOf(target, version, `${path}${name}.`, depth + 1);
    return [{ path: path + name, name, member, target, inner }];
  });
}

/** The paths that `include` may name. */
export const pathsOf = (includes: readonly Include[]): string[] =>
  allOf(includes).map(({ path }) => path);

const allOf = (includes: readonly Include[]): Include[] =>
  includes.flatMap((one) => [one, ...allOf(one.inner)]);

/**
 * Parses the query of a request for one item.
 * @throws 400 for an unknown, invalid or repeated parameter, which it names.
 */
export function readInclude(
  request: FastifyRequest,
  includes: readonly Include[],
): readonly Include[] {
  if (includes.length === 0) {
    refuseParameters(request);
    return [];
  }
  const query = readQuery(request);
  const unknown = [...query.keys()].filter((name) => name !== 'include');
  if (unknown.length > 0) throw unknownParameters(unknown, ['include']);
  return parseInclude(single(query, 'include'), includes);
}

/** The parsed query of a list, with `include`. */
interface IncludingListRequest extends ListRequest {
  readonly include: readonly Include[];
  /** The members named by `fields`; `members` has those with the ids of embedded items, too. */
  readonly fields: readonly string[] | undefined;
}

/** Parses the query of a list like `readList`, with `include`. @throws 400 and 414. */
export function readIncludingList(
  request: FastifyRequest,
  options: ListOptions,
  services: Services,
  path: string,
  includes: readonly Include[],
): IncludingListRequest {
  const names = includes.length === 0 ? [] : ['include'];
  const list = readList(request, options, services, path, ...names);
  const include =
    includes.length === 0 ? [] : parseInclude(single(readQuery(request), 'include'), includes);
  const { members: fields } = list;
  const members = fields && [...new Set([...fields, ...include.map(({ member }) => member)])];
  return { ...list, members, fields, include };
}

/**
 * Parses the value of `include`. A path embeds the items on the way, too.
 * @throws 400 for a path that is unknown or occurs twice.
 */
function parseInclude(text: string | undefined, includes: readonly Include[]): readonly Include[] {
  if (text === undefined) return [];
  const known = pathsOf(includes);
  const named = new Set<string>();
  for (const path of text.split(',')) {
    if (!known.includes(path)) {
      throw badRequest(
        `The parameter "include" does not support ${JSON.stringify(path)}. ` +
          `Supported: ${known.join(', ')}.`,
      );
    }
    if (named.has(path)) {
      throw badRequest(`The parameter "include" names ${JSON.stringify(path)} twice.`);
    }
    named.add(path);
  }
  return namedOf(includes, named);
}

const namedOf = (includes: readonly Include[], named: ReadonlySet<string>): Include[] =>
  includes
    .map((one) => ({ ...one, inner: namedOf(one.inner, named) }))
    .filter(({ path, inner }) => named.has(path) || inner.length > 0);

/**
 * Makes an `onRequest` hook: 401 or 403 if `include` names items of a collection that the caller may not
 * read. An invalid query passes: the handler answers it with 400, after 404.
 */
export const allowIncludes =
  (includes: readonly Include[]) =>
  async (request: FastifyRequest): Promise<void> => {
    const { principal } = request;
    const refused = allOf(validIncludes(request, includes))
      .filter(({ target }) => !mayAct(principal, target.read))
      .map(({ path }) => path);
    if (refused.length === 0) return;
    const what = `the items that "include" names as ${refused.join(', ')}`;
    if (principal === undefined) {
      throw unauthorized(
        `Authentication is required to read ${what}: send an Authorization header.`,
      );
    }
    throw forbidden(`You do not have permission to read ${what}.`);
  };

function validIncludes(request: FastifyRequest, includes: readonly Include[]): readonly Include[] {
  // Names of parameters may be percent-encoded: only a URL without a query certainly has none.
  if (request.raw.url?.includes('?') !== true) return [];
  try {
    return parseInclude(single(readQuery(request), 'include'), includes);
  } catch {
    return [];
  }
}

/** Sends an item like `sendItem`, with what `include` names. */
export async function sendIncludingItem(
  request: FastifyRequest,
  reply: FastifyReply,
  database: Database,
  item: Revised & { readonly id: string },
  include: readonly Include[],
): Promise<FastifyReply> {
  if (include.length === 0) return sendItem(request, reply, item);
  const [made] = await embed(database, request.principal, [item], include);
  if (made === undefined) throw new Error('the item has no JSON');
  const tag = tagWith(entityTagOf(request, item), made.embedded);
  if (isNotModified(request, tag)) return reply.code(304).header('etag', tag).send();
  return sendText(request, reply.header('etag', tag), made.json);
}

/**
 * The entity tag of an item with embedded items: the digest of computed members covers these as well. Tags of
 * an item differ in their digests alone, which `If-Match` of a change ignores (`preconditions.ts`).
 */
function tagWith(tag: string, embedded: string): string {
  const digest = createHash('sha256').update(tag).update(embedded).digest('base64url');
  return `${tag.replace(/(?:\+[\w-]{16})?"$/, '')}+${digest.slice(0, 16)}"`;
}

/**
 * Sends a page like `sendPage`, with what `include` names. It ends before the items that exceed the maximum
 * size of a page together with what is embedded in them.
 */
export async function sendIncludingPage<Item extends { readonly id: string }>(
  request: FastifyRequest,
  reply: FastifyReply,
  list: IncludingListRequest,
  page: Page<Item>,
  services: Pick<Services, 'cursors' | 'database' | 'publicUrl'>,
): Promise<FastifyReply> {
  const { include, fields, bytes } = list;
  if (include.length === 0) return sendPage(request, reply, list, page, services);
  const isBackwards = list.position?.direction === 'before';
  const items = isBackwards ? page.items.toReversed() : page.items;
  const made = await embed(services.database, request.principal, items, include, {
    members: fields,
    bytes,
  });
  const shortened = shortenPage(list, page, made.length);
  if (isBackwards) made.reverse();
  const json = `[${made.map((item) => item.json).join(',')}]`;
  return sendPage(request, reply, list, shortened, services, json);
}

/**
 * A page of fewer items: the first of them, or the last ones if it was read backwards, because these adjoin the
 * page that the client comes from.
 */
function shortenPage<Item extends { readonly id: string }>(
  list: ListRequest,
  page: Page<Item>,
  length: number,
): Page<Item> {
  if (length === page.items.length) return page;
  if (list.position?.direction === 'before') {
    const items = page.items.slice(-length);
    return {
      ...page,
      items,
      previous: { direction: 'before', values: positionOf(list, items[0]) },
    };
  }
  const items = page.items.slice(0, length);
  return { ...page, items, next: { direction: 'after', values: positionOf(list, items.at(-1)) } };
}
