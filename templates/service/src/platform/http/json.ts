/**
 * JSON of request bodies: a strict parser, comparison, and merge patches. `JSON.parse` silently drops
 * duplicate members and rounds large numbers; `parseJsonObject` refuses both.
 */
import { isUtf8 } from 'node:buffer';

import type { TSchema } from 'typebox';

import { badRequest, unprocessable } from './errors.ts';
import type { ShapeParts } from './shapes.ts';

/** A JSON object without a prototype, so that a lookup finds only members of the body. */
export type JsonObject = Record<string, unknown>;

/** The maximum nesting depth of arrays and objects. */
const MAX_DEPTH = 64;
/**
 * The maximum number of different names in a body. Objects with many names take JavaScript a hundred times
 * longer than as many records with the same names, so 1 MB of them would block the event loop.
 */
export const MAX_NAMES = 10_000;
const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf];
const NUMBER = /-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
/** A number literal that `JSON.parse` reads as Infinity, which no schema accepts. */
const OUT_OF_RANGE = '1e999';

/**
 * Parses a body. Numbers that a double cannot hold exactly become Infinity, so that validation
 * refuses them and names their member.
 * @throws 400 if the body is empty, malformed, not UTF-8 or not an object, has a duplicate member or
 * one named `__proto__`, or is nested too deep; 422 if its members have more than `MAX_NAMES` names.
 */
export function parseJsonObject(bytes: Buffer): JsonObject {
  if (bytes.length === 0) throw badRequest('The body is empty: a JSON object is needed.');
  if (BYTE_ORDER_MARK.every((byte, at) => bytes[at] === byte)) {
    throw badRequest('The body begins with a byte order mark: send it without.');
  }
  if (!isUtf8(bytes)) throw badRequest('The body is not encoded in UTF-8.');
  const text = bytes.toString('utf8');
  const parsed = parse(text);
  const marked = markInexactNumbers(text);
  const value = marked === text ? parsed : parse(marked);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw badRequest('The body must be a JSON object.');
  }
  return withoutPrototypes(value) as JsonObject;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw badRequest(`The body is not JSON: ${(error as Error).message}.`);
  }
}

/**
 * Scans valid JSON text and replaces numbers that a double cannot hold by `OUT_OF_RANGE`.
 * @throws 400 for duplicate members, `__proto__`, and too deep nesting; 422 for too many names.
 */
function markInexactNumbers(text: string): string {
  const openObjects: (Set<string> | undefined)[] = [];
  const names = new Set<string>();
  let marked = '';
  let copied = 0;
  for (let at = 0; at < text.length; at++) {
    const character = text[at];
    if (character === '{' || character === '[') {
      openObjects.push(character === '{' ? new Set() : undefined);
      if (openObjects.length > MAX_DEPTH) {
        throw badRequest(`The body is nested deeper than ${MAX_DEPTH} levels.`);
      }
    } else if (character === '}' || character === ']') {
      openObjects.pop();
    } else if (character === '"') {
      const end = endOfString(text, at);
      if (isFollowedByColon(text, end)) {
        addName(names, addMember(openObjects.at(-1), text.slice(at, end)));
      }
      at = end - 1;
    } else if (
      character === '-' ||
      (character !== undefined && character >= '0' && character <= '9')
    ) {
      NUMBER.lastIndex = at;
      const [token = ''] = NUMBER.exec(text) ?? [];
      if (!isExact(token)) {
        marked += text.slice(copied, at) + OUT_OF_RANGE;
        copied = at + token.length;
      }
      at += token.length - 1;
    }
  }
  return copied === 0 ? text : marked + text.slice(copied);
}

/**
 * Whether a double holds a number without loss that matters: integers without an exponent keep all
 * digits, and a non-zero number does not become zero.
 */
function isExact(token: string): boolean {
  const value = Number(token);
  if (value === 0) return !/[1-9]/.test(token.split(/[eE]/, 1)[0] ?? '');
  return !Number.isInteger(value) || Number.isSafeInteger(value) || /[eE]/.test(token);
}

/** The index after the closing quote of the string that starts at `start`. */
function endOfString(text: string, start: number): number {
  let at = start + 1;
  while (text[at] !== '"') at += text[at] === '\\' ? 2 : 1;
  return at + 1;
}

function isFollowedByColon(text: string, start: number): boolean {
  let at = start;
  while (text[at] === ' ' || text[at] === '\n' || text[at] === '\r' || text[at] === '\t') at++;
  return text[at] === ':';
}

/** Adds the name of a member to those of its object. @returns the name without quotes. */
function addMember(members: Set<string> | undefined, quoted: string): string {
  const name = quoted.includes('\\') ? (JSON.parse(quoted) as string) : quoted.slice(1, -1);
  if (name === '__proto__') throw badRequest('The body has a member called "__proto__".');
  if (members?.has(name) === true) throw badRequest(`The body has the member ${quoted} twice.`);
  members?.add(name);
  return name;
}

/** Adds a name to those of a body. @throws 422 if these are too many. */
function addName(names: Set<string>, name: string): void {
  names.add(name);
  if (names.size <= MAX_NAMES) return;
  throw unprocessable(
    `The members of the body have more than ${MAX_NAMES} different names: send fewer, or an array of ` +
      'objects with the same names.',
  );
}

/** Whether the members of a value, and of all values inside, have more than `MAX_NAMES` different names. */
export function hasTooManyNames(value: unknown, names: Set<string> = new Set()): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (Array.isArray(value)) return value.some((item) => hasTooManyNames(item, names));
  for (const name of Object.keys(value)) names.add(name);
  if (names.size > MAX_NAMES) return true;
  return Object.values(value).some((member) => hasTooManyNames(member, names));
}

function withoutPrototypes(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  // `Object.values` would copy each array and object and take several times longer.
  if (Array.isArray(value)) {
    for (const item of value) withoutPrototypes(item);
    return value;
  }
  for (const name of Object.keys(value)) withoutPrototypes((value as JsonObject)[name]);
  return Object.setPrototypeOf(value, null);
}

/** Whether two JSON values are equal: the order of members does not matter, and -0 equals 0. */
export const isSameJson = (left: unknown, right: unknown): boolean =>
  canonicalJson(left) === canonicalJson(right);

/** JSON with sorted members, so that equal values, and only these, have equal text. */
export const canonicalJson = (json: unknown): string =>
  JSON.stringify(json, (_name, value: unknown) => {
    // `parseJsonObject` yields Infinity for numbers that a double cannot hold. The quote keeps them
    // apart from strings.
    if (value === Infinity || value === -Infinity) return String(value);
    if (typeof value === 'string' && value.endsWith('Infinity')) return `"${value}`;
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
    return Object.fromEntries(
      Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1)),
    );
  });

/**
 * Applies a merge patch (RFC 7396) to the stored values. A declared member that is patched to null becomes null, and
 * not absent, because validation would fill an absent one with its default. Inside `json` members,
 * null removes the member, as in the RFC.
 */
export function applyPatch(shape: TSchema, current: JsonObject, patch: JsonObject): JsonObject {
  const { properties = {} }: ShapeParts = shape;
  const merged: JsonObject = Object.assign(Object.create(null), current);
  for (const name of Object.keys(patch)) {
    const value = patch[name];
    const member = properties[name];
    if (isObject(value) && member?.properties !== undefined) {
      const before = merged[name];
      merged[name] = applyPatch(member, isObject(before) ? before : {}, value);
    } else {
      merged[name] = isObject(value) ? mergeJson(merged[name], value) : value;
    }
  }
  return merged;
}

function mergeJson(current: unknown, patch: JsonObject): JsonObject {
  const merged: JsonObject = Object.assign(Object.create(null), isObject(current) ? current : {});
  for (const name of Object.keys(patch)) {
    const value = patch[name];
    if (value === null) delete merged[name];
    else merged[name] = isObject(value) ? mergeJson(merged[name], value) : value;
  }
  return merged;
}

/** Whether a JSON value is an object, and no array. */
export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
