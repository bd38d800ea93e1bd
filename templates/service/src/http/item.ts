/** One item: its id in the path, and its answers. */
import type { FastifyReply, FastifyRequest } from 'fastify';

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

/** Sends JSON in the media type that was agreed on to the letter: Fastify would add a charset. */
export const sendJson = (
  request: FastifyRequest,
  reply: FastifyReply,
  value: unknown,
): FastifyReply =>
  reply.header('content-type', request.api.mediaType).serializer(JSON.stringify).send(value);

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

/** 201, the item, and where it is from now on: below its own collection, however it was made. */
export const created = (
  request: FastifyRequest,
  reply: FastifyReply,
  collection: string,
  item: Item,
  { publicUrl }: { readonly publicUrl: string },
): FastifyReply =>
  updated(
    request,
    reply.code(201).header('location', `${publicUrl}${request.api.base}/${collection}/${item.id}`),
    item,
  );
