/** The filter types of list parameters: how the values of a filter are parsed and validated. */
import { DATE_PATTERN, integer, NO_NUL, TIMESTAMP_PATTERN } from './shapes.ts';
import { canonicalTimestamp, isDate } from './values.ts';
import { isUuid } from './uuid.ts';

export type Operator = 'eq' | 'ne' | 'gt' | 'gte' | 'lt' | 'lte' | 'in' | 'null';

/** The operators that need ordered values. */
export const ORDERED: readonly Operator[] = ['gt', 'gte', 'lt', 'lte'];

/** The maximum number of values of `in`. */
export const MAX_IN_VALUES = 100;

/** How the values of a filter are parsed and documented. */
export interface Filterable {
  /** Parses a value; undefined if it is invalid. */
  readonly read: (text: string) => string | number | boolean | undefined;
  /** Describes valid values, for messages. */
  readonly hint: string;
  /** The supported operators besides those of every filter: `eq`, `ne`, `in` and `null`. */
  readonly operators: readonly Operator[];
  /** The JSON Schema of the values, for the OpenAPI document. */
  readonly schema: Readonly<Record<string, unknown>>;
}

const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

export const byString = (): Filterable => ({
  read: (text) => text,
  hint: '',
  operators: ORDERED,
  schema: { type: 'string', pattern: NO_NUL },
});

export const byInteger = (): Filterable => ({
  read: (text) => {
    const value = NUMBER.test(text) ? Number(text) : Number.NaN;
    return Number.isSafeInteger(value) ? value : undefined;
  },
  hint: 'it takes an integer',
  operators: ORDERED,
  schema: { ...integer() },
});

export const byNumber = (): Filterable => ({
  read: (text) => {
    const value = NUMBER.test(text) ? Number(text) : Number.NaN;
    return Number.isFinite(value) ? value : undefined;
  },
  hint: 'it takes a number',
  operators: ORDERED,
  schema: { type: 'number' },
});

export const byDate = (): Filterable => ({
  read: (text) => (isDate(text) ? text : undefined),
  hint: 'it takes a date as YYYY-MM-DD',
  operators: ORDERED,
  schema: { type: 'string', format: 'date', pattern: DATE_PATTERN },
});

export const byTimestamp = (): Filterable => ({
  read: canonicalTimestamp,
  hint: 'it takes a time such as 2026-01-31T12:00:00Z (a plus sign is written %2B)',
  operators: ORDERED,
  schema: { type: 'string', format: 'date-time', pattern: TIMESTAMP_PATTERN },
});

export const byBoolean = (): Filterable => ({
  read: (text) => (text === 'true' ? true : text === 'false' ? false : undefined),
  hint: 'it takes true or false',
  operators: [],
  schema: { type: 'boolean' },
});

/** For UUIDs, references included. */
export const byUuid = (): Filterable => ({
  read: (text) => (isUuid(text) ? text.toLowerCase() : undefined),
  hint: 'it takes a UUID',
  operators: [],
  schema: { type: 'string', format: 'uuid' },
});

export const byEnum = (values: readonly string[]): Filterable => ({
  read: (text) => (values.includes(text) ? text : undefined),
  hint: `it takes one of ${values.map((value) => JSON.stringify(value)).join(', ')}`,
  operators: [],
  schema: { type: 'string', enum: values },
});
