/** Reads what a field, a property or an entry of a list holds: its type and the options of it. */
import type { Issues } from '../reading/issues.ts';
import { isNull, kindOf } from '../reading/mismatch.ts';
import { nearest } from '../reading/nearest.ts';
import type { Position } from '../reading/position.ts';
import { enumerate, quote } from '../reading/quote.ts';
import { readKeys, type Keys, type Reading } from '../reading/records.ts';
import { word } from '../reading/shapes.ts';
import type { Entry, MapTree, Tree } from '../reading/tree.ts';
import type { Property } from '../types/object.ts';
import type { ReferenceType, WrittenReference } from '../types/reference.ts';
import { PROPERTY_NAMES, SCALAR_NAMES, TYPE_NAMES, TYPE_SYNONYMS } from '../types/registry.ts';
import { specOf, TYPES } from '../types/registry.ts';
import type { FieldType, PropertyType, ScalarType, TypeName } from '../types/registry.ts';
import { checkClashes } from './clashes.ts';
import type { FieldContext } from './field-context.ts';
import { FIELD_KEYS, keysForType, PROPERTY_KEYS, TYPES_WITH_KEY } from './keys.ts';
import { readCommonOptions, type CommonOptions } from './common-options.ts';
import { checkSnakeCase } from './names.ts';
import { checkRenamedOnce, renamesIn } from './renamed-from.ts';
import { readEnumValues } from './versions/enum-values.ts';
import type { EnumForm } from './versions/enum-values.ts';

/** How deep objects may be nested. */
const DEEPEST_OBJECT = 5;

/** A type as it is written in one file. */
export type WrittenType = Exclude<FieldType, ReferenceType> | WrittenReference;

/** A map with a type in it, after its keys were read. */
interface TypedReading {
  readonly typeName: TypeName;
  /** Absent where the options of the type leave open what it is; issues tell of them. */
  readonly type: WrittenType | undefined;
  readonly common: CommonOptions;
}

/** Where a type stands, which decides what it may be. */
interface TypePlace {
  /** As messages call it: `field "title"`. */
  readonly what: string;
  readonly keys: Keys;
  readonly types: readonly TypeName[];
  /** How many objects it stands in. */
  readonly depth: number;
  /** What the values of an enum may say here. */
  readonly enumForm?: EnumForm;
}

const TYPE_SHAPE = word(TYPE_NAMES, TYPE_SYNONYMS);
const TYPE_KEY = { type: { shape: TYPE_SHAPE, description: '' } } satisfies Keys;

/** Reads the type and all keys of one map; undefined where its type is not known. */
export function readTyped(
  tree: Tree,
  at: Position,
  place: TypePlace,
  context: FieldContext,
): TypedReading | undefined {
  const { issues } = context;
  if (tree.kind !== 'map') return refuseShorthand(tree, at, place, issues);
  const typeName = readTypeName(tree, at, place, issues);
  if (typeName === undefined) return undefined;
  const keys = keysOf(place.keys, typeName);
  const reading = readKeys(tree, keys, place.what, issues, (name) =>
    misplacedKey(name, typeName, place, keys),
  );
  const common = reading as CommonOptions;
  return { typeName, type: readOptions(typeName, reading, tree, place, context), common };
}

/** The keys of a type in a place; for each two of them the same table. */
function keysOf(own: Keys, typeName: TypeName): Keys {
  const tables = tablesOf.get(own) ?? new Map<TypeName, Keys>();
  tablesOf.set(own, tables);
  const keys = tables.get(typeName) ?? {
    ...TYPE_KEY,
    ...keysForType(own, typeName),
    ...specOf({ type: typeName }).keys,
  };
  tables.set(typeName, keys);
  return keys;
}

const tablesOf = new WeakMap<Keys, Map<TypeName, Keys>>();
const NO_KEYS: Keys = {};

function refuseShorthand(tree: Tree, at: Position, { what }: TypePlace, issues: Issues): undefined {
  const name = tree.kind === 'scalar' ? tree.source : '';
  const type = TYPE_NAMES.find((known) => known === name) ?? TYPE_SYNONYMS[name] ?? 'string';
  const write = `Write { type: ${type} }.`;
  if (isNull(tree)) issues.add(at, 'missing-key', `${what} has no type. ${write}`);
  else issues.add(tree.at, 'wrong-type', `${what} is ${kindOf(tree)}, not a map. ${write}`);
}

function readTypeName(
  tree: MapTree,
  at: Position,
  { what, types }: TypePlace,
  issues: Issues,
): TypeName | undefined {
  const entry = tree.entries.find(({ name }) => name === 'type');
  if (entry === undefined) {
    const message = `${what} has no type. Write "type:" and one of ${enumerate(types, 'or')}.`;
    issues.add(at, 'missing-key', message);
    return undefined;
  }
  const name = TYPE_SHAPE.read(entry.value, 'type', issues);
  if (name === undefined || types.includes(name)) return name;
  const message = `type ${quote(name)} cannot stand in ${what}. Write one of ${enumerate(types, 'or')}.`;
  issues.add(entry.value.at, 'wrong-word', message);
  return undefined;
}

/** What to say of a key that is known, but not for this type or not in this place. */
function misplacedKey(
  name: string,
  typeName: TypeName,
  { what }: TypePlace,
  keys: Keys,
): string | undefined {
  const ownersOfField = (Object.hasOwn(TYPES_WITH_KEY, name) && TYPES_WITH_KEY[name]) || [];
  const owners =
    ownersOfField.length > 0 && !ownersOfField.includes(typeName)
      ? ownersOfField
      : TYPE_NAMES.filter((other) => Object.hasOwn(specOf({ type: other }).keys, name));
  if (owners.length > 0) {
    const near = nearest(name, Object.keys(keys));
    const hint = near === undefined ? 'Remove it.' : `Write ${quote(near)}.`;
    return `key ${quote(name)} belongs to the type ${enumerate(owners, 'or')}, not to ${typeName}. ${hint}`;
  }
  if (!Object.hasOwn(FIELD_KEYS, name)) return undefined;
  return `key ${quote(name)} belongs to fields, not to ${what}. Remove it.`;
}

function readOptions(
  typeName: TypeName,
  options: Reading<Keys>,
  tree: MapTree,
  { depth, enumForm = 'plain' }: TypePlace,
  context: FieldContext,
): WrittenType | undefined {
  return TYPES[typeName].read(options, tree, {
    ...context,
    readEnumValues: (written) => readEnumValues(written, enumForm, context),
    readItem: (item) => readItem(item, context),
    readProperties: (entries, object) => readProperties(entries, object, depth, context),
  });
}

const ITEM = { what: 'an entry of a list', keys: NO_KEYS, types: SCALAR_NAMES, depth: 0 };

function readItem(tree: Tree, context: FieldContext): ScalarType | undefined {
  return readTyped(expandItem(tree), tree.at, ITEM, context)?.type as ScalarType | undefined;
}

/** `of: string` is short for `of: { type: string }`. */
function expandItem(tree: Tree): Tree {
  if (tree.kind !== 'scalar' || typeof tree.value !== 'string') return tree;
  const entry: Entry = { name: 'type', at: tree.at, value: tree };
  return { kind: 'map', at: tree.at, entries: [entry] };
}

function readProperties(
  entries: readonly Entry[],
  tree: MapTree,
  depth: number,
  context: FieldContext,
): readonly Property[] | undefined {
  if (depth >= DEEPEST_OBJECT) {
    const message = `objects are nested more than ${DEEPEST_OBJECT} deep here. Write "type: json", or a collection of its own.`;
    context.issues.add(tree.at, 'too-deep', message);
    return undefined;
  }
  const read = entries.map((entry) => readProperty(entry, depth + 1, context));
  checkRenamedOnce(renamesIn(entries), 'property', context.issues);
  checkClashes(
    entries.map(({ name, at }) => ({ value: name, at })),
    'property',
    context.issues,
  );
  const fine = read.filter((property) => property !== undefined);
  return fine.length === entries.length ? fine : undefined;
}

function readProperty(
  { name, at, value: tree }: Entry,
  depth: number,
  context: FieldContext,
): Property | undefined {
  const { issues } = context;
  const before = issues.count;
  checkSnakeCase(name, 'property', at, issues);
  const what = `property ${quote(name)}`;
  const place = { what, keys: PROPERTY_KEYS, types: PROPERTY_NAMES, depth };
  const typed = readTyped(tree, at, place, context);
  if (typed?.type === undefined) return undefined;
  const type = typed.type as PropertyType;
  const named = readCommonOptions(name, at, type, typed.common, issues);
  return issues.count > before ? undefined : { ...named, type };
}
