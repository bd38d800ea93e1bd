/**
 * The catalogue of what can be wrong in a definition. Every issue carries one of these codes, so
 * that scripts can tell them apart and the documentation can list them all.
 */

import type { WarningCode } from './warning-codes.ts';

/** What the documentation says of one kind of issue. */
export interface CatalogueEntry {
  readonly title: string;
  readonly explanation: string;
}

/** Each code, by the thing that it is about. */
export const ISSUE_CATALOGUE = {
  'file-encoding': {
    title: 'A file is not UTF-8',
    explanation: 'Definition files are UTF-8; a byte order mark and CRLF are fine.',
  },
  'file-too-large': {
    title: 'A file is too large',
    explanation: 'A definition file holds at most 1 MiB; a collection of that size is a mistake.',
  },
  'file-empty': {
    title: 'A file says nothing',
    explanation: 'A definition file holds a map of keys; one that is empty defines nothing.',
  },
  'file-misplaced': {
    title: 'A file stands where none is read',
    explanation:
      'Definitions are service.yaml and collections/<name>.yaml; any other place is a mistake.',
  },
  syntax: {
    title: 'A file is not valid YAML',
    explanation:
      'The first mistake of a file is told; the rest of the file is read once it is put right.',
  },
  'too-deep': {
    title: 'Values are nested too deeply',
    explanation: 'Nothing in a definition needs more than 64 levels.',
  },
  'alias-expansion': {
    title: 'An alias expands without end',
    explanation: 'Aliases may repeat a value; they may not contain themselves or multiply.',
  },
  'duplicate-key': {
    title: 'A key is written twice',
    explanation: 'The second of two equal keys would silently replace the first.',
  },
  'unknown-key': {
    title: 'A key is not known',
    explanation: 'Each place knows certain keys only; the message names the nearest one.',
  },
  'bad-seed': {
    title: 'A seed does not fit its collection',
    explanation:
      'Seeds have members that requests may set; references have the name of another seed, or an id.',
  },
  'missing-key': {
    title: 'A key is missing',
    explanation: 'Something that has no sensible default was left out.',
  },
  'wrong-type': {
    title: 'A value has the wrong type',
    explanation: 'Values are never converted: text that looks like a number needs quotes.',
  },
  'wrong-word': {
    title: 'A word is not one of those that may stand here',
    explanation: 'The place takes one of a few words; the message names them.',
  },
  'out-of-range': {
    title: 'A number is out of range',
    explanation: 'The number is under the least or over the greatest that may stand here.',
  },
  'bad-text': {
    title: 'A text holds what no text may hold',
    explanation: 'NUL and lone surrogates can neither be stored nor sent.',
  },
  'empty-list': {
    title: 'A list or map is empty',
    explanation: 'The place needs at least one entry.',
  },
  'duplicate-entry': {
    title: 'An entry stands in a list twice',
    explanation: 'The list says a thing once; the second time is a mistake.',
  },
  'bad-name': {
    title: 'A name is not well formed',
    explanation:
      'Names are snake_case, the name of the service is kebab-case; both have at most 63 characters.',
  },
  'name-plural': {
    title: 'A name is singular',
    explanation:
      'Collections are plural, always. Where the rule errs, the key singular says the singular.',
  },
  'name-singular': {
    title: 'A singular is missing or wrong',
    explanation: 'Where the language has no singular of its own, the key singular gives one.',
  },
  'name-verb': {
    title: 'A name is an action',
    explanation: 'Paths name things; the HTTP method says what is done with them.',
  },
  'name-reserved': {
    title: 'A name is taken by the service itself',
    explanation: 'Some names of collections, fields and roles are there already.',
  },
  'bad-events': {
    title: 'Events would miss changes',
    explanation:
      'The database carries out "on_delete: cascade" and "on_delete: clear" itself, and writes no events.',
  },
  'name-clash': {
    title: 'Two names would become one',
    explanation:
      'Names are also written in kebab-case, camelCase and PascalCase, and must differ in all.',
  },
  'no-collections': {
    title: 'There are no collections',
    explanation: 'A service without a collection would have nothing to serve.',
  },
  'too-many-fields': {
    title: 'A collection has too many fields',
    explanation: 'A table of PostgreSQL holds few enough columns that 500 fields are the limit.',
  },
  'bounds-cross': {
    title: 'A lower bound is over its upper bound',
    explanation: 'No value could ever be accepted.',
  },
  'bad-value': {
    title: 'A default, an example or a bound is refused by its own field',
    explanation: 'The value is checked exactly as the service would check it in a request.',
  },
  contradiction: {
    title: 'Two options contradict each other',
    explanation: 'What one option demands the other one makes impossible.',
  },
  'bad-pattern': {
    title: 'A pattern does not compile',
    explanation: 'Patterns are regular expressions of ECMAScript with the u flag.',
  },
  'slow-pattern': {
    title: 'A pattern can take too long',
    explanation:
      'One request could keep the service busy for seconds: the time grows too fast with the text.',
  },
  'bad-rule': {
    title: 'The rule of a check cannot be read, or makes no sense',
    explanation:
      'A rule compares fields of its collection with each other or with values of their types; some items keep it, and others would not.',
  },
  'unknown-field': {
    title: 'A list names a field that is not there',
    explanation: 'Sort, filter, search, unique and indexes name fields of their collection.',
  },
  'unfit-field': {
    title: 'A field cannot be used in this way',
    explanation:
      'Some types have no order or cannot be compared, and a write-only field is secret.',
  },
  'reserved-parameter': {
    title: 'A filter is named like a parameter of lists',
    explanation: 'The query parameter could mean either.',
  },
  'unknown-target': {
    title: 'A reference names a collection that is not there',
    explanation: 'References name collections of this service, or users.',
  },
  'unknown-role': {
    title: 'A permission names a role that is not there',
    explanation: 'Roles are listed in the service file; admin is always there.',
  },
  'bad-permission': {
    title: 'A permission is empty or contradicts itself',
    explanation: 'The words public and authenticated stand alone; owner cannot stand under create.',
  },
  'bad-owner': {
    title: 'An owner path does not lead to a user',
    explanation:
      'Each step is a reference that clients may read, or a collection with exactly one unique reference to the current one. The last step is a reference to users, and a permission names owner.',
  },
  'nested-clash': {
    title: 'Two nested references share a path',
    explanation: 'Where two references name one target, nested gives each a name of its own.',
  },
  'required-cycle': {
    title: 'Required references form a cycle',
    explanation: 'Each item would need another one first, so that none could ever be created.',
  },
  'unknown-version': {
    title: 'A version is named that the service does not have',
    explanation: 'What differs between versions names those that are served, or were.',
  },
  'bad-span': {
    title: 'What is said of versions says nothing, or contradicts itself',
    explanation:
      'The first version that has something is since, the last one until; name_in and type_in are about older ones.',
  },
  'bad-lifecycle': {
    title: 'The life of a version makes no sense',
    explanation:
      'A version is deprecated, then it has its sunset, and then it is retired; the highest one is none of these.',
  },
  'needs-as': {
    title: 'A version cannot tell a value of an enum',
    explanation: 'What a version does not have it shows as another value, which `as` names.',
  },
  'needs-version-default': {
    title: 'Clients of a version could not write an item',
    explanation: 'A required member that not all versions have needs a default.',
  },
  'lost-in-version': {
    title: 'A version would have something that leads nowhere',
    explanation:
      'What a version has rests on what it has beside it: a reference on its collection, a unique value on its members.',
  },
  'needs-backfill': {
    title: 'Items that are there already have no value for a required member',
    explanation:
      'A new required member needs a default, or a backfill value, for the items of before.',
  },
  'table-changed': {
    title: 'A collection has an existing table, and had one of its own, or the other way round',
    explanation: 'The rows are in the table of before, and no migration moves them.',
  },
  'schema-changed': {
    title: 'The service has another schema than before',
    explanation: 'Its tables are in the schema of before, and no migration moves them.',
  },
  'key-changed': {
    title: 'The key of a collection has another type than before',
    explanation: 'Ids stand in paths, in references, and in what clients have stored.',
  },
  'unknown-rename': {
    title: 'Something is renamed from what was not there',
    explanation: 'An old name is one of the definitions that were generated last.',
  },
} as const satisfies Readonly<Record<string, CatalogueEntry>>;

/** A code of the catalogue. */
export type IssueCode = keyof typeof ISSUE_CATALOGUE;

/** What is allowed and probably not meant: it is printed, and nothing is refused. */
export const WARNINGS = {
  'unique-reveals': {
    title: 'A unique value tells of items that a caller cannot read',
    explanation:
      'A taken value is 409 for everyone who may create or change items, so they learn which values others have stored.',
  },
  'index-shortened': {
    title: 'An entry of indexes leaves out fields',
    explanation:
      'PostgreSQL limits an entry of an index to a third of a page, and its columns to 32; no value of an item may be refused for that.',
  },
  'cascade-deletes-more': {
    title: 'A cascade removes what the caller could not remove',
    explanation:
      'Who may delete the item referred to deletes all that refers to it, whatever delete says there.',
  },
  'create-needs-read': {
    title: 'A caller may create items, and not read what these must refer to',
    explanation:
      'A reference to an item that the caller may not read is 422, so every POST of such a caller is.',
  },
  'role-needs-read': {
    title: 'A role may set a reference, and not read what it refers to',
    explanation:
      'A reference to an item that the caller may not read is 422: the role can only clear it, or refer to itself if it is a reference to users.',
  },
  'create-owns-nothing': {
    title: 'A caller may create only items of their own, and new items belong to nobody',
    explanation:
      'With an owner path that begins with a linking collection, an item has an owner once one of these refers to it. Every POST of such a caller is 403.',
  },
  'link-takes-items': {
    title: 'A caller without a role may become the owner of items that others created',
    explanation:
      'Whoever sets a reference of a linking collection, or of another one on an owner path, says to whom the items belong that the path begins at.',
  },
  'owner-cannot-delete': {
    title: 'Owners may delete items, and never can',
    explanation:
      'The item of the linking collection that makes a caller the owner refers to the item, so each DELETE by an owner is 409.',
  },
  'value-unreachable': {
    title: 'No item can have a value of a field',
    explanation:
      'The checks exclude the value, or, with transitions, it is no initial value and no steps lead from one to it.',
  },
  'step-unreachable': {
    title: 'No request can take a step of a field with transitions',
    explanation:
      'By the checks, an item would need other values of its immutable members after the step than before.',
  },
  'update-needs-read': {
    title: 'A caller may change items, and not read them',
    explanation:
      'PUT and PATCH answer the whole item, so a caller needs read as well as update: without it, each change is refused.',
  },
} as const satisfies Record<WarningCode, CatalogueEntry>;
