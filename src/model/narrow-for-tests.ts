/**
 * Narrows the types of an older version for tests: to the values that the stored fields can hold, so that
 * each value is answered as it was sent.
 */
import type { Field } from '../definition/types.ts';
import { unversionedType } from '../definition/versions/older-form.ts';
import { specOf } from '../types/registry.ts';
import type { FieldType } from '../types/registry.ts';
import { isStringOrText } from '../types/text.ts';
import type { Collection, Model, View, ViewMember } from './types.ts';

/** The model of a version, with the types of its members narrowed. */
export function narrowForTests(model: Model, views: readonly View[]): Model {
  return {
    ...model,
    collections: model.collections.map((collection) => {
      const view = views.find(({ collection: { code } }) => code === collection.code);
      return view === undefined ? collection : narrowCollection(collection, view);
    }),
  };
}

function narrowCollection(collection: Collection, { members }: View): Collection {
  const { definition } = collection;
  const fields = definition.fields.map((field): Field => {
    const member = members.find(({ shown }) => shown.name === field.name);
    const type = member && testTypeOf(member);
    return type === undefined ? field : { ...field, type };
  });
  return { ...collection, definition: { ...definition, fields } };
}

/** The narrowed type of a member; undefined if tests use its own type. */
export function testTypeOf({
  stored: { type: stored },
  shown,
  conversion,
  upTo,
}: ViewMember): FieldType | undefined {
  if (upTo === undefined || conversion.kind === 'team') return undefined;
  const { type } = shown;
  const own = specOf(stored);
  if (isStringOrText(type)) {
    // A text has no values to choose from: it is the stored type itself, which may have closer bounds.
    if (isStringOrText(stored)) return stored;
    const values = own.values(stored, MOST_TEXTS, { name: shown.name });
    return { type: 'string', pattern: patternOf(values.map(String)) };
  }
  // Where the older type has wider bounds, all values of the field are values of it.
  if (conversion.kind === 'same' && stored.type === type.type) return unversionedType(stored);
  const range = own.range?.(stored);
  return range && specOf(type).withStoredRange?.(type, range);
}

/** How many texts a member may be in tests. */
const MOST_TEXTS = 12;

/** A pattern of just these texts, and of none: of bytes that is a value too. */
const patternOf = (texts: readonly string[]): string =>
  `^(?:${texts.map((text) => text.replace(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`)).join('|')})$`;
