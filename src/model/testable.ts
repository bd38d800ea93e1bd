/**
 * What tests of an older version send: of the values that a member may have there, those that the
 * field can hold, so that each is answered as it was sent.
 */
import type { Field, FieldType } from '../definition/types.ts';
import type { Collection, Model } from './types.ts';
import type { View, ViewMember } from './versions.ts';

/** The model of a version, with the types of its members narrowed. */
export function testable(seen: Model, views: readonly View[]): Model {
  return {
    ...seen,
    collections: seen.collections.map((collection) => {
      const view = views.find(({ collection: { code } }) => code === collection.code);
      return view === undefined ? collection : narrowed(collection, view);
    }),
  };
}

function narrowed(collection: Collection, { members }: View): Collection {
  const { definition } = collection;
  const fields = definition.fields.map((field): Field => {
    const member = members.find(({ shown }) => shown.name === field.name);
    const type = member && typeFor(member);
    return type === undefined ? field : { ...field, type };
  });
  return { ...collection, definition: { ...definition, fields } };
}

/** What tests take for the type of a member; undefined where that is its type. */
function typeFor({ stored: { type: stored }, shown }: ViewMember): FieldType | undefined {
  const { type } = shown;
  if (type.type === 'string' || type.type === 'text') {
    const pattern = textsOf(stored);
    return pattern === undefined ? undefined : { type: 'string', pattern };
  }
  const limits = limitsOf(stored);
  if (limits === undefined || stored.type === type.type) return undefined;
  switch (type.type) {
    case 'integer':
      return { minimum: Number(limits.least), maximum: Number(limits.most), ...type };
    case 'number':
      return {
        ...{ minimum: Number(limits.least), maximum: Number(limits.most) },
        ...type,
        ...(isWhole(stored) && { whole: true }),
      };
    case 'bigint':
      return { minimum: limits.least, maximum: limits.most, ...type };
    case 'decimal': {
      const zeros = `.${'0'.repeat(type.scale)}`;
      const withScale = (text: string): string =>
        text.includes('.') || type.scale === 0 ? text : text + zeros;
      return {
        ...{ minimum: withScale(limits.least), maximum: withScale(limits.most) },
        ...type,
        ...(isWhole(stored) && { whole: true }),
      };
    }
    default:
      return undefined;
  }
}

/** Whether a field holds no fractions. */
const isWhole = (stored: FieldType): boolean =>
  stored.type === 'integer' ||
  stored.type === 'bigint' ||
  (stored.type === 'decimal' && stored.scale === 0);

/** The least and the greatest number that a field holds. */
function limitsOf(
  stored: FieldType,
): { readonly least: string; readonly most: string } | undefined {
  switch (stored.type) {
    case 'integer': {
      const { minimum = Number.MIN_SAFE_INTEGER, maximum = Number.MAX_SAFE_INTEGER } = stored;
      return { least: String(minimum), most: String(maximum) };
    }
    case 'bigint':
      return {
        least: stored.minimum ?? String(-(2n ** 63n)),
        most: stored.maximum ?? String(2n ** 63n - 1n),
      };
    case 'decimal': {
      const whole = '9'.repeat(stored.precision - stored.scale) || '0';
      const most = stored.scale === 0 ? whole : `${whole}.${'9'.repeat(stored.scale)}`;
      return { least: stored.minimum ?? `-${most}`, most: stored.maximum ?? most };
    }
    default:
      return undefined;
  }
}

/** A pattern of texts that are values of the type; undefined where any text may be one. */
function textsOf(stored: FieldType): string | undefined {
  switch (stored.type) {
    case 'integer':
    case 'bigint':
      return '^[1-9][0-9]$';
    case 'decimal':
      return stored.scale === 0 ? '^[1-9]$' : `^[1-9]\\.[0-9]{${stored.scale}}$`;
    case 'date':
      return '^2026-01-1[0-9]$';
    case 'uuid':
      return '^8d3f5a1c-4b6e-4f70-9a2b-0000000000[0-9]{2}$';
    case 'enum':
      return `^(?:${stored.values.map((value) => value.replace(/[\\^$.*+?()[\]{}|/-]/g, String.raw`\$&`)).join('|')})$`;
    default:
      return undefined;
  }
}
