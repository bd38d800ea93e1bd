/**
 * Finds fields whose older form accepts values that the current type cannot store. Requests with such
 * values are refused, which the contract of the version does not show.
 */
import type { Field, ServiceDefinition } from '../definition/types.ts';
import { areBoundsWithin } from '../types/bounds.ts';
import { compareDecimals } from '../types/exact-decimal.ts';
import { specOf } from '../types/registry.ts';
import type { FieldType } from '../types/registry.ts';
import { olderFormOf } from '../definition/versions/older-form.ts';
import type { OlderForm } from '../definition/versions/older-form.ts';
import { isInVersion, nameInVersion } from '../definition/versions/span.ts';
import { originsOf } from './trace.ts';
import type { Break } from './types.ts';
import { compareTypes, newFieldAdvice } from './compare-types.ts';

/** The fields that can store fewer values of a version than before. */
export function narrowedForms(
  applied: ServiceDefinition,
  now: ServiceDefinition,
  version: number,
): readonly Break[] {
  const origins = originsOf(applied.collections, now.collections);
  return now.collections
    .filter((collection) => isInVersion(collection, version))
    .flatMap((collection) => {
      const origin = origins.get(collection.name);
      const members = originsOf(origin?.fields ?? [], collection.fields);
      return collection.fields
        .filter((field) => isInVersion(field, version) && !field.readOnly)
        .filter((field) => {
          const before = members.get(field.name);
          return (
            before !== undefined &&
            takesUnstorableValues(field, version) &&
            !takesUnstorableValues(before, version)
          );
        })
        .map((field): Break => ({
          code: 'bounds-narrower',
          at: field.at,
          what: `member "${nameInVersion(field, version)}" of ${nameInVersion(collection, version)} is stored as ${field.type.type}`,
          who: 'clients that send a value that this type cannot store get 422',
          advice: newFieldAdvice,
        }));
    });
}

/** Whether a version accepts values of a field that its stored type cannot hold. */
function takesUnstorableValues(field: Field, version: number): boolean {
  const form = olderFormOf(field, version);
  return form !== undefined && !canStoreAll(field.type, form);
}

function canStoreAll(stored: FieldType, { type, conversion }: OlderForm): boolean {
  switch (conversion.kind) {
    case 'team':
    case 'values':
    case 'list-of-one':
    case 'only-entry':
      return true;
    case 'midnight':
      return false;
    default: {
      const [inner, outer] = [specOf(type).range?.(type), specOf(stored).range?.(stored)];
      if (outer === undefined || inner === undefined) return acceptsAllValues(type, stored);
      return inner.scale <= outer.scale && areBoundsWithin(inner, outer, compareDecimals);
    }
  }
}

const acceptsAllValues = (from: FieldType, into: FieldType): boolean =>
  compareTypes(from, into, {
    sent: true,
    read: false,
    sorted: false,
    filtered: false,
    field: from,
  }).length === 0;
