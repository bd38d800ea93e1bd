/**
 * The definitions that databases have applied, as the migrations record them, and those that the code
 * was generated from last. They differ where the last change of definitions needed no migration.
 */
import { parseFolder } from '../definition/index.ts';
import type {
  DefinitionResult,
  ParsedDefinitions,
  ServiceDefinition,
} from '../definition/types.ts';
import type { SourceFile } from '../reading/position.ts';
import { asText } from '../disk/definitions.ts';
import { fingerprintOf } from '../disk/fingerprint.ts';
import { RECORD } from '../disk/manifest.ts';
import type { WrittenFile } from '../disk/manifest.ts';
import type { Project } from '../disk/project.ts';
import { userError } from '../shared/errors.ts';
import { migrationPath } from '../shared/files.ts';
import { chainEnds } from '../migration/chain.ts';
import { planMigration } from '../migration/index.ts';
import {
  isSameIn,
  isSameRecord,
  RecordDamage,
  recordedIn,
  recordedOf,
  recordedPath,
  sourcesOf,
} from '../migration/recorded-definitions.ts';
import type {
  RecordConflict,
  RecordedChain,
  RecordedDefinitions,
} from '../migration/recorded-definitions.ts';
import { buildModel } from '../model/build.ts';
import { serviceNameOf, packageManagerOf } from './open.ts';

/** The definitions that the migrations amount to. */
export interface AppliedDefinitions {
  readonly service: ServiceDefinition;
  readonly recorded: RecordedDefinitions;
  /** Paths that two branches set differently with one schema for both: the next migration records the values. */
  readonly agreedPaths: readonly string[];
  /** The versions of create-service that wrote the last migration of each branch; none: not known. */
  readonly generators: readonly string[];
}

export interface AppliedRequest {
  readonly project: Project;
  /** The definitions of now, and their files as they were read. */
  readonly now: ParsedDefinitions;
  readonly sources: readonly SourceFile[];
  /** Their texts by their paths in the project, in the order of the files. */
  readonly texts: readonly WrittenFile[];
  /** Gives the name of a path of the project in messages. */
  readonly shown: (file: string) => string;
}

/**
 * Reads what was applied, and what was generated last.
 * @throws UserError where migrations of two branches do not fit together, or the record is damaged.
 */
export async function readApplied(request: AppliedRequest): Promise<{
  readonly applied: AppliedDefinitions;
  readonly generated: ServiceDefinition;
  /** The definitions that are kept of the last run, also where a merge of branches made them; else what migrations say. */
  readonly kept: ServiceDefinition;
}> {
  const { project, shown } = request;
  const last = await lastGenerated(request);
  const chain = chainOf(request);
  if (chain === undefined) {
    const [first] = project.migrations;
    if (first !== undefined) {
      throw userError('record-damaged', {
        path: shown(migrationPath(first.name)),
        message: 'neither this migration nor a later one records the definitions',
      });
    }
    const result = requireValid(last, request);
    const applied = {
      service: result.service,
      recorded: recordedOf(result.plain),
      agreedPaths: [],
      generators: [],
    };
    return { applied, generated: result.service, kept: result.service };
  }
  const agreedPaths = await agreedConflicts(chain, request);
  const { definitions: recorded, generators } = chain;
  const service = await serviceOf(recorded, last, request);
  const applied = { service, recorded, agreedPaths, generators };
  const kept = last?.ok === true ? last.service : service;
  return { applied, generated: matchesManifest(project) ? kept : service, kept };
}

/** Whether the manifest vouches for the definitions that are kept beside it. */
function matchesManifest(project: Project): boolean {
  const { applied, generators } = project.manifest;
  const [version = ''] = generators;
  const hash = fingerprintOf(version, packageManagerOf(project).name, project.applied);
  return generators.length === 1 && applied.length === 1 && applied[0] === hash;
}

/** The definitions that are kept of the last run; files that are the same to the letter are read once. */
async function lastGenerated({
  project,
  now,
  sources,
  texts,
  shown,
}: AppliedRequest): Promise<DefinitionResult | undefined> {
  if (project.applied.length === 0) return undefined;
  if (isSameText(project.applied, now.files.map(asText))) return now;
  const current = new Map(texts.map(({ path, text }, at) => [`${path}\n${text}`, sources[at]]));
  const encoder = new TextEncoder();
  const files = project.applied.map(({ path, text }) => ({
    path: shown(`${RECORD}/${path}`),
    bytes: encoder.encode(text),
  }));
  const same = new Map(
    project.applied.map(({ path, text }, at) => [files[at]?.path, current.get(`${path}\n${text}`)]),
  );
  const fallbackName = serviceNameOf(project);
  const read = await parseFolder(files, { fallbackName, sameAs: ({ path }) => same.get(path) });
  // Messages name the files that are kept.
  return read.ok ? read : parseFolder(files, { fallbackName });
}

function isSameText(one: readonly WrittenFile[], other: readonly WrittenFile[]): boolean {
  const texts = new Map(one.map(({ path, text }) => [path, text]));
  return one.length === other.length && other.every(({ path, text }) => texts.get(path) === text);
}

function requireValid(
  last: DefinitionResult | undefined,
  { shown }: AppliedRequest,
): ParsedDefinitions {
  if (last?.ok === true) return last;
  const first = last?.issues[0];
  throw userError('applied-damaged', {
    path: first?.at.file ?? shown(RECORD),
    line: first?.at.line ?? 1,
    message: first?.message ?? 'there is none',
  });
}

const MARKER = /^(?:<{7} |>{7} )/;

function chainOf({ project, shown }: AppliedRequest): RecordedChain | undefined {
  for (const { name, text } of project.migrations) {
    const line = text.split('\n').findIndex((one) => MARKER.test(one)) + 1;
    if (line > 0)
      throw userError('migrations-unmerged', { path: shown(migrationPath(name)), line });
  }
  try {
    return recordedIn(project.migrations);
  } catch (error) {
    if (!(error instanceof RecordDamage)) throw error;
    throw userError('record-damaged', {
      path: shown(migrationPath(error.migration)),
      line: error.line,
      message: `this line is no valid record of definitions: ${JSON.stringify(error.message.slice(0, 60))}`,
    });
  }
}

/** Throws where two branches changed one thing; the paths of which both make the same schema. */
async function agreedConflicts(
  { conflicts }: RecordedChain,
  request: AppliedRequest,
): Promise<readonly string[]> {
  const agreedPaths: string[] = [];
  for (const conflict of conflicts) {
    if (conflict.isCertain || !(await isSameSchema(conflict, request)))
      throw conflictError(conflict, request);
    agreedPaths.push(conflict.path);
  }
  return agreedPaths;
}

async function isSameSchema(
  { variants }: RecordConflict,
  { project }: AppliedRequest,
): Promise<boolean> {
  const [one, other] = await Promise.all(
    variants.map((variant) =>
      parseFolder(sourcesOf(variant), { fallbackName: serviceNameOf(project) }),
    ),
  );
  if (one?.ok !== true || other?.ok !== true) return false;
  const models = [buildModel(one.service), buildModel(other.service)] as const;
  return planMigration(...models) === undefined;
}

function conflictError({ path, migrations }: RecordConflict, { shown }: AppliedRequest): Error {
  const [one, other] = migrations.map((name) => shown(migrationPath(name)));
  return userError('migrations-clash', { one: one ?? '', other: other ?? '', what: inWords(path) });
}

/** `collections.books.fields.title` as a person says it. */
function inWords(path: string): string {
  const [, collection, key, field] = /^collections\.(\w+)(?:\.(\w+)(?:\.(\w+))?)?/.exec(path) ?? [];
  if (collection === undefined) return `${path.replace('service.', '')} of the service`;
  if (field !== undefined) {
    return `the ${key === 'checks' ? 'check' : 'field'} ${field} of ${collection}`;
  }
  return key === undefined ? `the collection ${collection}` : `${key} of ${collection}`;
}

/** The service that is recorded; what is read already is not read again. */
async function serviceOf(
  recorded: RecordedDefinitions,
  last: DefinitionResult | undefined,
  request: AppliedRequest,
): Promise<ServiceDefinition> {
  const { project, now, sources } = request;
  const parsed = [
    { plain: recordedOf(now.plain), service: now.service, sources },
    ...(last?.ok === true
      ? [
          {
            plain: recordedOf(last.plain),
            service: last.service,
            sources: [] as readonly SourceFile[],
          },
        ]
      : []),
  ];
  const same = parsed.find(({ plain }) => isSameRecord(plain, recorded));
  if (same !== undefined) return same.service;
  const files = new Map(sources.map((file) => [file.path, file]));
  const collections = new Map(
    now.service.collections.map(({ name, at }) => [`collections.${name}`, files.get(at.file)]),
  );
  const [{ plain: current }] = parsed as [(typeof parsed)[number]];
  const read = await parseFolder(sourcesOf(recorded), {
    fallbackName: serviceNameOf(project),
    sameAs: ({ path }) => {
      const own = recordedPath(path);
      return isSameIn(own, recorded, current) ? collections.get(own) : undefined;
    },
  });
  if (read.ok) return read.service;
  const message = read.issues[0]?.message ?? '';
  const [one, other] = chainEnds(project.migrations).map(({ name }) =>
    request.shown(migrationPath(name)),
  );
  throw one !== undefined && other !== undefined
    ? userError('migrations-clash', {
        one,
        other,
        what: '',
        why: `do not fit together: ${message}`,
      })
    : userError('record-damaged', { path: one ?? '', message });
}
