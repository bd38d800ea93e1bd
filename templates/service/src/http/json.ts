/**
 * Bodies of requests as JSON, read strictly: what `JSON.parse` would accept and quietly change
 * (members that stand twice, integers that a double cannot hold) does not get through.
 */
import { isUtf8 } from 'node:buffer';

import { badRequest } from './errors.ts';

/** A JSON object, without a prototype: a member called `constructor` is there or it is not. */
export type JsonObject = Record<string, unknown>;

/** How deep arrays and objects may be nested in each other. */
const DEEPEST = 64;
const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf];
const NUMBER = /-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
/** Text for a number that no shape accepts: it is read as Infinity. */
const UNHOLDABLE = '1e999';

/**
 * Reads a body. Integers beyond what a double holds exactly come out as Infinity, so that the
 * shape of the body refuses them by name instead of storing a neighbour.
 * @throws 400 where it is empty, malformed, not UTF-8, no object, has a member twice or one
 * called `__proto__`, or is nested too deep.
 */
export function parseJsonObject(bytes: Buffer): JsonObject {
  if (bytes.length === 0) throw badRequest('The body is empty: a JSON object is needed.');
  if (BYTE_ORDER_MARK.every((byte, at) => bytes[at] === byte)) {
    throw badRequest('The body begins with a byte order mark: send it without.');
  }
  if (!isUtf8(bytes)) throw badRequest('The body is not encoded in UTF-8.');
  const text = bytes.toString('utf8');
  const plain = parse(text);
  const inspected = inspect(text);
  const value = inspected === text ? plain : parse(inspected);
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

/** Walks over text that is known to be JSON; gives it back with its unholdable integers marked. */
function inspect(text: string): string {
  const objects: (Set<string> | undefined)[] = [];
  let marked = '';
  let copied = 0;
  for (let at = 0; at < text.length; at++) {
    const character = text[at];
    if (character === '{' || character === '[') {
      objects.push(character === '{' ? new Set() : undefined);
      if (objects.length > DEEPEST) {
        throw badRequest(`The body is nested deeper than ${DEEPEST} levels.`);
      }
    } else if (character === '}' || character === ']') {
      objects.pop();
    } else if (character === '"') {
      const end = endOfString(text, at);
      if (isFollowedByColon(text, end)) noteMember(objects.at(-1), text.slice(at, end));
      at = end - 1;
    } else if (
      character === '-' ||
      (character !== undefined && character >= '0' && character <= '9')
    ) {
      NUMBER.lastIndex = at;
      const [token = ''] = NUMBER.exec(text) ?? [];
      if (!isHoldable(token)) {
        marked += text.slice(copied, at) + UNHOLDABLE;
        copied = at + token.length;
      }
      at += token.length - 1;
    }
  }
  return copied === 0 ? text : marked + text.slice(copied);
}

/**
 * Whether a double holds what a number says: integers that are written out keep all their digits,
 * and what is not zero does not become it.
 */
function isHoldable(token: string): boolean {
  const value = Number(token);
  if (value === 0) return !/[1-9]/.test(token.replace(/[eE].*$/s, ''));
  return !Number.isInteger(value) || Number.isSafeInteger(value) || /[eE]/.test(token);
}

/** The index after the closing quote of the string that opens at `start`. */
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

function noteMember(members: Set<string> | undefined, quoted: string): void {
  const name = JSON.parse(quoted) as string;
  if (name === '__proto__') throw badRequest('The body has a member called "__proto__".');
  if (members?.has(name) === true) throw badRequest(`The body has the member ${quoted} twice.`);
  members?.add(name);
}

function withoutPrototypes(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  for (const part of Object.values(value)) withoutPrototypes(part);
  return Array.isArray(value) ? value : Object.setPrototypeOf(value, null);
}

/** Whether two JSON values mean the same: members in any order, and zero without its sign. */
export function isSameJson(left: unknown, right: unknown): boolean {
  if (typeof left !== 'object' || typeof right !== 'object' || left === null || right === null) {
    return left === right;
  }
  if (Array.isArray(left) !== Array.isArray(right)) return false;
  const names = Object.keys(left);
  return (
    names.length === Object.keys(right).length &&
    names.every(
      (name) =>
        Object.hasOwn(right, name) &&
        isSameJson((left as JsonObject)[name], (right as JsonObject)[name]),
    )
  );
}
