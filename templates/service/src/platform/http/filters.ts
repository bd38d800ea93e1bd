/** The filter types of list parameters: how the values of a filter are parsed and validated. */
import { DATE_PATTERN, integer, NO_NUL, TIMESTAMP_PATTERN } from './shapes.ts';
import { canonicalTimestamp, isDate } from './values.ts';
import { isUuid } from './uuid.ts';

/** How the values of a filter are parsed and documented. */
export interface Filterable {
  /** Parses a value; undefined if it is invalid. */
  readonly read: (text: string) => string | number | boolean | undefined;
  /** Describes valid values, for messages. */
  readonly hint: string;
  /** Whether `gt`, `gte`, `lt` and `lte` are supported. */
  readonly ordered: boolean;
  /** The JSON Schema of the values, for the OpenAPI document. */
  readonly schema: Readonly<Record<string, unknown>>;
}

const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

export const byString = (): Filterable => ({
  read: (text) => text,
  hint: '',
  ordered: true,
  schema: { type: 'string', pattern: NO_NUL },
});

export const byInteger = (): Filterable => ({
  read: (text) => {
    const value = NUMBER.test(text) ? Number(text) : Number.NaN;
    return Number.isSafeInteger(value) ? value : undefined;
  },
  hint: 'it takes an integer',
  ordered: true,
  schema: { ...integer() },
});

export const byNumber = (): Filterable => ({
  read: (text) => {
    const value = NUMBER.test(text) ? Number(text) : Number.NaN;
    return Number.isFinite(value) ? value : undefined;
  },
  hint: 'it takes a number',
  ordered: true,
  schema: { type: 'number' },
});

export const byDate = (): Filterable => ({
  read: (text) => (isDate(text) ? text : undefined),
  hint: 'it takes a date as YYYY-MM-DD',
  ordered: true,
  schema: { type: 'string', format: 'date', pattern: DATE_PATTERN },
});

export const byTimestamp = (): Filterable => ({
  read: canonicalTimestamp,
  hint: 'it takes a time such as 2026-01-31T12:00:00Z (a plus sign is written %2B)',
  ordered: true,
  schema: { type: 'string', format: 'date-time', pattern: TIMESTAMP_PATTERN },
});

export const byBoolean = (): Filterable => ({
  read: (text) => (text === 'true' ? true : text === 'false' ? false : undefined),
  hint: 'it takes true or false',
  ordered: false,
  schema: { type: 'boolean' },
});

/** For UUIDs, references included. */
export const byUuid = (): Filterable => ({
  read: (text) => (isUuid(text) ? text.toLowerCase() : undefined),
  hint: 'it takes a UUID',
  ordered: false,
  schema: { type: 'string', format: 'uuid' },
});

export const byEnum = (values: readonly string[]): Filterable => ({
  read: (text) => (values.includes(text) ? text : undefined),
  hint: `it takes one of ${values.map((value) => JSON.stringify(value)).join(', ')}`,
  ordered: false,
  schema: { type: 'string', enum: values },
});
