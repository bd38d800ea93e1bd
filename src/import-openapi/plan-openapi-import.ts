/** Plans the import of a document: definitions for its collections, and what becomes of each operation. */
import { checkDefinitions } from '../import/check-definitions.ts';
import type { CollectionIssue } from '../import/check-definitions.ts';
import { definitionText } from '../import/definition-text.ts';
import { descriptionOf } from '../import/propose-field.ts';
import { referencesInCycles, requiredReferences } from '../import/required-cycles.ts';
import { buildModel } from '../model/build.ts';
import type { Model } from '../model/types.ts';
import type { ParsedDefinitions } from '../definition/types.ts';
import type { SourceFile } from '../reading/position.ts';
import { compareOperation } from './compare-operation.ts';
import type { OperationChange } from './compare-operation.ts';
import { MemberTypes } from './field-type.ts';
import { OfferedService } from './offered.ts';
import type { OfferedEndpoint, OfferedOperation } from './offered.ts';
import { operationsOf } from './operations.ts';
import type { DocumentedAccess, Operation } from './operations.ts';
import { LEFT_OUT_PARTS, noResourceRejections, proposeResource } from './propose-resource.ts';
import type {
  DocumentDifference,
  ProposedResource,
  ResourceGroup,
  ResourceRejections,
} from './propose-resource.ts';
import type { OpenApiDocument } from './read-openapi.ts';
import { collectionOf, contentPayload, findResources, mainVersion } from './resources.ts';
import type { Resource, UnplacedOperations } from './resources.ts';
import { Schemas } from './schemas.ts';
import type { ClearSchema } from './schemas.ts';
import { mapAt, textAt } from './values.ts';

export type OperationResult = 'same' | 'changed' | 'not-taken';

/** An operation of the document, and what becomes of it. */
export interface ImportedOperation {
  readonly method: string;
  /** As the document has it. */
  readonly path: string;
  readonly result: OperationResult;
  /** The operation of the service; null if it is not taken. */
  readonly offered: { readonly method: string; readonly path: string } | null;
  readonly collection: string | null;
  /** None if it is the same or not taken. */
  readonly changes: readonly OperationChange[];
  /** Why it is not taken: the end of a sentence; null if it is. */
  readonly reason: string | null;
}

/** A collection that the definitions have. */
export interface ImportedCollection {
  readonly collection: string;
  /** The paths of the document that it is made of, with `{}` for each parameter. */
  readonly paths: readonly string[];
  /** The text of its file. */
  readonly definition: string;
  readonly differences: readonly DocumentDifference[];
}

export interface OpenApiImportPlan {
  readonly title: string;
  readonly openapi: string;
  /** The prefixes of the paths that are imported: `/v1`. */
  readonly prefixes: readonly string[];
  /** That of the service: `/api/v1`. */
  readonly servicePrefix: string;
  /** What the document says of credentials. */
  readonly access: readonly DocumentedAccess[];
  readonly collections: readonly ImportedCollection[];
  readonly operations: readonly ImportedOperation[];
  /** The definitions as files; none if no path becomes a collection. */
  readonly files: readonly SourceFile[];
}

interface PlanOptions {
  /** The name of the service in the definitions, in kebab-case. */
  readonly service: string;
  /** Lists the operations of a model. */
  readonly endpointsOf: (model: Model) => readonly OfferedEndpoint[];
  /** Is called now and then; what it throws ends the work. */
  readonly checkpoint: () => Promise<void>;
}

/** Compares each operation with what a service would offer for it. All definitions together are valid. */
export async function planOpenApiImport(
  document: OpenApiDocument,
  options: PlanOptions,
): Promise<OpenApiImportPlan> {
  const schemas = new Schemas(document);
  const context = { schemas, types: new MemberTypes(schemas) };
  const operations = operationsOf(document, schemas);
  await options.checkpoint();
  const { resources, unplaced } = findResources(operations, schemas);
  const version = mainVersion(operations) ?? 1;
  const info = mapAt(document.root, 'info');
  const title = plainText(textAt(info, 'title'));
  const service = {
    name: options.service,
    ...(title !== '' && { title }),
    ...descriptionOf(plainText(textAt(info, 'description'))),
    versions: [version],
  };
  const accepted = await acceptedProposals(resources, unplaced, {
    ...options,
    ...context,
    keys: service,
  });
  const placed = placedOperations(operations, accepted, options, context);
  const imported = operations.map((operation): ImportedOperation => {
    const { method, path } = operation;
    const found = placed.get(operation);
    if (found !== undefined) return found;
    const reason = unplaced.get(operation) ?? 'the service does not offer it';
    return {
      method,
      path,
      result: 'not-taken',
      offered: null,
      collection: null,
      changes: [],
      reason,
    };
  });
  const taken = operations.filter((one) => placed.has(one) && !OF_ANY_PATH.has(one.method));
  return {
    title: title === '' ? options.service : title,
    openapi: document.openapi,
    prefixes: [...new Set(taken.map(({ prefix }) => prefix))],
    servicePrefix: `/api/v${version}`,
    access: [...new Set(taken.map(({ access }) => access))],
    collections: accepted.proposals.map(({ name, group, definition, differences }) => ({
      collection: name,
      paths: group.all.map(({ path }) => path),
      definition: definitionText(definition),
      differences,
    })),
    operations: imported,
    files: accepted.parsed?.files ?? [],
  };
}

/** The methods that services answer wherever they have a path. */
const OF_ANY_PATH: ReadonlySet<string> = new Set(['HEAD', 'OPTIONS']);

/** What the service answers to HEAD or OPTIONS at the path of an operation; undefined: nothing follows from it. */
function offeredBeside(method: string, offered: OfferedOperation): OfferedOperation | undefined {
  if (method === 'OPTIONS') {
    const empty = { request: undefined, response: undefined };
    return { ...offered, ...empty, method, status: '204', isPublic: true };
  }
  // The status and the headers of GET.
  return offered.method === 'GET' ? { ...offered, method } : undefined;
}

const LONGEST_TEXT = 2000;

const plainText = (text = ''): string =>
  text
    .slice(0, LONGEST_TEXT)
    .replaceAll(/[\p{Cc}\p{Surrogate}\s]+/gu, ' ')
    .trim();

interface Accepted {
  readonly proposals: readonly ProposedResource[];
  readonly parsed: ParsedDefinitions | undefined;
}

interface ProposalContext extends PlanOptions {
  readonly schemas: Schemas;
  readonly types: MemberTypes;
  /** `service.yaml`. */
  readonly keys: Readonly<Record<string, unknown>>;
}

/** After so many proposals, collections with issues are left out whole. */
const MOST_ROUNDS = 12;

/**
 * Proposes collections until their definitions are accepted: what is refused is left out of the next
 * proposal. Each one leaves out more, so this ends.
 */
async function acceptedProposals(
  resources: readonly Resource[],
  unplaced: UnplacedOperations,
  context: ProposalContext,
): Promise<Accepted> {
  const rejections = new Map<string, ResourceRejections>();
  for (const { proposed } of resources) rejections.set(proposed.name, noResourceRejections());
  let { keys } = context;
  let remaining = withoutNames(resources, beyondMostMembers(resources, context), unplaced);
  for (let round = 0; ; round += 1) {
    await context.checkpoint();
    const proposals = groupsOf(remaining).map((group) =>
      proposeResource(
        group,
        context,
        rejections.get(group.resource.proposed.name) ?? noResourceRejections(),
      ),
    );
    const without = new Map<string, string>();
    for (const { name, definition } of proposals) {
      const hasFields = Object.keys(definition['fields'] ?? {}).length > 0;
      if (!hasFields) without.set(name, 'no member of its items can become a field');
    }
    if (without.size === 0 && !foundCycles(proposals, rejections)) {
      const { issues, parsed } = await checkDefinitions(proposals, context.service, keys);
      if (issues.length === 0) return { proposals, parsed };
      const own = issues.filter(({ collection }) => collection !== 'service');
      if (own.length < issues.length) keys = { name: context.service, versions: keys['versions'] };
      for (const issue of own) {
        const noted = rejections.get(issue.collection);
        const isNoted = round < MOST_ROUNDS && noted !== undefined && noteIssue(noted, issue);
        if (!isNoted)
          without.set(issue.collection, `definitions do not allow it: ${issue.message}`);
      }
    }
    remaining = withoutNames(remaining, without, unplaced);
  }
}

/** The members of the bodies of all collections, with those in objects. Large public documents have 5,000. */
const MOST_MEMBERS = 50_000;

/** The collections that would have more members than one import reads, each with the reason. */
function beyondMostMembers(
  resources: readonly Resource[],
  { schemas, types }: ProposalContext,
): ReadonlyMap<string, string> {
  const sizes = new Map<ClearSchema, number>();
  const sizeOf = (item: ClearSchema): number => {
    const known = sizes.get(item);
    if (known !== undefined) return known;
    let size = 0;
    for (const member of item.properties.values()) size += Math.max(types.typeOf(member).size, 1);
    sizes.set(item, size);
    return size;
  };
  const without = new Map<string, string>();
  let sum = 0;
  for (const { resource, all } of groupsOf(resources)) {
    let size = 0;
    for (const one of all) {
      for (const [action, { request, success }] of one.actions) {
        for (const content of [request, success?.content]) {
          const payload = contentPayload(content, action, one, schemas);
          if (payload !== undefined) size += sizeOf(payload.item);
        }
      }
    }
    if (sum + size <= MOST_MEMBERS) sum += size;
    else {
      const reason = `the bodies of all collections have at most ${MOST_MEMBERS} members`;
      without.set(resource.proposed.name, reason);
    }
  }
  return without;
}

/** Leaves out collections, with the other paths of their items and what is below them. */
function withoutNames(
  resources: readonly Resource[],
  without: ReadonlyMap<string, string>,
  unplaced: UnplacedOperations,
): readonly Resource[] {
  const left = new Set<Resource>();
  // Each comes after those that it refers to.
  for (const resource of resources) {
    const { parent, sameAs, proposed, actions } = resource;
    const isBelow = parent !== undefined && left.has(parent);
    const own = without.get(proposed.name);
    if (own === undefined && !isBelow && (sameAs === undefined || !left.has(sameAs))) continue;
    left.add(resource);
    const reason = own ?? `${isBelow ? parent.segment : proposed.name} is not a collection`;
    for (const operation of actions.values()) unplaced.set(operation, reason);
  }
  return resources.filter((one) => !left.has(one));
}

/** Each collection with all paths of its items. */
function groupsOf(resources: readonly Resource[]): readonly ResourceGroup[] {
  const groups = new Map<Resource, Resource[]>();
  for (const resource of resources) {
    const own = collectionOf(resource);
    groups.set(own, [...(groups.get(own) ?? []), resource]);
  }
  return Array.from(groups, ([resource, all]) => ({ resource, all }));
}

/** Makes references optional that lead in a circle. */
function foundCycles(
  proposals: readonly ProposedResource[],
  rejections: ReadonlyMap<string, ResourceRejections>,
): boolean {
  const found = referencesInCycles(requiredReferences(proposals));
  for (const { from, field } of found) rejections.get(from)?.cycles.add(field);
  return found.length > 0;
}

/** Notes what the next proposal leaves out. @returns false if that is the whole collection. */
function noteIssue(
  { fields, keys }: ResourceRejections,
  { section, entry, message }: CollectionIssue,
): boolean {
  if (section === 'fields' && entry !== undefined) {
    const before = fields.get(entry)?.leftOut;
    const leftOut = LEFT_OUT_PARTS[before === undefined ? 0 : LEFT_OUT_PARTS.indexOf(before) + 1];
    if (leftOut === undefined) return false;
    fields.set(entry, { leftOut, message });
    return true;
  }
  if (!['sort', 'filter', 'pages', 'description', 'permissions'].includes(section)) return false;
  keys.set(section, message);
  return true;
}

type Changes = readonly OperationChange[];

/** The operations that the service offers, each with its changes. */
function placedOperations(
  operations: readonly Operation[],
  { proposals, parsed }: Accepted,
  { endpointsOf }: PlanOptions,
  context: { readonly schemas: Schemas; readonly types: MemberTypes },
): ReadonlyMap<Operation, ImportedOperation> {
  const placed = new Map<Operation, ImportedOperation>();
  if (parsed === undefined) return placed;
  const model = buildModel(parsed.service);
  const service = new OfferedService(model, endpointsOf(model));
  const besideByPath = new Map<string, Operation[]>();
  for (const one of operations) {
    if (!OF_ANY_PATH.has(one.method)) continue;
    besideByPath.set(one.path, [...(besideByPath.get(one.path) ?? []), one]);
  }
  for (const { name, group, idMember } of proposals) {
    for (const { actions, parent, envelope } of group.all) {
      const above = parent && collectionOf(parent).proposed.name;
      for (const [action, operation] of actions) {
        const offered = service.find(name, action, above);
        if (offered === undefined) continue;
        const compared = { ...context, prefix: service.prefix, idMember, envelope };
        const place = (one: Operation, { method, path }: OfferedOperation, all: Changes): void => {
          placed.set(one, {
            method: one.method,
            path: one.path,
            result: all.length === 0 ? 'same' : 'changed',
            offered: { method, path },
            collection: name,
            changes: all,
            reason: null,
          });
        };
        place(operation, offered, compareOperation(operation, action, offered, compared));
        for (const other of besideByPath.get(operation.path) ?? []) {
          const answered = offeredBeside(other.method, offered);
          if (answered === undefined || placed.has(other)) continue;
          const changes = compareOperation(other, action, answered, compared);
          // No answer to HEAD has a body, whatever the document says.
          const isNoticed = ({ code }: OperationChange): boolean =>
            other.method !== 'HEAD' || code !== 'response';
          place(other, answered, changes.filter(isNoticed));
        }
      }
    }
  }
  return placed;
}
