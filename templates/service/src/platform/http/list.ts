/** Parses the query of a list: paging, sorting, filters, sparse fields, and other parameters of the collection. */
import type { FastifyRequest } from 'fastify';

import type { Services } from '../services.ts';
import { badRequest } from './errors.ts';
import type { KeysetPosition } from './cursor.ts';
import { MAX_IN_VALUES } from './filters.ts';
import type { Filterable, Operator } from './filters.ts';
import { refuseLongLinks } from './page.ts';
import { readQuery, unknownParameters } from './query.ts';
import type { Query } from './query.ts';

export type { Filterable } from './filters.ts';

/** What the lists of a collection support. */
export interface ListOptions {
  /** The default and the maximum of `limit`. */
  readonly pages: { readonly default: number; readonly maximum: number };
  /** The members of an item, for `fields`. */
  readonly members: readonly string[];
  readonly sort: readonly string[];
  /** The filterable members. */
  readonly filter: Readonly<Record<string, Filterable>>;
  /** Other parameters that select items, such as `q`. */
  readonly parameters?: Readonly<Record<string, ListParameter>>;
}

/** A parameter of a list that selects items. */
export interface ListParameter {
  /**
   * What its text selects; undefined: the request does not have it.
   * @throws 400 for an invalid text.
   */
  readonly read: (text: string | undefined) => Partial<Pick<ListRequest, 'filters' | 'words'>>;
  /** The JSON Schema of its values, for the OpenAPI document. */
  readonly schema: Readonly<Record<string, unknown>>;
}

export interface Filter {
  readonly member: string;
  readonly operator: Operator;
  /** An array for `in`, a boolean for `null`. */
  readonly value: unknown;
}

export interface SortKey {
  readonly member: string;
  readonly descending: boolean;
}

/** The parsed query of a list. */
export interface ListRequest {
  /** The path of the list without version: `authors/{id}/books`. */
  readonly path: string;
  readonly limit: number;
  readonly position: KeysetPosition | undefined;
  readonly sort: readonly SortKey[];
  readonly filters: readonly Filter[];
  /** The words of `q`, all of which must occur; empty without a search. */
  readonly words: readonly string[];
  /** The members named by `fields`; undefined for all. */
  readonly members: readonly string[] | undefined;
  /** The maximum size of the page, in bytes; a single larger item is still served. */
  readonly bytes: number;
  readonly count: boolean;
  /** Identifies the list that cursors are bound to. */
  readonly identity: string;
}

/** The operators that every filter has, besides `eq`. */
const COMMON: readonly Operator[] = ['ne', 'in', 'null'];
/** The parameters of every list. */
const PARAMETERS: readonly string[] = ['limit', 'cursor', 'sort', 'fields', 'count'];

/**
 * Parses the query of a list.
 * @param path the path of the list without version, which cursors are bound to.
 * @param others parameters that the caller reads.
 * @throws 400 for an unknown, invalid or repeated parameter, which it names; 414 if the links of the
 * page would be too long.
 */
export function readList(
  request: FastifyRequest,
  options: ListOptions,
  { cursors, pageBytes }: Pick<Services, 'cursors' | 'pageBytes'>,
  path: string,
  ...others: readonly string[]
): ListRequest {
  const query = readQuery(request);
  refuseUnknown(query, options, others);
  refuseLongLinks(request);
  const sortText = joined(query, 'sort');
  const sort = sortText === undefined ? [] : readSort(sortText, options.sort);
  const filters = readFilters(query, options.filter);
  const words: string[] = [];
  for (const [name, { read }] of Object.entries(options.parameters ?? {})) {
    const selected = read(single(query, name));
    filters.push(...(selected.filters ?? []));
    words.push(...(selected.words ?? []));
  }
  const identity = JSON.stringify([request.api.version, path, sort, filters, words]);
  const cursor = single(query, 'cursor');
  return {
    path,
    limit: readLimit(single(query, 'limit'), options.pages),
    position: cursor === undefined ? undefined : cursors.read(cursor, identity),
    sort,
    filters,
    words,
    members: readMembers(joined(query, 'fields'), options.members),
    bytes: pageBytes,
    count: readBoolean('count', single(query, 'count')) ?? false,
    identity,
  };
}

function refuseUnknown(query: Query, options: ListOptions, others: readonly string[]): void {
  const own = Object.keys(options.parameters ?? {});
  const known = [...PARAMETERS, ...own, ...others, ...Object.keys(options.filter)];
  const unknown = [...query.keys()].filter(
    (name) => !known.includes(name) && !Object.hasOwn(options.filter, splitOperator(name)[0]),
  );
  if (unknown.length > 0) throw unknownParameters(unknown, known);
}

/** `price[gte]` is the operator `gte` on `price`; without brackets it is `eq`. */
function splitOperator(name: string): [member: string, operator: Operator] {
  const match = /^([^[\]]+)\[([a-z]+)\]$/.exec(name);
  return match === null ? [name, 'eq'] : [match[1] ?? '', match[2] as Operator];
}

/** The value of a parameter. @throws 400 if it occurs several times. */
export function single(query: Query, name: string): string | undefined {
  const values = query.get(name);
  if (values !== undefined && values.length > 1) {
    throw badRequest(`The parameter "${name}" occurs ${values.length} times: send it once.`);
  }
  return values?.[0];
}

/**
 * The comma-separated values of a parameter that may occur several times: `sort=a&sort=b` is
 * `sort=a,b`. Generated clients send arrays in either form, whatever the OpenAPI document says.
 */
const joined = (query: Query, name: string): string | undefined => query.get(name)?.join(',');

function readLimit(text: string | undefined, pages: ListOptions['pages']): number {
  if (text === undefined) return pages.default;
  const limit = /^[1-9]\d{0,9}$/.test(text) ? Number(text) : Number.NaN;
  if (!(limit <= pages.maximum)) {
    throw badRequest(`The parameter "limit" must be an integer from 1 to ${pages.maximum}.`);
  }
  return limit;
}

function readSort(text: string, sortable: readonly string[]): SortKey[] {
  if (sortable.length === 0) throw badRequest('This list has one order only: leave out "sort".');
  const keys = text.split(',').map((part) => ({
    member: part.replace(/^-/, ''),
    descending: part.startsWith('-'),
  }));
  for (const [at, { member }] of keys.entries()) {
    if (!sortable.includes(member)) {
      throw badRequest(
        `The parameter "sort" does not support ${JSON.stringify(member)}. ` +
          `Supported: ${sortable.join(', ')}, each with a leading minus for descending order.`,
      );
    }
    if (keys.findIndex((key) => key.member === member) !== at) {
      throw badRequest(`The parameter "sort" names ${JSON.stringify(member)} twice.`);
    }
  }
  return keys;
}

function readFilters(query: Query, filterable: ListOptions['filter']): Filter[] {
  const filters: Filter[] = [];
  for (const name of query.keys()) {
    const [member, operator] = splitOperator(name);
    const type = Object.hasOwn(filterable, member) ? filterable[member] : undefined;
    if (type === undefined) continue;
    const text = single(query, name) ?? '';
    filters.push({ member, operator, value: readFilterValue(name, operator, text, type) });
  }
  // Filters in another order are the same list, so their cursors are interchangeable.
  return filters.toSorted((one, other) => (nameOf(one) < nameOf(other) ? -1 : 1));
}

const nameOf = ({ member, operator }: Filter): string => `${member}[${operator}]`;

function readFilterValue(
  name: string,
  operator: Operator,
  text: string,
  type: Filterable,
): unknown {
  const supported = [...COMMON, ...type.operators];
  if (name.endsWith(']') && !supported.includes(operator)) {
    throw badRequest(
      `The parameter "${name}" is not supported. Supported operators: ${supported.join(', ')}.`,
    );
  }
  if (operator === 'null') return readBoolean(name, text);
  const texts = operator === 'in' ? splitValues(name, text) : [text];
  const values = texts.map((part) => {
    const value = type.read(part);
    if (value === undefined) {
      throw badRequest(`The parameter "${name}" has ${JSON.stringify(part)}, but ${type.hint}.`);
    }
    return value;
  });
  return operator === 'in' ? values : values[0];
}

/** Splits comma-separated values, which may be quoted as in CSV: `1,"a ""b"", c"`. */
function splitValues(name: string, text: string): string[] {
  const values: string[] = [];
  const value = /(?:"((?:[^"]|"")*)"|([^",]*))(,|$)/y;
  for (let more = true; more;) {
    const match = value.exec(text);
    if (match === null) {
      throw badRequest(
        `The parameter "${name}" has an unbalanced double quote: enclose the value in double quotes, ` +
          'and double each quote inside.',
      );
    }
    values.push(match[1]?.replaceAll('""', '"') ?? match[2] ?? '');
    more = match[3] === ',';
  }
  if (values.length > MAX_IN_VALUES) {
    throw badRequest(`The parameter "${name}" takes at most ${MAX_IN_VALUES} values.`);
  }
  return values;
}

function readBoolean(name: string, text: string | undefined): boolean | undefined {
  if (text === undefined) return undefined;
  if (text !== 'true' && text !== 'false') {
    throw badRequest(`The parameter "${name}" must be true or false.`);
  }
  return text === 'true';
}

function readMembers(
  text: string | undefined,
  known: readonly string[],
): readonly string[] | undefined {
  if (text === undefined) return undefined;
  const names = new Set(text.split(','));
  for (const name of names) {
    if (!known.includes(name)) {
      throw badRequest(
        `The parameter "fields" does not support ${JSON.stringify(name)}. ` +
          `Supported: ${known.join(', ')}.`,
      );
    }
  }
  return known.filter((name) => name === 'id' || names.has(name));
}
