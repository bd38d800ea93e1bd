/** Ids that consist of the values of fields, in existing tables whose primary key does. */
import type { Issues } from '../reading/issues.ts';
import { enumerate, quote } from '../reading/quote.ts';
import type { Located } from '../reading/shapes.ts';
import { KEY_TYPES } from '../types/key.ts';
import type { KeyType } from '../types/key.ts';
import { TYPES } from '../types/registry.ts';
import type { TypeName } from '../types/registry.ts';
import { checkGroup } from './field-lists.ts';
import type { WrittenField } from './written-field.ts';

/** The types whose values can be a part of an id. */
const PART_TYPES: readonly TypeName[] = [
  'bigint',
  'enum',
  'integer',
  'reference',
  'string',
  'uuid',
];

/** A collection whose key may be a reference to another one. */
interface Keyed {
  readonly name: string;
  /** Undefined if the key is a single reference: ids are then those of the collection that it refers to. */
  readonly key: KeyType | undefined;
  readonly keyFields?: readonly string[];
  readonly fields: readonly WrittenField[];
}

/** The type of the ids of each collection. */
export function keyTypesOf(collections: readonly Keyed[]): ReadonlyMap<string, KeyType> {
  const byName = new Map(collections.map((one) => [one.name, one]));
  const targetOf = ({ fields, keyFields = [] }: Keyed): Keyed | undefined => {
    const target = fields.find(({ name }) => name === keyFields[0])?.reference?.to.value;
    return target === undefined ? undefined : byName.get(target);
  };
  const typeOf = (start: Keyed): KeyType => {
    // Collections that refer to each other in a circle are refused elsewhere.
    const passed = new Set<Keyed>();
    let one: Keyed | undefined = start;
    while (one !== undefined && one.key === undefined && !passed.has(one)) {
      passed.add(one);
      one = targetOf(one);
    }
    return one?.key ?? 'uuid';
  };
  return new Map(collections.map((one) => [one.name, typeOf(one)]));
}

/**
 * Reads the fields of a key, and refuses those that an id cannot consist of: it never changes, and each item has one.
 * @returns the type of the ids; undefined if the key is a single reference: ids are then those that it refers to.
 */
export function readKeyFields(
  names: Located<readonly Located<string>[]>,
  fields: readonly WrittenField[],
  issues: Issues,
): KeyType | undefined {
  const known = new Map(fields.map((field) => [field.name, field]));
  checkGroup('key', names.value, names.at, known, [], issues);
  const isSingle = names.value.length === 1;
  for (const { value, at } of names.value) {
    const found = known.get(value);
    if (found?.field === undefined) continue;
    const { field, typeName } = found;
    const what = `field ${quote(value)} of the key`;
    const refuse = (why: string, place = at): void =>
      issues.add(place, 'unfit-field', `${what} ${why}`);
    if (typeName !== undefined && !PART_TYPES.includes(typeName) && TYPES[typeName].isComparable) {
      refuse(`has the type ${typeName}: ids consist of ${enumerate(PART_TYPES, 'or')}. Remove it.`);
    } else if (isSingle && typeName !== 'reference') {
      const type = KEY_TYPES.find((one) => one === typeName);
      const advice =
        type === undefined
          ? 'Add another field'
          : `Write "key: { type: ${type}, column: ${field.column ?? value}, generated: client }", and remove the field`;
      refuse(`is its only field, and no reference. ${advice}.`);
    }
    if (!field.required || !(field.immutable || field.isSequence === true)) {
      refuse('can be null or change. Write "required: true, immutable: true".', found.at);
    }
    if (isSingle && field.unique) {
      refuse('is unique anyway. Remove "unique".', found.at);
    }
    if (field.isGenerated === true) refuse('is generated. Remove it from the key.');
    if (field.hasDatabaseDefault === true) {
      refuse('has a database default. Remove "database_default".', found.at);
    }
    if (field.since !== undefined || field.until !== undefined) {
      refuse('is not in all versions. Remove "since" and "until".', found.at);
    }
  }
  return isSingle ? undefined : 'composite';
}
