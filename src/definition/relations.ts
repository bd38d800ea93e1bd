/** What collections say of each other: names that clash, references, nested paths, cycles. */
import { memberComparisons } from '../expressions/expression.ts';
import { nonUuidKey } from '../types/key.ts';
import type { WrittenReference } from '../types/reference.ts';
import { BUILT_IN, checkNestedName } from './collection-name.ts';
import type { WrittenCollection } from './collection.ts';
import type { WrittenField } from './written-field.ts';
import { keyTypesOf } from './key-fields.ts';
import type { Issues } from '../reading/issues.ts';
import { camelCase, pascalCase } from './names.ts';
import { nearest } from '../reading/nearest.ts';
import { enumerate, quote } from '../reading/quote.ts';
import { checkRenamedOnce } from './renamed-from.ts';
import type { Position } from '../reading/position.ts';

interface Reference {
  readonly from: WrittenCollection;
  readonly field: WrittenField;
  readonly reference: WrittenReference;
}

/**
 * Checks all collections together. `complete` is false where a file could not be read: what is
 * missing then may well be in that file, and is not told.
 */
export function checkRelations(
  collections: readonly WrittenCollection[],
  complete: boolean,
  schema: string | undefined,
  issues: Issues,
): void {
  checkNames(collections, issues);
  const renames = collections.flatMap(({ renamedFrom }) => renamedFrom ?? []);
  checkRenamedOnce(renames, 'collection', issues);
  const references = collections.flatMap((from) =>
    from.fields.flatMap((field): readonly Reference[] =>
      field.reference === undefined ? [] : [{ from, field, reference: field.reference }],
    ),
  );
  const names = collections.map(({ name }) => name);
  if (complete) checkTargets(references, names, issues);
  checkNested(references, names, issues);
  checkComparedIds(collections, issues);
  checkExistingReferences(references, collections, issues);
  checkCompositeTargets(references, collections, issues);
  checkSoftDeletes(references, collections, issues);
  checkSchema(collections, complete ? schema : '', issues);
  checkCycles(collections, references, issues);
}

/** The name under which a reference is nested, in snake_case. */
export function nestedName(reference: WrittenReference, collection: string): string | undefined {
  const nested = reference.nested?.value;
  return nested === true ? collection : nested;
}

interface Claim {
  readonly collection: WrittenCollection;
  readonly as: 'name' | 'singular';
  readonly at: Position;
}

function checkNames(collections: readonly WrittenCollection[], issues: Issues): void {
  const claims = new Map<string, Claim>();
  for (const collection of collections) {
    const { name, at, singular, singularAt } = collection;
    const claimed = claim(claims, camelCase(name), { collection, as: 'name', at }, issues);
    if (!claimed || singular === undefined || singular === name) continue;
    claim(claims, camelCase(singular), { collection, as: 'singular', at: singularAt }, issues);
  }
}

/** Takes a name in camelCase, unless another collection has it. */
function claim(claims: Map<string, Claim>, camel: string, mine: Claim, issues: Issues): boolean {
  const other = claims.get(camel);
  if (other === undefined) {
    claims.set(camel, mine);
    return true;
  }
  const { name } = mine.collection;
  if (other.collection === mine.collection) {
    const message = `singular ${quote(mine.collection.singular!)} is the name ${quote(name)} itself in camelCase. Write another.`;
    issues.add(mine.at, 'name-clash', message);
    return false;
  }
  const theirs = other.collection.name;
  if (mine.as === 'name' && other.as === 'name' && name === theirs) {
    const message = `collection ${quote(name)} is defined twice: also in ${other.at.file}:${other.at.line}. Remove one.`;
    issues.add(mine.at, 'name-clash', message);
    return false;
  }
  const word = (one: Claim): string =>
    one.as === 'name'
      ? `the collection ${quote(one.collection.name)}`
      : `the singular of ${quote(one.collection.name)}`;
  const message = `${word(mine)} and ${word(other)} are both ${quote(pascalCase(camel))} in PascalCase. Rename one.`;
  issues.add(mine.at, 'name-clash', message);
  return false;
}

function checkTargets(
  references: readonly Reference[],
  names: readonly string[],
  issues: Issues,
): void {
  const targets = [...names, 'users'];
  const known = new Set(targets);
  for (const { value, at } of references.map(({ reference }) => reference.to)) {
    if (known.has(value)) continue;
    if (BUILT_IN.includes(value)) {
      const message = `to ${quote(value)} cannot be referred to: of the built-in collections only "users" can.`;
      issues.add(at, 'unknown-target', message);
      continue;
    }
    const near = nearest(value, targets);
    const few = targets.slice(0, 10).map(quote);
    const hint = near === undefined ? enumerate(few, 'or') : quote(near);
    issues.add(at, 'unknown-target', `to ${quote(value)} is not a collection. Write ${hint}.`);
  }
}

function checkNested(
  references: readonly Reference[],
  names: readonly string[],
  issues: Issues,
): void {
  const first = new Map<string, Reference>();
  for (const one of references) {
    const { nested, to } = one.reference;
    if (nested === undefined) continue;
    if (nested.value !== true) {
      checkNestedName({ value: nested.value, at: nested.at }, names, issues);
    }
    const name = nestedName(one.reference, one.from.name)!;
    const path = `${to.value}/${camelCase(name)}`;
    const other = first.get(path);
    if (other === undefined) {
      first.set(path, one);
      continue;
    }
    const message = `nested ${quote(one.field.name)} of ${quote(one.from.name)} shares the path /${to.value}/{id}/${name} with ${quote(other.field.name)} of ${quote(other.from.name)}. Write a plural noun of its own.`;
    issues.add(nested.at, 'nested-clash', message);
  }
}

/** Refuses rules that compare an id that is no UUID with a UUID. */
function checkComparedIds(collections: readonly WrittenCollection[], issues: Issues): void {
  const keys = keyTypesOf(collections);
  for (const { checks, unique } of collections) {
    const rules = [
      ...checks.map(({ name, expression, at }) => ({
        what: `check ${quote(name)}`,
        expression,
        at,
      })),
      ...unique.flatMap(({ where, at }) =>
        where === undefined ? [] : [{ what: 'where', expression: where.expression, at }],
      ),
    ];
    for (const { what, expression, at } of rules) {
      for (const pair of memberComparisons(expression)) {
        const reference = pair.find(({ type }) => type.type === 'reference');
        const other = pair.find(({ type }) => type.type === 'uuid');
        if (reference?.type.type !== 'reference' || other === undefined) continue;
        const { to } = reference.type;
        if (nonUuidKey(keys.get(to) ?? 'uuid') === undefined) continue;
        const message = `${what} compares ${quote(reference.name)} with ${quote(other.name)}: ids of ${to} are no UUIDs, and ${quote(other.name)} is a UUID. Remove the comparison.`;
        issues.add(at, 'bad-rule', message);
      }
    }
  }
}

/**
 * Checks that the tables of the service have a schema of their own beside existing tables: otherwise, a migration could
 * meet a table or a function of others that has the same name.
 */
function checkSchema(
  collections: readonly WrittenCollection[],
  schema: string | undefined,
  issues: Issues,
): void {
  for (const { name, at, existing } of collections) {
    if (existing === undefined) continue;
    if (schema === undefined) {
      const message = `collection ${quote(name)} has an existing table, and the service has no schema of its own. Write "schema: service" into service.yaml.`;
      issues.add(at, 'contradiction', message);
      return;
    }
    if (existing.schema !== schema) continue;
    const message = `table of ${quote(name)} is in the schema ${quote(schema)}, which the service has for its own tables. Write another schema in service.yaml.`;
    issues.add(at, 'contradiction', message);
  }
}

/** Refuses references of existing tables to tables of the service: no foreign key of the database keeps them. */
function checkExistingReferences(
  references: readonly Reference[],
  collections: readonly WrittenCollection[],
  issues: Issues,
): void {
  const own = new Set([
    'users',
    ...collections.filter(({ existing }) => existing === undefined).map(({ name }) => name),
  ]);
  for (const { from, field, reference } of references) {
    if (from.existing === undefined || !own.has(reference.to.value)) continue;
    const message = `field ${quote(field.name)} of an existing table refers to ${quote(reference.to.value)}, whose table belongs to the service: the database has no such foreign key. Write another type, that of the column, and a name that does not end in "_id".`;
    issues.add(reference.to.at, 'contradiction', message);
  }
}

/** Refuses references to items whose ids consist of several values: no column holds one. */
function checkCompositeTargets(
  references: readonly Reference[],
  collections: readonly WrittenCollection[],
  issues: Issues,
): void {
  const composite = new Set(
    collections.filter(({ key }) => key === 'composite').map(({ name }) => name),
  );
  for (const { field, reference } of references) {
    const { value, at } = reference.to;
    if (!composite.has(value)) continue;
    const message = `field ${quote(field.name)} refers to ${quote(value)}, whose ids consist of several values, and no column holds such an id. Write a field for each value.`;
    issues.add(at, 'contradiction', message);
  }
}

/** Refuses actions on removals where rows are not deleted: the database would never run them. */
function checkSoftDeletes(
  references: readonly Reference[],
  collections: readonly WrittenCollection[],
  issues: Issues,
): void {
  const marked = new Set(
    collections
      .filter(({ existing }) => existing?.softDelete !== undefined)
      .map(({ name }) => name),
  );
  for (const { field, reference } of references) {
    const { to, onDelete, onDeleteAt } = reference;
    if (onDelete === 'refuse' || !marked.has(to.value)) continue;
    const message = `on_delete ${quote(onDelete)} of ${quote(field.name)} never happens: ${quote(to.value)} has soft_delete, and its rows stay. Write "refuse".`;
    issues.add(onDeleteAt, 'contradiction', message);
  }
}

/** Finds cycles of required references: for each group that hangs together one is told. */
function checkCycles(
  collections: readonly WrittenCollection[],
  references: readonly Reference[],
  issues: Issues,
): void {
  const edges = new Map<string, Reference[]>(collections.map(({ name }) => [name, []]));
  for (const one of references) {
    const isEdge = one.field.required && edges.has(one.reference.to.value);
    if (isEdge) edges.get(one.from.name)!.push(one);
  }
  const done = new Set<string>();
  for (const { name } of collections) {
    const cycle = findCycle(name, edges, done);
    if (cycle === undefined) continue;
    const path = [
      ...cycle.map(({ from, field }) => `${from.name}.${field.name}`),
      cycle[0]!.from.name,
    ];
    const message =
      cycle.length === 1
        ? `field ${quote(cycle[0]!.field.name)} is a required reference to its own collection: no first item could ever be created. Remove required.`
        : `required references form a cycle: ${path.join(' → ')}. No first item could ever be created. Remove required from one.`;
    issues.add(cycle[0]!.field.at, 'required-cycle', message);
  }
}

/** A cycle that can be reached from a collection and was not seen before; without recursion. */
function findCycle(
  start: string,
  edges: ReadonlyMap<string, readonly Reference[]>,
  done: Set<string>,
): readonly Reference[] | undefined {
  if (done.has(start)) return undefined;
  const path: { readonly name: string; next: number }[] = [{ name: start, next: 0 }];
  const taken: Reference[] = [];
  const onPath = new Map([[start, 0]]);
  let found: readonly Reference[] | undefined;
  while (path.length > 0) {
    const top = path[path.length - 1]!;
    const edge = edges.get(top.name)![top.next];
    top.next += 1;
    if (edge === undefined) {
      done.add(top.name);
      onPath.delete(top.name);
      path.pop();
      taken.pop();
      continue;
    }
    const target = edge.reference.to.value;
    const index = onPath.get(target);
    if (index !== undefined) found ??= [...taken.slice(index), edge];
    else if (!done.has(target)) {
      path.push({ name: target, next: 0 });
      onPath.set(target, path.length - 1);
      taken.push(edge);
    }
  }
  return found;
}
