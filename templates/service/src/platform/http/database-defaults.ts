/** Members that the database sets in a new item, by the default of their column, if the request does not have them. */
import Type from 'typebox';
import type { Static, TObject, TOptional, TSchema, TUnsafe } from 'typebox';

import type { Completion } from './body.ts';
import { completeMembers, documented, KEYWORDS } from './shapes.ts';
import type { ShapeParts } from './shapes.ts';

/** The symbol that marks the schema of a member with a database default. */
const DATABASE_DEFAULT = Symbol('database default');

const NOTE = 'Without it, the database sets it in a new item, and a PUT keeps it.';

/** Values of which the database sets some: these are undefined in a new item that is sent without them. */
export type WithDatabaseDefaults<Values, Name extends keyof Values> = Omit<Values, Name> & {
  [Each in Name]?: Values[Each] | undefined;
};

/** A member that may be absent: the database sets it in a new item, and a PUT keeps it. */
export function databaseDefault<Shape extends TSchema>(
  shape: Shape,
): TOptional<TUnsafe<Static<Shape>>> {
  const { note, ...keywords } = (shape as ShapeParts)[KEYWORDS] ?? {};
  const text = note === undefined ? NOTE : `${note}\n\n${NOTE}`;
  const member = documented(Type.Unsafe<Static<Shape>>(shape), { ...keywords, note: text });
  return Object.assign(Type.Optional(member), { [DATABASE_DEFAULT]: true });
}

/** The names of the members that have a database default. */
const databaseDefaultsOf = ({ properties }: TObject): string[] =>
  Object.keys(properties).filter((name) => DATABASE_DEFAULT in (properties[name] ?? {}));

/** Completes the members of a valid object like `completeMembers`, except those that the database sets. */
function completeExceptDatabaseDefaults(shape: TObject, members: object): object {
  const completed = completeMembers(shape, members) as Record<string, unknown>;
  for (const name of databaseDefaultsOf(shape)) {
    if (!Object.hasOwn(members, name)) delete completed[name];
  }
  return completed;
}

/** For bodies: members with a database default stay absent in a POST, and keep their values in a PUT. */
export const exceptDatabaseDefaults: Completion = {
  complete: completeExceptDatabaseDefaults,
  keptNames: databaseDefaultsOf,
};
