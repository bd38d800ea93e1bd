/** The types of collections whose items seeds create. */
import type { FastifyRequest } from 'fastify';

import type { Principal } from '../auth/principal.ts';
import type { Resource } from '../database/constraints.ts';
import type { Database } from '../database/database.ts';

/** How seeds create the items of a collection. */
export interface SeededCollection<Values> {
  readonly resource: Resource;
  /** The collection that each reference refers to, by member. */
  readonly references: Readonly<Record<string, string>>;
  /** The values of a valid body. @throws `InvalidBody` as a POST would. */
  readonly read: (request: Pick<FastifyRequest, 'body'>) => Values;
  /** Stores an item. @throws 409 and 422. */
  readonly create: (database: Database, values: Values, options: CreateOptions) => Promise<unknown>;
  /** Takes the id of a new item from a sequence; absent: the id of the seed is that of the item. */
  readonly reserveId?: (transaction: Database) => Promise<string>;
  /** The id of an item that is there already and takes the place of the seed; undefined for none. */
  readonly findSame?: (database: Database, values: Values) => Promise<string | undefined>;
}

interface CreateOptions {
  readonly id: string;
  /** Who creates the item, for hooks and as its owner. */
  readonly principal: Principal | undefined;
}

/** `SeededCollection` for a collection that is known only at run time. */
export type AnySeeded = SeededCollection<object>;

/** Erases the type of the values: what `read` returns is passed to `create`. */
export const anySeeded = <Values extends object>(collection: SeededCollection<Values>): AnySeeded =>
  collection as unknown as AnySeeded;
