/**
 * How the values of a field are converted for older versions, and back. Emitted conversions are lossless;
 * a value of a request that the field cannot hold gets 422; lossy conversions are functions that the
 * team writes.
 */
import { ownMember } from '../../shared/json.ts';
import type { JsonValue } from '../../shared/json.ts';
import { unversionedEnum } from '../../types/enum.ts';
import { withScale } from '../../types/exact-decimal.ts';
import { isSameType, specOf } from '../../types/registry.ts';
import type { FieldType, PropertyType } from '../../types/registry.ts';
import { SAME_VALUE, TEAM_CONVERSION } from '../../types/version-conversion.ts';
import type { VersionConversion } from '../../types/version-conversion.ts';
import type { Field } from '../types.ts';
import { findUpTo } from './span.ts';

/** The type of a field in an older version, and the conversion to it. */
export interface OlderForm {
  readonly type: FieldType;
  readonly conversion: VersionConversion;
}

/** The older form of a field in a version; undefined if the version has the field's own type. */
export function olderFormOf(field: Field, version: number): OlderForm | undefined {
  const older = findUpTo(field.olderTypes, version);
  return older && olderFormFor(field.type, older.type);
}

/** The form of a stored type in a version with an older type. */
export function olderFormFor(stored: FieldType, older: PropertyType): OlderForm {
  const type = specOf(older).withBoundsOf?.(older, stored) ?? older;
  const conversion = conversionOf(stored, type);
  if (conversion.kind === 'midnight') return { type: wholeDayTimestamps(stored), conversion };
  return { type: unversionedType(type), conversion };
}

/** The type of timestamps at midnight. */
function wholeDayTimestamps(stored: FieldType): FieldType {
  const { minimum, maximum } = stored as { readonly minimum?: string; readonly maximum?: string };
  return {
    type: 'timestamp',
    minimum: `${minimum ?? '0001-01-01'}T00:00:00.000Z`,
    maximum: `${maximum ?? '9999-12-31'}T00:00:00.000Z`,
    wholeDays: true,
  };
}

/** The type without versions of its values. */
export const unversionedType = (type: FieldType): FieldType =>
  type.type === 'enum' ? unversionedEnum(type) : type;

function conversionOf(stored: FieldType, older: FieldType): VersionConversion {
  if (older.type === 'list' && stored.type !== 'list') {
    const fits = (older.minItems ?? 0) <= 1;
    return fits && isSame(stored, older.of) ? { kind: 'list-of-one' } : TEAM_CONVERSION;
  }
  if (stored.type === 'list' && older.type !== 'list') {
    const isOne = stored.minItems === 1 && stored.maxItems === 1;
    return isOne && isSame(stored.of, older) ? { kind: 'only-entry' } : TEAM_CONVERSION;
  }
  const isRenamed = older.type === 'enum' && older.currentValues !== undefined;
  if (!isRenamed && isSame(stored, older)) return SAME_VALUE;
  return specOf(stored).versionConversion?.(stored, older) ?? TEAM_CONVERSION;
}

const isSame = (one: FieldType, other: FieldType): boolean =>
  isSameType(unversionedType(one), unversionedType(other));

/**
 * A stored value of the definition (a default, an example) in an older form.
 * @returns undefined if the team converts it, or if it is `now` or `today`.
 */
export function shownValue(
  stored: FieldType,
  conversion: VersionConversion,
  value: JsonValue,
): JsonValue | undefined {
  switch (conversion.kind) {
    case 'same':
      return value;
    case 'number-of-text':
      return Number(value);
    case 'text-of-integer':
      return String(value);
    case 'decimal-of-integer':
      return Number(value).toFixed(conversion.scale);
    case 'longer-text':
      return withScale(String(value), conversion.to);
    case 'midnight':
      return value === 'today' ? undefined : `${String(value)}T00:00:00.000Z`;
    case 'list-of-one':
      return value === specOf(stored).currentDefault ? undefined : [value];
    case 'only-entry':
      return (value as readonly JsonValue[])[0];
    case 'values':
      return ownMember(conversion.names, String(value));
    case 'team':
      return undefined;
  }
}

/** The stored value for a value of an older form; undefined if the team converts it. */
export function storedValue(
  conversion: VersionConversion,
  value: JsonValue,
): JsonValue | undefined {
  switch (conversion.kind) {
    case 'same':
      return value;
    case 'number-of-text':
      return Number(value).toFixed(conversion.scale);
    case 'text-of-integer':
    case 'decimal-of-integer':
      return Number(value);
    case 'longer-text':
      return withScale(String(value), conversion.from);
    case 'midnight':
      return String(value).slice(0, 10);
    case 'list-of-one':
      return (value as readonly JsonValue[])[0];
    case 'only-entry':
      return [value];
    case 'values':
      return Object.keys(conversion.names).find((name) => conversion.names[name] === value);
    case 'team':
      return undefined;
  }
}
