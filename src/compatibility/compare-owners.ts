/** Compares whose the items of a collection are: an owner path that changes gives them to other users. */
import { ACTIONS } from '../definition/permissions.ts';
import type { CollectionDefinition, OwnerStep } from '../definition/types.ts';
import { hasOwners, allowsOwners, ownCreationOf } from '../model/permissions.ts';
import { ownerPathText } from '../model/owner-paths.ts';
import { enumerate } from '../reading/quote.ts';
import type { Position } from '../reading/position.ts';
import { undoAdvice } from './compare-types.ts';
import { plainAdvice } from './types.ts';
import type { Break } from './types.ts';

type Owned = Pick<CollectionDefinition, 'permissions' | 'fields'> & {
  readonly owner?: readonly OwnerStep[] | undefined;
};

/** What clients do by an action. */
export const VERBS_OF_ACTIONS = {
  read: 'read',
  create: 'create',
  update: 'change',
  delete: 'remove',
} as const;

/**
 * The break for clients that act as owners.
 * @param name what the collection is called for them, and the old path in the current definitions.
 */
export function ownerChanged(
  before: Owned,
  after: CollectionDefinition,
  name: { readonly before: string; readonly written: string | undefined },
  at: Position,
): Break[] {
  // Without owners before, the permissions tell what changes.
  if (!hasOwners({ ...after, permissions: before.permissions })) return [];
  const actions = ACTIONS.filter((action) => allowsOwners(before.permissions[action]));
  const does = enumerate(
    actions.map((action) => VERBS_OF_ACTIONS[action]),
    'or',
  );
  const creation = ownCreationOf(after);
  const creates =
    creation === undefined
      ? ''
      : creation.member === undefined
        ? ', and may create none'
        : ', and may create only those that belong to them';
  return [
    {
      code: 'owner-changed',
      at,
      what: `collection ${name.before} has items that belong to ${ownersInWords(after)}, and belonged to ${ownersInWords(before)}`,
      who: `clients that ${does} their own items reach others than before${creates}`,
      advice: plainAdvice(
        name.written === undefined ? 'Leave "owner" out.' : undoAdvice('owner', name.written),
      ),
    },
  ];
}

/** Whose the items are, in words. */
export const ownersInWords = ({ owner }: Pick<Owned, 'owner'>): string =>
  owner === undefined ? 'their creators' : `the users at ${ownerPathText({ owner })}`;
