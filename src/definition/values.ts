/**
 * Defaults, examples and bounds, checked as the service checks a value in a request: nothing is
 * converted, and what the field would refuse there is refused here.
 */
import { isNull, mismatch, shown } from './mismatch.ts';
import { hasFormat } from './formats.ts';
import type { Issues } from './issues.ts';
import { nearest } from './nearest.ts';
import { counted, enumerate, quote } from './quote.ts';
import {
  canonicalBigint,
  canonicalDecimal,
  canonicalTimestamp,
  canonicalUuid,
  compareExact,
  compareTimestamps,
  isDate,
} from './scalars.ts';
import { flag, isStorable, numberShape, text, whole } from './shapes.ts';
import type { Tree } from './tree.ts';
import type { FieldType, JsonValue, ListType, ObjectType, ScalarType } from './types.ts';

/**
 * Reads a value of a type, in the form in which the service answers it. `what` names it in
 * messages; undefined means that an issue was added.
 */
export function readValue(
  type: FieldType,
  tree: Tree,
  what: string,
  issues: Issues,
): JsonValue | undefined {
  switch (type.type) {
    case 'list':
      return readList(type, tree, what, issues);
    case 'object':
      return readObject(type, tree, what, issues);
    case 'json':
      return readJson(tree, what, issues);
    case 'reference':
      return readScalar({ type: 'uuid' }, tree, what, issues);
    default:
      return readScalar(type, tree, what, issues);
  }
}

function readScalar(
  type: ScalarType,
  tree: Tree,
  what: string,
  issues: Issues,
): JsonValue | undefined {
  switch (type.type) {
    case 'boolean':
      return flag.read(tree, what, issues);
    case 'integer': {
      const safe = whole(Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER);
      return within(type, safe.read(tree, what, issues), tree, what, issues, byNumber);
    }
    case 'number':
      return within(type, numberShape.read(tree, what, issues), tree, what, issues, byNumber);
    default:
      return readText(type, tree, what, issues);
  }
}

type TextType = Exclude<ScalarType, { readonly type: 'boolean' | 'integer' | 'number' }>;

function readText(type: TextType, tree: Tree, what: string, issues: Issues): string | undefined {
  const value = text().read(tree, what, issues);
  if (value === undefined) return undefined;
  const refuse = (why: string, write: string): undefined => {
    issues.add(tree.at, 'bad-value', `${what} ${quote(value)} ${why}. Write ${write}.`);
    return undefined;
  };
  switch (type.type) {
    case 'string':
    case 'text':
      return readString(type, value, refuse);
    case 'bigint': {
      const canonical = canonicalBigint(value);
      if (canonical === undefined) return refuse('is not a 64-bit integer', "one such as '0'");
      return within(type, canonical, tree, what, issues, compareExact);
    }
    case 'decimal': {
      const result = canonicalDecimal(value, type.precision, type.scale);
      if ('problem' in result) return refuse(result.problem, `one such as ${sample(type.scale)}`);
      return within(type, result.text, tree, what, issues, compareExact);
    }
    case 'date':
      if (!isDate(value)) return refuse('is not a date that exists', 'one such as 2026-01-31');
      return within(type, value, tree, what, issues, byText);
    case 'timestamp': {
      const canonical = canonicalTimestamp(value);
      if (canonical === undefined) {
        return refuse('is not a moment with an offset', 'one such as 2026-01-31T12:00:00Z');
      }
      return within(type, canonical, tree, what, issues, compareTimestamps);
    }
    case 'uuid':
      return (
        canonicalUuid(value) ??
        refuse('is not a UUID', 'one such as 01890a5d-ac96-774b-bcce-b302099a8057')
      );
    default: {
      if (type.values.includes(value)) return value;
      const near = nearest(value, type.values);
      const few = type.values.slice(0, 10).map(quote);
      return refuse('is not one of the values', near ? quote(near) : enumerate(few, 'or'));
    }
  }
}

function sample(scale: number): string {
  return scale === 0 ? "'0'" : `'0.${'0'.repeat(Math.min(scale, 4))}'`;
}

type Refuse = (why: string, write: string) => undefined;

function readString(
  type: Extract<ScalarType, { readonly type: 'string' | 'text' }>,
  value: string,
  refuse: Refuse,
): string | undefined {
  const length = countCodePoints(value);
  if (type.maxLength !== undefined && length > type.maxLength) {
    const few = `${counted(type.maxLength, 'character')} or fewer`;
    return refuse(`has ${counted(length, 'character')}: max_length is ${type.maxLength}`, few);
  }
  if (type.type === 'text') return value;
  if (type.minLength !== undefined && length < type.minLength) {
    const many = `${counted(type.minLength, 'character')} or more`;
    return refuse(`has ${counted(length, 'character')}: min_length is ${type.minLength}`, many);
  }
  if (type.pattern !== undefined && !new RegExp(type.pattern, 'u').test(value)) {
    return refuse(`does not match the pattern ${quote(type.pattern)}`, 'one that does');
  }
  if (type.format !== undefined && !hasFormat(value, type.format)) {
    return refuse(`does not have the format ${type.format}`, 'one that does');
  }
  return value;
}

function countCodePoints(value: string): number {
  let count = 0;
  for (const _ of value) count += 1;
  return count;
}

const byNumber = (a: number, b: number): number => a - b;
const byText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** The value, where it lies within the bounds of its type. */
function within<T extends number | string>(
  type: { readonly minimum?: T; readonly maximum?: T },
  value: T | undefined,
  tree: Tree,
  what: string,
  issues: Issues,
  compare: (a: T, b: T) => number,
): T | undefined {
  if (value === undefined) return undefined;
  if (type.minimum !== undefined && compare(value, type.minimum) < 0) {
    const message = `${what} ${shown(tree)} is under minimum ${type.minimum}. Write ${type.minimum} or more.`;
    issues.add(tree.at, 'bad-value', message);
    return undefined;
  }
  if (type.maximum !== undefined && compare(value, type.maximum) > 0) {
    const message = `${what} ${shown(tree)} is over maximum ${type.maximum}. Write ${type.maximum} or less.`;
    issues.add(tree.at, 'bad-value', message);
    return undefined;
  }
  return value;
}

/** Whether the lower of two bounds, both in canonical form, is over the upper one. */
export function boundsCross(type: ScalarType): boolean {
  if (!('minimum' in type) || !('maximum' in type)) return false;
  const { minimum, maximum } = type;
  if (typeof minimum === 'number' && typeof maximum === 'number') return minimum > maximum;
  if (typeof minimum !== 'string' || typeof maximum !== 'string') return false;
  if (type.type === 'timestamp') return compareTimestamps(minimum, maximum) > 0;
  return (type.type === 'date' ? byText : compareExact)(minimum, maximum) > 0;
}

function readList(type: ListType, tree: Tree, what: string, issues: Issues): JsonValue | undefined {
  if (tree.kind !== 'list') return mismatch(tree, what, 'a list', undefined, issues);
  const { length } = tree.items;
  const refuse = (why: string, write: string): undefined => {
    issues.add(
      tree.at,
      'bad-value',
      `${what} has ${counted(length, 'entry', 'entries')}: ${why}. Write ${write}.`,
    );
    return undefined;
  };
  if (type.minItems !== undefined && length < type.minItems) {
    return refuse(`min_items is ${type.minItems}`, `${type.minItems} or more`);
  }
  if (type.maxItems !== undefined && length > type.maxItems) {
    return refuse(`max_items is ${type.maxItems}`, `${type.maxItems} or fewer`);
  }
  const values: JsonValue[] = [];
  const seen = new Set<JsonValue>();
  const before = issues.count;
  for (const item of tree.items) {
    const value = readScalar(type.of, item, `${what} entry`, issues);
    if (value === undefined) continue;
    if (type.uniqueItems && seen.has(value)) {
      const message = `${what} entry ${shown(item)} stands there twice: unique_items is true. Remove one.`;
      issues.add(item.at, 'bad-value', message);
    }
    seen.add(value);
    values.push(value);
  }
  return issues.count > before ? undefined : values;
}

function readObject(
  type: ObjectType,
  tree: Tree,
  what: string,
  issues: Issues,
): JsonValue | undefined {
  if (tree.kind !== 'map') return mismatch(tree, what, 'a map', undefined, issues);
  const before = issues.count;
  const value: Record<string, JsonValue> = {};
  const names = type.properties.map((property) => property.name);
  for (const { name, at, value: member } of tree.entries) {
    const property = type.properties.find((candidate) => candidate.name === name);
    if (property === undefined) {
      const near = nearest(name, names);
      const hint =
        near === undefined ? enumerate(names.slice(0, 10).map(quote), 'or') : quote(near);
      issues.add(at, 'bad-value', `${what} has no member ${quote(name)}. Write ${hint}.`);
      continue;
    }
    if (isNull(member) && !property.required) {
      value[name] = null;
      continue;
    }
    const read = readValue(property.type, member, `${what} member ${quote(name)}`, issues);
    if (read !== undefined) value[name] = read;
  }
  const given = new Set(tree.entries.map((entry) => entry.name));
  for (const property of type.properties) {
    if (!property.required || property.default !== undefined || given.has(property.name)) continue;
    const message = `${what} lacks the required member ${quote(property.name)}. Add it.`;
    issues.add(tree.at, 'bad-value', message);
  }
  return issues.count > before ? undefined : value;
}

function readJson(tree: Tree, what: string, issues: Issues): JsonValue | undefined {
  if (tree.kind === 'list') {
    const values = tree.items.map((item) => readJson(item, `${what} entry`, issues));
    return values.includes(undefined) ? undefined : (values as JsonValue[]);
  }
  if (tree.kind === 'map') return readJsonMap(tree.entries, what, issues);
  if (typeof tree.value === 'string') return text().read(tree, what, issues);
  if (tree.value === null || typeof tree.value === 'boolean') return tree.value;
  const value = numberShape.read(tree, what, issues);
  if (value === undefined || !Number.isInteger(value) || Number.isSafeInteger(value)) return value;
  const message = `${what} ${shown(tree)} is an integer that no number holds exactly. Write a nearer one.`;
  issues.add(tree.at, 'out-of-range', message);
  return undefined;
}

function readJsonMap(
  entries: Extract<Tree, { readonly kind: 'map' }>['entries'],
  what: string,
  issues: Issues,
): JsonValue | undefined {
  const value: Record<string, JsonValue> = {};
  const before = issues.count;
  for (const { name, at, value: member } of entries) {
    if (name === '__proto__' || !isStorable(name)) {
      const message = `${what} has the member ${quote(name)}, which the service refuses. Rename it.`;
      issues.add(at, 'bad-value', message);
      continue;
    }
    const read = readJson(member, what, issues);
    if (read !== undefined) value[name] = read;
  }
  return issues.count > before ? undefined : value;
}
