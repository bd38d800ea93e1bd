/** Which paths of a document are collections, and which operations are theirs. */
import { BUILT_IN } from '../definition/collection-name.ts';
import { caseOf } from '../definition/names.ts';
import { numberOf } from '../definition/pluralize.ts';
import { verbIn } from '../definition/verbs.ts';
import { collectionNameFor } from '../import/propose-names.ts';
import type { ProposedName } from '../import/propose-names.ts';
import type { Operation, Segment } from './operations.ts';
import { payloadOf } from './payload.ts';
import type { Payload } from './payload.ts';
import type { Schemas } from './schemas.ts';

/** What an operation does with a collection. */
export type Action = 'list' | 'create' | 'read' | 'replace' | 'update' | 'remove';

/** A path that becomes a collection. */
export interface Resource {
  /** Its path below the prefix, with `{}` for each parameter. */
  readonly path: string;
  readonly proposed: ProposedName;
  /** The collection above it. */
  readonly parent: Resource | undefined;
  /** The last part of its path. */
  readonly segment: string;
  readonly actions: ReadonlyMap<Action, Operation>;
  /** The parameter of its items: `petId`. */
  readonly idParameter: string | undefined;
  /** The collection that has the same items and a path of its own; undefined: it is one itself. */
  readonly sameAs: Resource | undefined;
}

/** Operations that belong to no collection, each with the reason: the end of a sentence. */
export type Unplaced = Map<Operation, string>;

/** More would be no service that a team keeps. */
const MOST_COLLECTIONS = 1000;

interface FoundResources {
  readonly resources: readonly Resource[];
  readonly unplaced: Unplaced;
}

/** A path with its operations: those of the list and those of its items. */
interface PathNode {
  readonly segments: readonly Segment[];
  readonly list: Operation[];
  readonly item: Operation[];
}

/** Finds the collections of a document. */
export function findResources(operations: readonly Operation[], schemas: Schemas): FoundResources {
  const unplaced: Unplaced = new Map();
  const version = mainVersion(operations);
  const nodes = new Map<string, PathNode>();
  for (const operation of operations) {
    const reason = obstacleOf(operation, version);
    if (reason === undefined) addToNode(nodes, operation);
    else unplaced.set(operation, reason);
  }
  const context: Context = { nodes, schemas, unplaced, found: new Map(), names: new Map() };
  // Parents first.
  const sorted = [...nodes].toSorted(
    ([, one], [, other]) => one.segments.length - other.segments.length,
  );
  for (const [path, node] of sorted) addResource(path, node, context);
  return { resources: [...context.found.values()], unplaced };
}

/** The version that most operations have; of several, the highest. */
export function mainVersion(operations: readonly Operation[]): number | undefined {
  const counts = new Map<number, number>();
  for (const { version } of operations) {
    if (version !== undefined) counts.set(version, (counts.get(version) ?? 0) + 1);
  }
  const [first] = [...counts].toSorted(([one, many], [other, more]) => more - many || other - one);
  return first?.[0];
}

/** Why the path of an operation has no form of a collection; undefined: it may be one. */
function obstacleOf(
  { segments, version, method }: Operation,
  main: number | undefined,
): string | undefined {
  if (version !== undefined && version !== main) {
    return `it is of version ${version}, and version ${main} is imported`;
  }
  if (method === 'TRACE') return 'no service answers TRACE';
  if (method === 'HEAD' || method === 'OPTIONS')
    return 'each path answers HEAD and OPTIONS by itself';
  const kinds = segments.map(({ kind }) => kind);
  if (kinds.length === 0) return 'the path names no collection';
  if (kinds.includes('mixed')) return 'a part of the path is neither a name nor a parameter';
  if (kinds[0] === 'parameter') return 'the path begins with a parameter';
  if (kinds.some((kind, index) => kind === 'parameter' && kinds[index + 1] === 'parameter')) {
    return 'items have a key of several parameters';
  }
  return undefined;
}

const pathOf = (segments: readonly Segment[]): string =>
  segments.map(({ kind, text }) => (kind === 'parameter' ? '/{}' : `/${text}`)).join('');

function addToNode(nodes: Map<string, PathNode>, operation: Operation): void {
  const { segments } = operation;
  const isItem = segments.at(-1)?.kind === 'parameter';
  const own = isItem ? segments.slice(0, -1) : segments;
  const path = pathOf(own);
  const node = nodes.get(path) ?? { segments: own, list: [], item: [] };
  nodes.set(path, node);
  (isItem ? node.item : node.list).push(operation);
}

interface Context {
  readonly nodes: ReadonlyMap<string, PathNode>;
  readonly schemas: Schemas;
  readonly unplaced: Unplaced;
  /** By path. */
  readonly found: Map<string, Resource>;
  /** The collections by their names. */
  readonly names: Map<string, Resource>;
}

function addResource(path: string, node: PathNode, context: Context): void {
  const { found, names, unplaced } = context;
  const all = [...node.list, ...node.item];
  const reason = reasonAgainst(node, context);
  const parentPath = parentPathOf(node.segments);
  const parent = parentPath === undefined ? undefined : found.get(parentPath);
  const named = reason === undefined ? nameOf(path, node, parent, context) : reason;
  if (typeof named === 'string') {
    for (const operation of all) unplaced.set(operation, named);
    return;
  }
  const { actions, others } = actionsOf(node, context.schemas);
  for (const [operation, why] of others) unplaced.set(operation, why);
  const resource: Resource = {
    path,
    proposed: named.proposed,
    parent,
    segment: node.segments.at(-1)?.text ?? '',
    actions,
    idParameter: node.item[0]?.segments.at(-1)?.text,
    sameAs: named.sameAs,
  };
  found.set(path, resource);
  if (named.sameAs === undefined) names.set(named.proposed.name, resource);
}

/** The path of the collection above; undefined if there is none. */
function parentPathOf(segments: readonly Segment[]): string | undefined {
  const last = segments.findLastIndex(({ kind }) => kind === 'parameter');
  return last === -1 ? undefined : pathOf(segments.slice(0, last));
}

/** Why a path is no collection; undefined: it is one. */
function reasonAgainst(node: PathNode, { schemas, found, nodes }: Context): string | undefined {
  const { segments, list, item } = node;
  const parentPath = parentPathOf(segments);
  if (parentPath !== undefined && found.get(parentPath) === undefined) {
    const first = nodes.get(parentPath)?.segments.at(-1)?.text ?? parentPath.slice(1);
    return `${first} above it is not a collection`;
  }
  const last = segments.at(-1)?.text ?? '';
  const name = caseOf(last, '_');
  if (name === '') return 'its name has no letter of a to z';
  const verb = verbIn(name);
  if (verb !== undefined) return `${last} is an action: "${verb}" is said by the method`;
  if (collectionNameFor(last) === undefined && BUILT_IN.some((one) => isFormOf(name, one))) {
    return 'each service has a collection of that name itself';
  }
  const below = segments.findLastIndex(({ kind }) => kind === 'parameter');
  if (below !== -1 && segments.length - below > 2) return 'it is several names below an item';
  const isPlural = numberOf(name).kind !== 'singular';
  const get = (operations: readonly Operation[]): Payload | undefined =>
    contentPayload(operations.find(({ method }) => method === 'GET')?.success?.content, schemas);
  const posted = list.find(({ method }) => method === 'POST');
  const readsItem = get(item)?.kind === 'item';
  const lists = get(list)?.kind === 'list';
  const creates = contentPayload(posted?.request, schemas)?.kind === 'item';
  if (readsItem && (isPlural || creates || lists)) return undefined;
  if (isPlural && (lists || creates)) return undefined;
  if (!isPlural) return 'it is no collection: its name is singular';
  const why = unclearReason([...list, ...item], schemas);
  return why === undefined ? 'no schema says what its items are' : `a part of it ${why}`;
}

/** Why bodies could not be read. */
function unclearReason(operations: readonly Operation[], schemas: Schemas): string | undefined {
  for (const { unclear, request, success } of operations) {
    if (unclear !== undefined) return unclear;
    for (const content of [request, success?.content]) {
      const schema = content === undefined ? undefined : schemas.resolve(content.schema);
      if (schema?.unclear !== undefined) return schema.unclear;
    }
  }
  return undefined;
}

const isFormOf = (name: string, plural: string): boolean => {
  const number = numberOf(name);
  return name === plural || (number.kind === 'singular' && number.plural === plural);
};

/** What a content holds, whatever its media type: forms have schemas too. */
export function contentPayload(
  content: Operation['request'],
  schemas: Schemas,
): Payload | undefined {
  return content === undefined ? undefined : payloadOf(content.schema, schemas);
}

interface Named {
  readonly proposed: ProposedName;
  readonly sameAs: Resource | undefined;
}

/** The name of a collection, or why it has none. */
function nameOf(
  path: string,
  node: PathNode,
  parent: Resource | undefined,
  { names, schemas, found }: Context,
): Named | string {
  const last = node.segments.at(-1)?.text ?? '';
  const own = collectionNameFor(last);
  const before = node.segments.at(-2);
  // Of a path such as /admin/books, or /authors/{id}/books.
  const outer = parent === undefined ? before?.text : singularOfResource(collectionOf(parent));
  const longer = outer === undefined ? undefined : collectionNameFor(`${outer}_${last}`);
  const other = own && names.get(own.name);
  if (own !== undefined && other === undefined) {
    return found.size < MOST_COLLECTIONS
      ? { proposed: own, sameAs: undefined }
      : `a service has at most ${MOST_COLLECTIONS} collections`;
  }
  const isInReach =
    other !== undefined &&
    parent !== undefined &&
    (other.parent === undefined || collectionOf(other.parent) === collectionOf(parent));
  if (isInReach && haveSameItems(node, other, schemas)) {
    return { proposed: other.proposed, sameAs: other };
  }
  if (longer !== undefined && !names.has(longer.name))
    return { proposed: longer, sameAs: undefined };
  return `${other?.path ?? path} becomes the collection ${own?.name ?? last} already`;
}

/** The resource whose collection has the items of a path. */
export const collectionOf = (resource: Resource): Resource => resource.sameAs ?? resource;

export function singularOfResource({ proposed: { name, singular } }: Resource): string {
  if (singular !== undefined) return singular;
  const number = numberOf(name);
  return number.kind === 'plural' ? number.singular : name;
}

/** Whether what a path lists are the items of another collection. */
function haveSameItems(node: PathNode, other: Resource, schemas: Schemas): boolean {
  const itemOf = (operation: Operation | undefined) =>
    contentPayload(operation?.success?.content, schemas)?.item;
  const listed = node.list.map((one) => itemOf(one)).find((one) => one !== undefined);
  const known = Array.from(other.actions.values(), (one) => itemOf(one));
  return listed !== undefined && known.includes(listed);
}

interface PlacedActions {
  readonly actions: ReadonlyMap<Action, Operation>;
  /** Operations that a collection does not have, and why. */
  readonly others: readonly (readonly [Operation, string])[];
}

const LIST_ACTIONS: Readonly<Record<string, Action>> = { GET: 'list', POST: 'create' };
const ITEM_ACTIONS: Readonly<Record<string, Action>> = {
  GET: 'read',
  PUT: 'replace',
  PATCH: 'update',
  DELETE: 'remove',
};

function actionsOf({ list, item }: PathNode, schemas: Schemas): PlacedActions {
  const actions = new Map<Action, Operation>();
  const others: (readonly [Operation, string])[] = [];
  const place = (
    operations: readonly Operation[],
    known: typeof LIST_ACTIONS,
    what: string,
  ): void => {
    for (const operation of operations) {
      const { method, path } = operation;
      const action = Object.hasOwn(known, method) ? known[method] : undefined;
      const first = action && actions.get(action);
      if (action === undefined) others.push([operation, `${what} has no ${method}`]);
      else if (first !== undefined) {
        others.push([operation, `${method} ${first.path} has the same meaning as ${path}`]);
      } else actions.set(action, operation);
    }
  };
  place(list, LIST_ACTIONS, 'a collection');
  const posts = item.filter(({ method }) => method === 'POST');
  place(
    item.filter(({ method }) => method !== 'POST'),
    ITEM_ACTIONS,
    'an item',
  );
  for (const operation of posts) {
    // A POST to an item that is answered with the item changes it.
    const changes = contentPayload(operation.success?.content, schemas)?.kind === 'item';
    const isUpdate = changes && operation.request !== undefined && !actions.has('update');
    if (isUpdate) actions.set('update', operation);
    else others.push([operation, 'an item has no POST']);
  }
  return { actions, others };
}
