/** Validates bodies against a schema, and describes all problems in one sentence. */
import type { TObject } from 'typebox';
import { Compile } from 'typebox/compile';
import type { TLocalizedValidationError } from 'typebox/error';
import { Errors } from 'typebox/value';

import { unprocessable } from './errors.ts';
import { isObject } from './json.ts';
import type { JsonObject } from './json.ts';
import { formatHint } from './shapes.ts';
import type { ShapeParts } from './shapes.ts';

/** One problem of a body. */
export interface Problem {
  /** The top-level member; empty for the body as a whole. */
  readonly name: string;
  /** The full path, for messages: `address.city` or `tags[2]`. */
  readonly member: string;
  readonly text: string;
}

/** Finds the problems of a body; an empty array if it is valid. */
export type Validator = (body: JsonObject) => Problem[];

/** The maximum number of reported problems; it bounds the time that validation takes. */
const MAX_PROBLEMS = 100;

/**
 * Compiles the schema of a body.
 * @param readOnly members that a body must not have because the service sets them.
 */
export function validator(shape: TObject, readOnly: readonly string[] = []): Validator {
  const compiled = Compile(shape);
  const unwritable = new Set(readOnly);
  return (body) => {
    if (isWithinBounds(shape, body) && compiled.Check(body)) return [];
    const problems: Problem[] = [];
    for (const problem of problemsIn(shape, body, [], unwritable)) {
      if (problems.length === MAX_PROBLEMS) {
        problems.push({ name: '', member: 'the body', text: 'has more problems than these' });
        return problems;
      }
      problems.push(problem);
    }
    if (problems.length === 0) throw new Error('a body is invalid, but no problem was found');
    return problems;
  };
}

/** Whether no list has too many items. It is checked first, so that excess items cost no time. */
function isWithinBounds({ properties, maxItems = Infinity }: ShapeParts, value: unknown): boolean {
  if (Array.isArray(value)) return value.length <= maxItems;
  if (properties === undefined || !isObject(value)) return true;
  return Object.entries(properties).every(([name, member]) => isWithinBounds(member, value[name]));
}

/** Yields the problems of a value; a generator, so that the caller can stop at a maximum. */
function* problemsIn(
  shape: ShapeParts,
  value: unknown,
  path: readonly string[],
  unwritable: ReadonlySet<string> = new Set(),
): Generator<Problem> {
  const { properties, items, required = [] } = shape;
  if (items !== undefined && Array.isArray(value)) {
    yield* problemsInList(shape, items, value, path);
  } else if (properties !== undefined && isObject(value)) {
    for (const name of Object.keys(value)) {
      if (Object.hasOwn(properties, name)) continue;
      const text = unwritable.has(name) ? 'is read-only' : 'is not a known member';
      yield problemAt([...path, name], text);
    }
    for (const [name, member] of Object.entries(properties)) {
      if (Object.hasOwn(value, name)) yield* problemsIn(member, value[name], [...path, name]);
      else if (required.includes(name)) yield problemAt([...path, name], 'is required');
    }
  } else {
    const messages = Errors(shape, value).flatMap((error) => explain(error, value) ?? []);
    for (const text of new Set(messages)) yield problemAt(path, text);
  }
}

function* problemsInList(
  shape: ShapeParts,
  items: ShapeParts,
  values: readonly unknown[],
  path: readonly string[],
): Generator<Problem> {
  const { minItems = 0, maxItems = Infinity, '~refine': refinements = [] } = shape;
  if (values.length > maxItems) {
    yield problemAt(path, `must have at most ${count(maxItems, 'item')}`);
    return;
  }
  if (values.length < minItems)
    yield problemAt(path, `must have at least ${count(minItems, 'item')}`);
  const compiled = Compile(items);
  let areValid = true;
  for (const [at, value] of values.entries()) {
    if (compiled.Check(value)) continue;
    areValid = false;
    yield* problemsIn(items, value, [...path, String(at)]);
  }
  if (!areValid) return;
  for (const { check, error } of refinements) {
    if (!check(values)) yield problemAt(path, error(values));
  }
}

const problemAt = (path: readonly string[], text: string): Problem => ({
  name: path[0] ?? '',
  member: path.reduce(appendMember, ''),
  text,
});

/** @throws 422 with a sentence that names every problem, if there are any. */
export function refuse(problems: readonly Problem[]): void {
  if (problems.length === 0) return;
  throw unprocessable(`${problems.map(({ member, text }) => `${member} ${text}`).join('; ')}.`);
}

/** The message for an error of a single value; undefined if another error covers it. */
function explain(error: TLocalizedValidationError, value: unknown): string | undefined {
  switch (error.keyword) {
    case 'type':
      return typeHint([error.params.type].flat(), value);
    case 'enum': {
      if (typeof value !== 'string') return undefined;
      const allowed = error.params.allowedValues.filter((one) => one !== null);
      return `must be one of ${allowed.map((one) => JSON.stringify(one)).join(', ')}`;
    }
    case 'minLength':
      return `must have at least ${count(error.params.limit, 'character')}`;
    case 'maxLength':
      return `must have at most ${count(error.params.limit, 'character')}`;
    case 'format':
      return formatHint(error.params.format);
    case 'minimum':
      return `must be at least ${error.params.limit}`;
    case 'maximum':
      return `must be at most ${error.params.limit}`;
    default:
      return error.message;
  }
}

const TYPE_NAMES: Readonly<Record<string, string>> = {
  string: 'a string',
  integer: 'an integer',
  number: 'a number',
  boolean: 'true or false',
  array: 'an array',
  object: 'an object',
};

function typeHint(types: readonly string[], value: unknown): string {
  if (value === null) return 'must not be null';
  const isNumeric = types.includes('number') || types.includes('integer');
  if (isNumeric && typeof value === 'number' && !Number.isFinite(value)) {
    return types.includes('integer')
      ? `must be an integer from ${Number.MIN_SAFE_INTEGER} to ${Number.MAX_SAFE_INTEGER}`
      : 'must be a number that a double holds exactly';
  }
  const name = types.find((type) => type !== 'null') ?? '';
  return `must be ${TYPE_NAMES[name] ?? name}${types.includes('null') ? ' or null' : ''}`;
}

const count = (limit: number | bigint, noun: string): string =>
  `${limit} ${noun}${Number(limit) === 1 ? '' : 's'}`;

function appendMember(path: string, name: string): string {
  if (/^\d+$/.test(name) && path !== '') return `${path}[${name}]`;
  const shown = /^[A-Za-z_][A-Za-z0-9_]*$/.test(name) ? name : JSON.stringify(name);
  return path === '' ? shown : `${path}.${shown}`;
}
