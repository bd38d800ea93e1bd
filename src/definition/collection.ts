/** Reads one collection: its keys, its name, its fields, and the lists that name its fields. */
import type { WarningCode } from '../reading/warning-codes.ts';
import { type Keys, type Reading, readKeys } from '../reading/records.ts';
import { isNull, kindOf } from '../reading/mismatch.ts';
import { readChecks } from './checks.ts';
import type { FieldContext } from './field-context.ts';
import { checkClashes } from './clashes.ts';
import { readField } from './field.ts';
import { checkCollectionName, checkOlderCollectionName, singularOf } from './collection-name.ts';
import { COLLECTION_KEYS, UNNAMED_COLLECTION_KEYS } from './keys.ts';
import { checkFieldLists, type FieldLists } from './field-lists.ts';
import { readInclude } from './include.ts';
import { readJobTimeout } from './job-timeout.ts';
import { readPages, type WrittenPages } from './pages.ts';
import { ACTIONS, type WrittenPermission } from './permissions.ts';
import { quote } from '../reading/quote.ts';
import { checkRenamed, checkRenamedOnce, renamesIn } from './renamed-from.ts';
import { type Located } from '../reading/shapes.ts';
import { isSetByHook } from './set-by-hook.ts';
import type { Tree } from '../reading/tree.ts';
import { checkStepRoles } from './transitions.ts';
import type {
  CheckDefinition,
  ExistingTable,
  Permission,
  Permissions,
  UniqueDefinition,
} from './types.ts';
import { readExistingTable } from './existing-table.ts';
import { readUnique } from './unique.ts';
import type { BuiltInTime } from '../shared/built-in-members.ts';
import type { KeySource, KeyType } from '../types/key.ts';
import type { OlderNames, Span } from '../types/reference.ts';
import type { Position } from '../reading/position.ts';
import { readOlderNames, readSpan } from './versions/span.ts';
import type { WrittenField } from './written-field.ts';

/** A table of PostgreSQL holds 1,600 columns at most, fewer where they are wide. */
const MOST_FIELDS = 500;

/** A collection as its file says it: what it says of other collections is not yet looked up. */
export interface WrittenCollection {
  readonly name: string;
  readonly at: Position;
  /** Absent where the name gives none. */
  readonly singular: string | undefined;
  /** Where the singular was written, or else the name. */
  readonly singularAt: Position;
  readonly singularGiven: boolean;
  readonly description: string | undefined;
  readonly renamedFrom: Located<string> | undefined;
  readonly span: Span;
  readonly olderNames: OlderNames | undefined;
  /** Undefined if the key is a single reference: ids are then those that it refers to. */
  readonly key: KeyType | undefined;
  readonly keySource: KeySource;
  readonly keyFields?: readonly string[];
  readonly existing: ExistingTable | undefined;
  readonly times: readonly BuiltInTime[];
  readonly fields: readonly WrittenField[];
  readonly lists: FieldLists;
  readonly include: readonly string[];
  readonly unique: readonly UniqueDefinition[];
  readonly checks: readonly CheckDefinition[];
  readonly pages: WrittenPages | undefined;
  readonly permissions: Permissions;
  readonly roles: readonly Located<string>[];
  /** The path as it was written. */
  readonly owner: Located<string> | undefined;
  readonly create: 'direct' | 'background';
  readonly jobTimeout: number;
  readonly requireIfMatch: boolean;
  readonly events: Located<boolean> | undefined;
  readonly acknowledge: readonly WarningCode[] | undefined;
}

/**
 * Reads a collection. `outer` is its name where it does not say one itself, as it never does in a
 * map of collections.
 */
export function readCollection(
  tree: Tree,
  outer: Located<string>,
  inMap: boolean,
  context: FieldContext,
): WrittenCollection | undefined {
  const { issues } = context;
  if (tree.kind !== 'map') {
    const message = `collection ${quote(outer.value)} is ${kindOf(tree)}, not a map. Write "fields:" under it.`;
    issues.add(tree.at, 'wrong-type', message);
    return undefined;
  }
  const keys: Keys = inMap ? UNNAMED_COLLECTION_KEYS : COLLECTION_KEYS;
  const read: Reading<typeof COLLECTION_KEYS> = readKeys(
    tree,
    keys,
    'a collection',
    issues,
    (key) => {
      if (inMap && key === 'name') return nameInMap(outer.value);
      const isBesideFields = tree.entries.some((one) => one.name === 'fields' && isNull(one.value));
      return isBesideFields
        ? `key ${quote(key)} is beside "fields:", and not under it. Indent it further.`
        : undefined;
    },
  );
  const name = read.name ?? outer;
  const what = `collection ${quote(name.value)}`;
  const named = tree.entries.some((entry) => entry.name === 'name') && read.name === undefined;
  if (!named) checkCollectionName(name, read.singular, issues);
  checkRenamed(name.value, read.renamed_from, issues);
  const fields = (read.fields?.value ?? []).map((entry) => readField(entry, context));
  checkRenamedOnce(renamesIn(read.fields?.value ?? []), 'field', issues);
  checkFields(fields, read.fields?.keyAt ?? tree.at, context);
  if (read.create?.value === 'background') checkJobFields(fields, context);
  const table = readExistingTable(read, fields, issues);
  const lists = checkFieldLists(read, fields, table.times, issues);
  const written = read.permissions?.value ?? {};
  const permissions = permissionsOf((action) => written[action]?.value);
  const stepRoles = fields.flatMap((field) => field.stepRoles);
  checkStepRoles(stepRoles, permissions.update, issues);
  const olderNames = readOlderNames(read, name.value, what, context);
  for (const older of olderNames ?? []) {
    checkOlderCollectionName({ value: older.name, at: older.at }, issues);
  }
  return {
    name: name.value,
    at: name.at,
    singular: read.singular?.value ?? singularOf(name.value),
    singularAt: read.singular?.at ?? name.at,
    singularGiven: read.singular !== undefined,
    description: read.description?.value.trim() === '' ? undefined : read.description?.value,
    renamedFrom: read.renamed_from,
    span: readSpan(read, what, context),
    olderNames,
    ...table,
    fields,
    lists,
    include: readInclude(read.include?.value ?? [], fields, lists.filter, context.versions, issues),
    unique: readUnique(read.unique?.value ?? [], fields, table.times, issues),
    checks: readChecks(read.checks?.value ?? [], fields, issues),
    pages: read.pages && readPages(read.pages, issues),
    permissions,
    roles: [...ACTIONS.flatMap((action) => written[action]?.value.roles ?? []), ...stepRoles],
    owner: read.owner,
    create: read.create?.value ?? 'direct',
    jobTimeout: readJobTimeout(read, issues),
    requireIfMatch: read.require_if_match?.value ?? false,
    events: read.events,
    acknowledge: read.acknowledge?.value.map(({ value }) => value),
  };
}

function nameInMap(name: string): string {
  return `key "name" does not stand here: the collection is called ${quote(name)} already. Remove it.`;
}

function permissionsOf(
  written: (action: keyof Permissions) => WrittenPermission | undefined,
): Permissions {
  const authenticated: Permission = { kind: 'authenticated' };
  const of = (action: keyof Permissions): Permission =>
    written(action)?.permission ?? authenticated;
  return {
    read: of('read'),
    create: of('create'),
    update: of('update'),
    delete: of('delete'),
  };
}

/** A POST of a background creation inserts a row, and rolls it back, before any hook runs. */
function checkJobFields(fields: readonly WrittenField[], { issues }: FieldContext): void {
  for (const { name, field } of fields) {
    if (field === undefined || !isSetByHook(field)) continue;
    const message = `field ${quote(name)} is required and set by a hook, and items of "create: background" are checked before hooks run. Write a default, or leave out required.`;
    issues.add(field.at, 'contradiction', message);
  }
}

function checkFields(
  fields: readonly WrittenField[],
  at: Position,
  { issues }: FieldContext,
): void {
  if (fields.length > MOST_FIELDS) {
    const message = `fields has ${fields.length} entries: a collection has at most ${MOST_FIELDS}. Split it.`;
    issues.add(at, 'too-many-fields', message);
  }
  checkClashes(
    fields.map(({ name, at: place }) => ({ value: name, at: place })),
    'field',
    issues,
  );
}
