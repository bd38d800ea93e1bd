/**
 * The catalogue of what breaks the clients of a version. Each finding carries one of these codes,
 * for scripts and for docs/breaking-changes.md.
 */

/** Each code, with what it says of a version. */
export const BREAK_CATALOGUE = {
  'version-gone': 'A version is neither served nor retired',
  'version-ends-early': 'A version ends before the day that was announced',
  'version-thawed': 'A frozen version is no longer frozen',
  'service-renamed': 'The service, and so its media type, has another name',
  'way-gone': 'A way to name the version was removed',
  'role-gone': 'A role was removed',
  'collection-gone': 'A collection was removed',
  'collection-renamed': 'A collection has another name',
  'nested-path-gone': 'A nested path was removed or renamed',
  'member-gone': 'A member was removed',
  'member-renamed': 'A member has another name',
  'member-required': 'A member is new and required, or no longer optional',
  'member-nullable': 'A member may be null that never was',
  'member-hidden': 'A member is no longer in responses',
  'member-locked': 'A member can no longer be sent, or not be changed',
  'member-unlocked': 'A PUT without the member now resets it',
  'type-changed': 'A value has another type or format',
  'bounds-narrower': 'Values that were accepted are refused',
  'range-wider': 'Integers no longer fit into 32 bits',
  'enum-value-gone': 'A value of an enum was removed',
  'enum-value-new': 'A value of an enum is new, and appears in responses',
  'enum-value-shown': 'A value of an enum is shown as another one',
  'enum-reordered': 'A list that is sorted by an enum has another order',
  'default-changed': 'What is left out of a request means something else',
  'unique-new': 'Values must be unique that could repeat',
  'check-new': 'A check is new, or may refuse values that were accepted',
  'step-narrower': 'A change of a value is no longer a step, or one of fewer roles',
  'initial-narrower': 'A new item may have fewer values',
  'reference-changed': 'A reference leads elsewhere, or something else happens to it on removal',
  'filter-gone': 'A filter was removed',
  'sort-gone': 'A sort key was removed',
  'search-narrower': 'Search covers fewer members',
  'include-gone': 'Items of a reference are no longer embedded',
  'pages-smaller': 'Pages hold fewer items',
  'permission-narrower': 'Fewer callers may do something',
  'owner-changed': 'Items belong to other users',
  'list-wider': "A list of one's own items now holds those of others",
  'create-changed': 'The response of a POST changed',
  'if-match-demanded': 'A change needs If-Match',
} as const;

export type BreakCode = keyof typeof BREAK_CATALOGUE;
