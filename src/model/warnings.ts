/** What definitions allow and probably do not mean. A warning refuses nothing. */
import type { WarningCode } from '../definition/catalogue.ts';
import { quote } from '../definition/quote.ts';
import type {
  CollectionDefinition,
  Field,
  Issue,
  Permission,
  Position,
  ServiceDefinition,
} from '../definition/types.ts';
import { implies } from './permissions.ts';

/** All warnings, in the order of the collections and of their fields. */
export const warningsOf = ({ collections }: ServiceDefinition): readonly Issue[] =>
  collections.flatMap((collection) => [
    ...revealingUniques(collection),
    ...collection.fields.flatMap((field) => wideCascade(field, collection, collections)),
  ]);

const warning = (at: Position, code: WarningCode, message: string): Issue => ({
  at,
  code,
  message,
});

/** Unique values of a collection that somebody may write to who cannot read all of it. */
function revealingUniques(collection: CollectionDefinition): readonly Issue[] {
  const { name, fields, unique, permissions, at } = collection;
  const { read, create, update } = permissions;
  const readsAll: Permission = read.kind === 'some' ? { ...read, owner: false } : read;
  if (implies(create, readsAll) && implies(update, readsAll)) return [];
  const why = `and read of ${quote(name)} is narrower than create or update: a 409 tells callers of values in items that they cannot read. Widen read, or remove unique.`;
  return [
    ...fields
      .filter((field) => field.unique)
      .map((field) =>
        warning(field.at, 'unique-reveals', `field ${quote(field.name)} is unique, ${why}`),
      ),
    ...unique.map((group) =>
      warning(
        at,
        'unique-reveals',
        `${group.map(quote).join(' and ')} are unique together, ${why}`,
      ),
    ),
  ];
}

/** A cascade by which a caller removes items that they could not remove one by one. */
function wideCascade(
  { name, type, at }: Field,
  { name: child, permissions }: CollectionDefinition,
  collections: readonly CollectionDefinition[],
): readonly Issue[] {
  if (type.type !== 'reference' || type.onDelete !== 'cascade') return [];
  // Users are removed by administrators, who may remove everything.
  const parent = collections.find((collection) => collection.name === type.to);
  if (parent === undefined || implies(parent.permissions.delete, permissions.delete)) return [];
  const message = `field ${quote(name)} has on_delete "cascade", and delete of ${quote(parent.name)} is wider than delete of ${quote(child)}: removing one removes ${quote(child)} that the caller could not remove. Write on_delete "refuse", or narrow delete of ${quote(parent.name)}.`;
  return [warning(at, 'cascade-deletes-more', message)];
}
