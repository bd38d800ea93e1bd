/** Responses with a single item, and the id in the path. */
import type { FastifyReply, FastifyRequest } from 'fastify';

import type { Answer } from '../database/idempotency-store.ts';
import type { Resource } from '../database/constraints.ts';
import { GENERATED_ID } from '../database/row-id.ts';
import { notFound } from './errors.ts';
import { isNotModified, entityTagOf } from './preconditions.ts';
import type { Revised } from './preconditions.ts';

/** The id in the path, in its canonical form. @throws 404 if it is malformed. */
export function idOf(
  request: FastifyRequest,
  { item, id: rowId = GENERATED_ID }: Pick<Resource, 'item' | 'id'>,
): string {
  const { id } = request.params as { id: string };
  if (!rowId.isId(id)) {
    throw notFound(`There is no ${item} with the id ${JSON.stringify(id)}.`);
  }
  return rowId.canonical?.(id) ?? id;
}

/** Sends a value as JSON, in the negotiated media type. */
export const sendJson = (
  request: FastifyRequest,
  reply: FastifyReply,
  value: unknown,
): FastifyReply => sendText(request, reply, JSON.stringify(value));

/** Sends JSON text. Without its own serializer Fastify would add a charset to the vendor type. */
export const sendText = (
  request: FastifyRequest,
  reply: FastifyReply,
  json: string,
): FastifyReply =>
  reply.header('content-type', request.api.mediaType).serializer(unchanged).send(json);

const unchanged = (text: string): string => text;

/** The members that an item has in every version. */
export interface Shown extends Revised {
  readonly id: string;
}

/** Sends 200 with the item and its ETag, or 304 if `If-None-Match` matches (RFC 9110, 15.4.5). */
export function sendItem(request: FastifyRequest, reply: FastifyReply, item: Shown): FastifyReply {
  const tag = entityTagOf(request, item);
  if (isNotModified(request, tag)) return reply.code(304).header('etag', tag).send();
  return sendJson(request, reply.header('etag', tag), item);
}

/** Sends 200 with the changed item and its new ETag. */
export const sendUpdated = (
  request: FastifyRequest,
  reply: FastifyReply,
  item: Shown,
): FastifyReply => sendJson(request, reply.header('etag', entityTagOf(request, item)), item);

/** The 201 response for a new item. `Location` is its canonical path, also for a nested POST. */
export const createdAnswer = (
  request: FastifyRequest,
  collection: string,
  item: Shown,
): Answer => ({
  status: 201,
  location: `${collection}/${encodeURIComponent(item.id)}`,
  etag: entityTagOf(request, item),
  body: JSON.stringify(item),
});

/** Sends the response to a creation; `Location` names the version as the request did. */
export function sendCreated(
  request: FastifyRequest,
  reply: FastifyReply,
  { status, location, etag, body }: Answer,
  { publicUrl }: { readonly publicUrl: string },
): FastifyReply {
  reply.code(status).header('location', `${publicUrl}${request.api.base}/${location}`);
  if (etag !== null) reply.header('etag', etag);
  return sendText(request, reply, body);
}
