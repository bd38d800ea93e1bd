/** Which paths of a document are collections, and which operations are theirs. */
import { BUILT_IN } from '../definition/collection-name.ts';
import { caseOf } from '../definition/names.ts';
import { numberOf } from '../definition/pluralize.ts';
import { verbIn } from '../definition/verbs.ts';
import { collectionNameUnlessBuiltIn } from '../import/propose-names.ts';
import type { ProposedName } from '../import/propose-names.ts';
import type { Operation, Segment } from './operations.ts';
import { commonEnvelope, itemPayload, listPayload, unreadReason } from './payload.ts';
import type { Payload } from './payload.ts';
import { EXTERNAL_REFERENCE } from './schemas.ts';
import type { ClearSchema, Schemas } from './schemas.ts';

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
  /** The member that holds the item in each body of an item; undefined: the body is the item. */
  readonly envelope: string | undefined;
  /** The collection that has the same items and a path of its own; undefined: it is one itself. */
  readonly sameAs: Resource | undefined;
}

/** Operations that belong to no collection, each with the reason: the end of a sentence. */
export type UnplacedOperations = Map<Operation, string>;

/** More would be no service that a team keeps. */
const MOST_COLLECTIONS = 1000;

interface FoundResources {
  readonly resources: readonly Resource[];
  readonly unplaced: UnplacedOperations;
}

/** A path with its operations: those of the list and those of its items. */
interface PathNode {
  readonly segments: readonly Segment[];
  readonly list: Operation[];
  readonly item: Operation[];
}

/** Finds the collections of a document. */
export function findResources(operations: readonly Operation[], schemas: Schemas): FoundResources {
  const unplaced: UnplacedOperations = new Map();
  const version = mainVersion(operations);
  const nodes = new Map<string, PathNode>();
  for (const operation of operations) {
    const reason = obstacleOf(operation, version);
    if (reason === undefined) addToNode(nodes, operation);
    else unplaced.set(operation, reason);
  }
  const owners = listOwners(nodes, schemas);
  const context: Context = {
    ...{ nodes, owners, schemas, unplaced },
    ...{ found: new Map(), names: new Map() },
  };
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

const BUNDLE_HINT = ': join the files first, with npx @redocly/cli bundle';

/** Why the path of an operation has no form of a collection; undefined: it may be one. */
function obstacleOf(
  { segments, version, method, unread }: Operation,
  main: number | undefined,
): string | undefined {
  if (unread !== undefined) {
    return `the path ${unread}${unread === EXTERNAL_REFERENCE ? BUNDLE_HINT : ''}`;
  }
  if (version !== undefined && version !== main) {
    return `it is of version ${version}, and version ${main} is imported`;
  }
  if (method === 'HEAD' || method === 'OPTIONS') {
    return `the service answers ${method} where it has the path`;
  }
  if (!['GET', 'POST', 'PUT', 'PATCH', 'DELETE'].includes(method)) {
    return `no service answers ${method}`;
  }
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
  /** The path at the top that lists items of a schema, and does most with them. */
  readonly owners: ReadonlyMap<ClearSchema, PathNode>;
  readonly schemas: Schemas;
  readonly unplaced: UnplacedOperations;
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
  const named = reason === undefined ? nameOf(node, parent, context) : reason;
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
    envelope: envelopeOf(actions, context.schemas),
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
function reasonAgainst(node: PathNode, context: Context): string | undefined {
  const { schemas, found } = context;
  const { segments, list, item } = node;
  const parentPath = parentPathOf(segments);
  if (parentPath !== undefined && found.get(parentPath) === undefined) {
    const above = segments.findLastIndex(({ kind }) => kind === 'parameter');
    return `${segments[above - 1]?.text ?? ''} above it is not a collection`;
  }
  const last = segments.at(-1)?.text ?? '';
  const name = caseOf(last, '_');
  if (name === '') return 'its name has no letter of a to z';
  if (name === 'me') return 'it is no collection: it stands for whoever is signed in';
  const verb = verbIn(name);
  if (verb !== undefined) return `${last} is an action: "${verb}" is said by the method`;
  if (
    collectionNameUnlessBuiltIn(last) === undefined &&
    BUILT_IN.some((one) => isFormOf(name, one))
  ) {
    return 'it has the name of a built-in collection';
  }
  const below = segments.findLastIndex(({ kind }) => kind === 'parameter');
  if (below !== -1 && segments.length - below > 2) return 'it is several names below an item';
  const isPlural = numberOf(name).kind !== 'singular';
  const get = (operations: readonly Operation[]): unknown =>
    operations.find(({ method }) => method === 'GET')?.success?.content?.schema;
  const isItem = (schema: unknown): boolean =>
    itemPayload(schema, undefined, schemas) !== undefined;
  const readsItem = isItem(get(item));
  const lists = listPayload(get(list), schemas) !== undefined;
  const creates = isItem(list.find(({ method }) => method === 'POST')?.request?.schema);
  const owner = ownerOf(node, context);
  if (owner !== undefined) return `it lists the items of ${owner}`;
  if (readsItem && (isPlural || creates || lists)) return undefined;
  if (isPlural && (lists || creates)) return undefined;
  if (!isPlural) return 'it is no collection: its name is singular';
  const why = unclearReason([...list, ...item], schemas);
  return why === undefined ? 'no schema says what its items are' : `a body ${why}`;
}

/** What a path lists. */
const listedBy = ({ list }: PathNode, schemas: Schemas): ClearSchema | undefined =>
  listPayload(list.find(({ method }) => method === 'GET')?.success?.content?.schema, schemas)?.item;

function listOwners(nodes: Context['nodes'], schemas: Schemas): Context['owners'] {
  const owners = new Map<ClearSchema, PathNode>();
  for (const node of nodes.values()) {
    const listed = parentPathOf(node.segments) === undefined ? listedBy(node, schemas) : undefined;
    if (listed === undefined) continue;
    const known = owners.get(listed);
    const count = (one: PathNode): number => one.list.length + one.item.length;
    if (known === undefined || count(known) < count(node)) owners.set(listed, node);
  }
  return owners;
}

/** The last part of the path of which another path lists the same items; paths below an item may have its name. */
function ownerOf(node: PathNode, { owners, schemas }: Context): string | undefined {
  const listed = listedBy(node, schemas);
  const owner = listed && owners.get(listed);
  const name = owner?.segments.at(-1)?.text;
  if (owner === node || name === undefined) return undefined;
  const isBelow = parentPathOf(node.segments) !== undefined;
  const nameOfCollection = (text = ''): string | undefined =>
    collectionNameUnlessBuiltIn(text)?.name;
  const isNamedAlike = nameOfCollection(name) === nameOfCollection(node.segments.at(-1)?.text);
  return isBelow && isNamedAlike ? undefined : name;
}

/** Why bodies could not be read. */
function unclearReason(operations: readonly Operation[], schemas: Schemas): string | undefined {
  for (const { request, success } of operations) {
    for (const content of [request, success?.content]) {
      const reason = content && unreadReason(content.schema, schemas);
      if (reason !== undefined) return reason;
    }
  }
  return undefined;
}

const isFormOf = (name: string, plural: string): boolean => {
  const number = numberOf(name);
  return name === plural || (number.kind === 'singular' && number.plural === plural);
};

/** What a body of an action holds, whatever its media type: forms have schemas too. */
export function contentPayload(
  content: Operation['request'],
  action: Action,
  { envelope }: Pick<Resource, 'envelope'>,
  schemas: Schemas,
): Payload | undefined {
  if (content === undefined) return undefined;
  return action === 'list'
    ? listPayload(content.schema, schemas)
    : itemPayload(content.schema, envelope, schemas);
}

/** The member that holds the item in all bodies of the actions. */
function envelopeOf(actions: Resource['actions'], schemas: Schemas): string | undefined {
  const list = listPayload(actions.get('list')?.success?.content?.schema, schemas);
  const bodies = [...actions].flatMap(([action, { request, success }]) =>
    action === 'list' || action === 'remove'
      ? []
      : [request, success?.content].flatMap((content) => content?.schema ?? []),
  );
  return commonEnvelope(bodies, list === undefined ? [] : [list.item], schemas);
}

interface Named {
  readonly proposed: ProposedName;
  readonly sameAs: Resource | undefined;
}

/** The name of a collection, or why it has none. */
function nameOf(
  node: PathNode,
  parent: Resource | undefined,
  { names, schemas, found }: Context,
): Named | string {
  const last = node.segments.at(-1)?.text ?? '';
  const own = collectionNameUnlessBuiltIn(last);
  const before = node.segments.at(-2);
  // Of a path such as /admin/books, or /authors/{id}/books.
  const outer = parent === undefined ? before?.text : singularOfResource(collectionOf(parent));
  const longer = outer === undefined ? undefined : collectionNameUnlessBuiltIn(`${outer}_${last}`);
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
    return refersTo(parent, node, other, schemas)
      ? { proposed: other.proposed, sameAs: other }
      : `no member of its items refers to ${parent.segment}`;
  }
  if (longer !== undefined && !names.has(longer.name))
    return { proposed: longer, sameAs: undefined };
  const [first] = other?.actions.values() ?? [];
  return `${first?.path ?? last} becomes the collection ${own?.name ?? last} already`;
}

/** The resource whose collection has the items of a path. */
export const collectionOf = (resource: Resource): Resource => resource.sameAs ?? resource;

export function singularOfResource({ proposed: { name, singular } }: Resource): string {
  if (singular !== undefined) return singular;
  const number = numberOf(name);
  return number.kind === 'plural' ? number.singular : name;
}

/** The name of a reference to a collection. */
export const referenceTo = (parent: Resource): string =>
  `${singularOfResource(collectionOf(parent))}_id`;

/**
 * Whether items of a collection have a reference to the one above a path, or get it only there: items are created
 * below it alone.
 */
function refersTo(parent: Resource, node: PathNode, other: Resource, schemas: Schemas): boolean {
  const isCreatedHere = node.list.some(({ method }) => method === 'POST');
  const bodies = Array.from(other.actions, ([action, { request, success }]) =>
    [success?.content, request].map((content) => contentPayload(content, action, other, schemas)),
  ).flat();
  const names = bodies.flatMap((payload) => [...(payload?.item.properties.keys() ?? [])]);
  const isMember = names.some((name) => caseOf(name, '_') === referenceTo(parent));
  return isMember || (isCreatedHere && !other.actions.has('create'));
}

/** Whether what a path lists are the items of another collection. */
function haveSameItems(node: PathNode, other: Resource, schemas: Schemas): boolean {
  const listed = listedBy(node, schemas);
  const known = Array.from(
    other.actions,
    ([action, { success }]) => contentPayload(success?.content, action, other, schemas)?.item,
  );
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
    const answer = itemPayload(operation.success?.content?.schema, undefined, schemas);
    const isUpdate =
      answer !== undefined && operation.request !== undefined && !actions.has('update');
    if (isUpdate) actions.set('update', operation);
    else others.push([operation, 'an item has no POST']);
  }
  return { actions, others };
}
