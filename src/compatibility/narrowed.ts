/**
 * What an older form takes and today's type cannot hold: clients that send it are refused, though
 * the form itself says nothing of that.
 */
import type { FieldType, Field, ServiceDefinition } from '../definition/types.ts';
import { olderFormOf } from '../definition/versions/convert.ts';
import type { OlderForm } from '../definition/versions/convert.ts';
import { isIn, nameIn } from '../definition/versions/span.ts';
import { originsOf } from './trace.ts';
import type { Break } from './types.ts';
import { compareDecimalTexts, compareTypes } from './values.ts';

/** The fields whose older form takes less than it did when it was applied last. */
export function narrowedForms(
  applied: ServiceDefinition,
  now: ServiceDefinition,
  version: number,
): readonly Break[] {
  const origins = originsOf(applied.collections, now.collections);
  return now.collections
    .filter((collection) => isIn(collection, version))
    .flatMap((collection) => {
      const origin = origins.get(collection.name);
      const members = originsOf(origin?.fields ?? [], collection.fields);
      return collection.fields
        .filter((field) => isIn(field, version) && !field.readOnly)
        .filter((field) => {
          const before = members.get(field.name);
          return before !== undefined && isNarrow(field, version) && !isNarrow(before, version);
        })
        .map((field): Break => ({
          code: 'bounds-narrower',
          at: field.at,
          what: `member "${nameIn(field, version)}" of ${nameIn(collection, version)} is kept as ${field.type.type}`,
          who: 'clients that send what that cannot hold get 422',
          instead: ({ last, next, write }) =>
            write(
              `it as it was, with "until: ${last}", and a field of another name with "since: ${next}"`,
            ),
        }));
    });
}

/** Whether a version takes values that cannot be kept. */
function isNarrow(field: Field, version: number): boolean {
  const form = olderFormOf(field, version);
  return form !== undefined && !holdsAll(field.type, form);
}

function holdsAll(stored: FieldType, { type, conversion }: OlderForm): boolean {
  switch (conversion.kind) {
    case 'team':
    case 'values':
    case 'list-of-one':
    case 'only-entry':
      return true;
    case 'midnight':
      return false;
    default: {
      const [inner, outer] = [exactRange(type), exactRange(stored)];
      if (outer === undefined || inner === undefined) return isAccepted(type, stored);
      return (
        inner.scale <= outer.scale &&
        compareDecimalTexts(inner.least, outer.least) >= 0 &&
        compareDecimalTexts(inner.most, outer.most) <= 0
      );
    }
  }
}

const isAccepted = (from: FieldType, into: FieldType): boolean =>
  compareTypes(from, into, {
    sent: true,
    read: false,
    sorted: false,
    filtered: false,
    field: from,
  }).length === 0;

interface ExactRange {
  readonly least: string;
  readonly most: string;
  /** Digits behind the point. */
  readonly scale: number;
}

/** The numbers that an exact type takes. */
function exactRange(type: FieldType): ExactRange | undefined {
  switch (type.type) {
    case 'integer': {
      const { minimum = Number.MIN_SAFE_INTEGER, maximum = Number.MAX_SAFE_INTEGER } = type;
      return { least: String(minimum), most: String(maximum), scale: 0 };
    }
    case 'bigint': {
      const { minimum = String(-(2n ** 63n)), maximum = String(2n ** 63n - 1n) } = type;
      return { least: minimum, most: maximum, scale: 0 };
    }
    case 'decimal': {
      const { precision, scale } = type;
      const most = `${'9'.repeat(precision - scale) || '0'}.${'9'.repeat(scale)}`;
      const { minimum = `-${most}`, maximum = most } = type;
      return { least: minimum, most: maximum, scale };
    }
    default:
      return undefined;
  }
}
