/** The errors for an item that is not found: 404, 410 if it was removed, 412 if it has changed, 403 if it belongs to another user. */
import type { FastifyRequest } from 'fastify';

import { forbidden, gone, notFound, preconditionFailed } from '../http/errors.ts';
import type { HttpError } from '../http/errors.ts';
import { idOf } from '../http/item.ts';
import { unremovableError } from './constraints.ts';
import type { Resource } from './constraints.ts';
import type { Database } from './database.ts';
import { GENERATED_ID } from './row-id.ts';

/** The error for an item that a statement did not find: 410 if it was removed, else 404. */
export async function notFoundError(
  database: Database,
  { collection, item, id: rowId = GENERATED_ID, softDelete }: Resource,
  id: string,
): Promise<HttpError> {
  const marked = softDelete === undefined ? '' : ` union all select 1 ${softDelete.removed}`;
  const tombstones = await database.query(
    {
      prepared: true,
      pipelined: true,
      text: `select 1 from "${rowId.tombstones}" where "id" = $1 and "collection" = $2${marked}`,
    },
    [id, collection],
  );
  const ending = rowId.isReused === true ? '' : ', and will not come back';
  return tombstones.length > 0
    ? gone(`The ${item} ${id} was removed${ending}.`)
    : notFound(`There is no ${item} ${id}.`);
}

/** 403: the caller may change only items of their own. */
export const otherOwnerError = ({ item }: Resource): HttpError =>
  forbidden(`This ${item} belongs to another user.`);

/** 412: the item is not in the revision that the client names. */
export const revisionError = ({ item }: Resource): HttpError =>
  preconditionFailed(`This ${item} has changed since: get it again.`);

/** The error for an item that DELETE left as it is: 404, 410, 412 for another revision, 409 if a trigger kept it. */
export async function undeletedError(
  database: Database,
  resource: Resource,
  id: string,
  revision: string | undefined,
): Promise<HttpError> {
  const [found] = await database.query<{ revision: string }>({ text: revisionQuery(resource) }, [
    id,
  ]);
  if (found === undefined) return notFoundError(database, resource, id);
  return found.revision === (revision ?? found.revision)
    ? unremovableError(resource.item)
    : revisionError(resource);
}

/** A query for the revision of an item, and for other columns. @param columns in SQL. */
export const revisionQuery = (
  { table, revision = '"updated_at"', id = GENERATED_ID }: Resource,
  ...columns: readonly string[]
): string =>
  `select ${[...columns, `${revision} as "revision"`].join(', ')} from ${table} where ${id.condition}`;

/** An `onRequest` hook for paths with an id: 404 or 410 if there is no such item. */
export function requireItem(
  database: Database,
  resource: Resource,
): (request: FastifyRequest) => Promise<void> {
  const statement = { prepared: true, pipelined: true, text: revisionQuery(resource) };
  return async (request) => {
    const id = idOf(request, resource);
    const [item] = await database.query<{ revision: string }>(statement, [id]);
    if (item === undefined) throw await notFoundError(database, resource, id);
    request.revision = item.revision;
  };
}
