/** What is wrong with a body, told in one sentence that names every offending member. */
import type { TObject } from 'typebox';
import { Compile } from 'typebox/compile';
import type { TLocalizedValidationError } from 'typebox/error';
import System from 'typebox/system';

import { unprocessable } from './errors.ts';
import type { JsonObject } from './json.ts';
import { formatHint } from './shapes.ts';
import type { ShapeParts } from './shapes.ts';

/** One thing that is wrong. */
export interface Problem {
  /** The member of the body that it is in; empty for the body as a whole. */
  readonly name: string;
  /** The whole way to it, for a person: `address.city` or `tags[2]`. */
  readonly member: string;
  readonly text: string;
}

/** Tells what is wrong with a body; nothing where all is well. */
export type Validator = (body: JsonObject) => Problem[];

/** Members that every item has, and that this service alone writes. */
const ITEM_MEMBERS = ['id', 'created_at', 'updated_at'];

/** A client is told all that is wrong at once; the message is cut long before as many. */
const MOST_ERRORS = 1000;

System.Settings.Set({ maxErrors: MOST_ERRORS });

/**
 * Compiles the shape of a body. `readOnly` are members that items have but a body may not.
 */
export function validator(shape: TObject, readOnly: readonly string[] = []): Validator {
  const compiled = Compile(shape);
  const unwritable = new Set([...ITEM_MEMBERS, ...readOnly]);
  return (body) => {
    if (compiled.Check(body)) return [];
    // Members that are unknown come first and by themselves: so many of them can be in a body that
    // nothing else would be found.
    const unknown = unknownMembers(shape, body, unwritable);
    if (unknown.length > 0) return unknown;
    const problems = new Map<string, Problem>();
    const errors = compiled.Errors(body);
    if (errors.length >= MOST_ERRORS) {
      problems.set('', {
        name: '',
        member: 'the body',
        text: 'has more problems than can be told',
      });
    }
    for (const error of errors) {
      for (const problem of explain(error, body)) {
        problems.set(`${problem.member} ${problem.text}`, problem);
      }
    }
    if (problems.size === 0) throw new Error('a body was refused for no reason');
    return [...problems.values()];
  };
}

/** Unknown members that are told at once. */
const MOST_UNKNOWN = 100;

/** The members of a body, and of the objects in it, that its shape does not have. */
function unknownMembers(
  shape: ShapeParts,
  value: unknown,
  unwritable: ReadonlySet<string>,
  path: readonly string[] = [],
): Problem[] {
  const { properties, items } = shape;
  if (typeof value !== 'object' || value === null) return [];
  const problems: Problem[] = [];
  for (const [name, part] of Object.entries(value)) {
    if (problems.length >= MOST_UNKNOWN) break;
    const member = Array.isArray(value) ? items : properties?.[name];
    if (member !== undefined) {
      problems.push(...unknownMembers(member, part, unwritable, [...path, name]));
    } else if (properties !== undefined && !Array.isArray(value)) {
      const isReadOnly = path.length === 0 && unwritable.has(name);
      const text = isReadOnly ? 'is read-only' : 'is not a known member';
      problems.push(problemAt([...path, name], text));
    }
  }
  return problems;
}

const problemAt = (path: readonly string[], text: string): Problem => ({
  name: path[0] ?? '',
  member: path.reduce(appendMember, ''),
  text,
});

/** Throws 422 with a sentence that names every problem; does nothing where there is none. */
export function refuse(problems: readonly Problem[]): void {
  if (problems.length === 0) return;
  throw unprocessable(`${problems.map(({ member, text }) => `${member} ${text}`).join('; ')}.`);
}

function explain(error: TLocalizedValidationError, body: JsonObject): Problem[] {
  const path = error.instancePath.split('/').slice(1).map(unescapePointer);
  const problem = (text: string, ...more: string[]): Problem => problemAt([...path, ...more], text);
  switch (error.keyword) {
    case 'required':
      return error.params.requiredProperties
        .filter((name) => !Object.hasOwn(valueAt(body, path) as JsonObject, name))
        .map((name) => problem('is required', name));
    case 'type':
      return [problem(typeHint([error.params.type].flat(), valueAt(body, path)))];
    case 'enum': {
      const values = error.params.allowedValues.filter((value) => value !== null);
      const given = valueAt(body, path);
      if (typeof given !== 'string') return [];
      return [problem(`must be one of ${values.map((value) => JSON.stringify(value)).join(', ')}`)];
    }
    case 'minLength':
      return [problem(`must have at least ${count(error.params.limit, 'character')}`)];
    case 'maxLength':
      return [problem(`must have at most ${count(error.params.limit, 'character')}`)];
    case 'format':
      return [problem(formatHint(error.params.format))];
    case 'minimum':
      return [problem(`must be at least ${error.params.limit}`)];
    case 'maximum':
      return [problem(`must be at most ${error.params.limit}`)];
    case 'minItems':
      return [problem(`must have at least ${count(error.params.limit, 'item')}`)];
    case 'maxItems':
      return [problem(`must have at most ${count(error.params.limit, 'item')}`)];
    default:
      return [problem(error.message)];
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

function typeHint(types: readonly string[], given: unknown): string {
  if (given === null) return 'must not be null';
  const isNumeric = types.includes('number') || types.includes('integer');
  if (isNumeric && typeof given === 'number' && !Number.isFinite(given)) {
    return types.includes('integer')
      ? `must be an integer from ${Number.MIN_SAFE_INTEGER} to ${Number.MAX_SAFE_INTEGER}`
      : 'must be a number that a double holds exactly';
  }
  const name = types.find((type) => type !== 'null') ?? '';
  return `must be ${TYPE_NAMES[name] ?? name}${types.includes('null') ? ' or null' : ''}`;
}

const count = (limit: number | bigint, noun: string): string =>
  `${limit} ${noun}${Number(limit) === 1 ? '' : 's'}`;

const unescapePointer = (part: string): string => part.replaceAll('~1', '/').replaceAll('~0', '~');

function appendMember(path: string, name: string): string {
  if (/^\d+$/.test(name) && path !== '') return `${path}[${name}]`;
  const shown = /^[A-Za-z_][A-Za-z0-9_]*$/.test(name) ? name : JSON.stringify(name);
  return path === '' ? shown : `${path}.${shown}`;
}

function valueAt(value: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>((at, name) => (at as JsonObject)[name], value);
}
