/** The steps from trees to a checked service, the same for a folder and for a single file. */
import { kindOf } from '../reading/mismatch.ts';
import type { Reading } from '../reading/records.ts';
import { assemble } from './assemble.ts';
import { readCollection } from './collection.ts';
import { checkEvents } from './events.ts';
import { Issues } from '../reading/issues.ts';
import type { SERVICE_KEYS } from './keys.ts';
import type { Part } from './part.ts';
import { readOnce } from './read-once.ts';
import { checkOwnerPaths } from './owner-path.ts';
import { patternJudge } from './pattern.ts';
import { checkRoles } from './permissions.ts';
import { checkRelations } from './relations.ts';
import type { FieldContext } from './field-context.ts';
import { isRoleName, readService } from './service.ts';
import { readSource, startOf, type Source } from '../reading/source.ts';
import { toTree, type MapTree } from '../reading/tree.ts';
import { quote } from '../reading/quote.ts';
import type { DefinitionResult, ServiceDefinition } from './types.ts';
import type { SourceFile } from '../reading/position.ts';

/** Everything that was found in the files. */
interface Parts {
  readonly service: Reading<typeof SERVICE_KEYS>;
  readonly collections: readonly Part[];
  /** Whether all files could be read; if not, what is missing is not told. */
  readonly complete: boolean;
  /** Whether the roles could be read; if not, none is told to be missing. */
  readonly rolesKnown: boolean;
  /** The same of the versions. */
  readonly versionsKnown: boolean;
  readonly fallbackName: string;
}

/** A file whose syntax is fine, and what it holds. */
interface ReadFile {
  readonly source: Source;
  readonly tree: MapTree;
}

/** Reads a file that holds a map; `example` is what to write into one that is empty. */
export function readFile(file: SourceFile, example: string, issues: Issues): ReadFile | undefined {
  const source = readSource(file, issues);
  if (source === undefined) return undefined;
  const before = issues.count;
  const tree = toTree(source, issues);
  if (tree === undefined) {
    if (issues.count === before) {
      const message = `the file says nothing. Write ${quote(example)}, or remove the file.`;
      issues.add(startOf(file.path), 'file-empty', message);
    }
    return undefined;
  }
  if (tree.kind === 'map') return { source, tree };
  const message = `the file holds ${kindOf(tree)}, not a map. Write ${quote(example)}.`;
  issues.add(tree.at, 'wrong-type', message);
  return undefined;
}

/** Whether keys of a service are known: written so that they could be read, or not at all. */
export function areKnown(
  tree: MapTree,
  read: Reading<typeof SERVICE_KEYS>,
  ...keys: readonly (keyof typeof SERVICE_KEYS)[]
): boolean {
  return keys.every(
    (key) => read[key] !== undefined || !tree.entries.some(({ name }) => name === key),
  );
}

const readPart = readOnce(
  ({ tree, outer, inMap }: Part, context: FieldContext) =>
    readCollection(tree, outer, inMap, context),
  ({ versions }) => JSON.stringify(versions),
);

/** Checks all parts, each by itself and all together. */
export async function checkParts(
  parts: Parts,
  issues: Issues,
): Promise<ServiceDefinition | undefined> {
  const judge = patternJudge();
  const service = readService(parts.service, parts.fallbackName, issues);
  const { versions: served, retired } = service;
  const versions = { served, retired, isComplete: parts.versionsKnown };
  const collections = parts.collections.flatMap(
    (part) => readPart(part, { issues, judge, versions }) ?? [],
  );
  if (parts.rolesKnown) {
    const readers = parts.service.users?.value.read?.value ?? [];
    checkRoles(readers.filter(isRoleName), service.roles, issues);
    for (const { roles } of collections) checkRoles(roles, service.roles, issues);
  }
  const complete = parts.complete && collections.length === parts.collections.length;
  const schema = parts.service.schema && (service.schema ?? '');
  checkRelations(collections, complete, schema, issues);
  checkOwnerPaths(collections, complete, issues);
  checkEvents(collections, issues);
  return assemble(service, collections, { issues, versions });
}

/** The result where something is wrong. */
export function failedResult(issues: Issues): DefinitionResult {
  return Object.freeze({ ok: false, issues: issues.sorted() });
}
