/** Ids that consist of the values of fields, in existing tables whose primary key does. */
import type { Issues } from '../reading/issues.ts';
import { enumerate, quote } from '../reading/quote.ts';
import type { Located } from '../reading/shapes.ts';
import { KEY_TYPES } from '../types/key.ts';
import type { KeyType } from '../types/key.ts';
import { TYPES } from '../types/registry.ts';
import type { TypeName } from '../types/registry.ts';
import { checkGroup } from './field-lists.ts';
import type { WrittenField } from './field.ts';

/** The types whose values can be a part of an id. */
const PART_TYPES: readonly TypeName[] = [
  'bigint',
  'enum',
  'integer',
  'reference',
  'string',
  'uuid',
];

/**
 * Reads the fields of a key, and refuses those that an id cannot consist of: it never changes, and each item has one.
 * @returns the type of the ids; undefined if they are those of another collection.
 */
export function readKeyFields(
  names: Located<readonly Located<string>[]>,
  fields: readonly WrittenField[],
  issues: Issues,
): KeyType | undefined {
  const known = new Map(fields.map((field) => [field.name, field]));
  checkGroup('key', names.value, names.at, known, [], issues);
  const isAlone = names.value.length === 1;
  for (const { value, at } of names.value) {
    const found = known.get(value);
    if (found?.field === undefined) continue;
    const { field, typeName } = found;
    const what = `field ${quote(value)} of the key`;
    const refuse = (why: string, place = at): void =>
      issues.add(place, 'unfit-field', `${what} ${why}`);
    if (typeName !== undefined && !PART_TYPES.includes(typeName) && TYPES[typeName].isComparable) {
      refuse(`has the type ${typeName}: ids consist of ${enumerate(PART_TYPES, 'or')}. Remove it.`);
    } else if (isAlone && typeName !== 'reference') {
      const type = KEY_TYPES.find((one) => one === typeName);
      const advice =
        type === undefined
          ? 'Write another one beside it'
          : `Write "key: { type: ${type}, column: ${field.column ?? value}, generated: client }", and remove the field`;
      refuse(`is the only one, and no reference. ${advice}.`);
    }
    if (!field.required || !(field.immutable || field.readOnly)) {
      refuse('can be null or change. Write "required: true, immutable: true".', found.at);
    }
    if (field.isGenerated === true) refuse('is generated. Remove it from the key.');
    if (field.since !== undefined || field.until !== undefined) {
      refuse('is not in all versions. Remove "since" and "until".', found.at);
    }
  }
  return isAlone ? undefined : 'composite';
}
