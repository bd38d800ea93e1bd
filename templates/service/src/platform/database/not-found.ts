/** The errors for an item that is not found: 404, 410 if it was removed, 412 if it has changed. */
import type { FastifyRequest } from 'fastify';

import { gone, notFound, preconditionFailed } from '../http/errors.ts';
import type { HttpError } from '../http/errors.ts';
import { idOf } from '../http/item.ts';
import type { Database } from './database.ts';

/** A kind of item, by the names that it has. */
export interface ResourceName {
  /** Its collection, as the tombstones have it. */
  readonly collection: string;
  /** What one is called in a message. */
  readonly item: string;
  /** Its table, quoted. */
  readonly table: string;
}

/** The answer for an item that a statement did not find: 410 where it was removed, else 404. */
export async function missing(
  database: Database,
  { collection, item }: ResourceName,
  id: string,
): Promise<HttpError> {
  const tombstones = await database.query(
    {
      prepared: true,
      pipelined: true,
      text: 'select 1 from "_tombstones" where "id" = $1 and "collection" = $2',
    },
    [id, collection],
  );
  return tombstones.length > 0
    ? gone(`The ${item} ${id} was removed, and will not come back.`)
    : notFound(`There is no ${item} ${id}.`);
}

/** 412: the item is not any more in the state that the client has read. */
export const changed = ({ item }: ResourceName): HttpError =>
  preconditionFailed(`Somebody else has changed this ${item} meanwhile: get it again.`);

/** The answer for an item of which a statement did not find the revision: 412, 410 or 404. */
export async function changedOrMissing(
  database: Database,
  kind: ResourceName,
  id: string,
): Promise<HttpError> {
  const statement = { text: `select 1 from ${kind.table} where "id" = $1` };
  const found = await database.query(statement, [id]);
  return found.length > 0 ? changed(kind) : missing(database, kind, id);
}

/** A hook for routes below an item: throws 404 or 410 where the item of the path is not there. */
export function requireItem(
  database: Database,
  kind: ResourceName,
): (request: FastifyRequest) => Promise<void> {
  const statement = {
    prepared: true,
    pipelined: true,
    text: `select "updated_at" as "revision" from ${kind.table} where "id" = $1`,
  };
  return async (request) => {
    const id = idOf(request, kind);
    const [item] = await database.query<{ revision: string }>(statement, [id]);
    if (item === undefined) throw await missing(database, kind, id);
    request.revision = item.revision;
  };
}
