/** One item: its id in the path, and its answers. */
import type { FastifyReply, FastifyRequest } from 'fastify';

import type { Answer } from '../database/answers.ts';
import type { Kind } from '../database/missing.ts';
import { notFound } from './errors.ts';
import { hasCurrent, tagOf } from './preconditions.ts';
import { isUuid } from './uuid.ts';

/** The id in the path, in lower case. @throws 404 where it is no UUID: no item has such an id. */
export function idOf(request: FastifyRequest, { item }: Pick<Kind, 'item'>): string {
  const { id } = request.params as { id: string };
  if (!isUuid(id)) throw notFound(`There is no ${item} with the id ${JSON.stringify(id)}.`);
  return id.toLowerCase();
}

/** Sends JSON in the media type that was agreed on. */
export const sendJson = (
  request: FastifyRequest,
  reply: FastifyReply,
  value: unknown,
): FastifyReply => sendText(request, reply, JSON.stringify(value));

/** Sends the text of JSON. Without a serializer Fastify would add a charset to the media type. */
const sendText = (request: FastifyRequest, reply: FastifyReply, json: string): FastifyReply =>
  reply.header('content-type', request.api.mediaType).serializer(asItIs).send(json);

const asItIs = (text: string): string => text;

/** What every item has. */
interface Item {
  readonly id: string;
  readonly updated_at: string;
}

/** 200, the item and its tag; 304 where the client has it in this state (RFC 9110, 15.4.5). */
export function sendItem(request: FastifyRequest, reply: FastifyReply, item: Item): FastifyReply {
  const tag = tagOf(request, item);
  if (hasCurrent(request, tag)) return reply.code(304).header('etag', tag).send();
  return sendJson(request, reply.header('etag', tag), item);
}

/** 200, the item as it is now, and its new tag. */
export const updated = (request: FastifyRequest, reply: FastifyReply, item: Item): FastifyReply =>
  sendJson(request, reply.header('etag', tagOf(request, item)), item);

/** What is answered for a new item: it is below its own collection, however it was made. */
export const created = (request: FastifyRequest, collection: string, item: Item): Answer => ({
  status: 201,
  location: `${collection}/${item.id}`,
  etag: tagOf(request, item),
  body: JSON.stringify(item),
});

/** Sends the answer to a creation, with `Location` in the way of versioning that was used. */
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
