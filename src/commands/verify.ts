/**
 * `verify`: compares what a service answers with the rows of its existing tables. It starts the service, as it is in the
 * project, on their database. Nothing is changed but two rows of the service's own tables, which are removed again.
 */
import { parseFolder } from '../definition/index.ts';
import type { DatabaseSchema } from '../database/database-schema.ts';
import { readSchema } from '../database/read-schema.ts';
import { withDatabase } from '../database/session.ts';
import type { DatabaseSession } from '../database/session.ts';
import { withAdministrator } from '../database/temporary-administrator.ts';
import { packageRoot } from '../disk/package.ts';
import { hasNeededFiles } from '../project/needed-files.ts';
import { buildModel } from '../model/build.ts';
import { existingTables, isExisting } from '../model/existing.ts';
import type { Model } from '../model/types.ts';
import { currentOf } from '../model/versions.ts';
import type { Issue } from '../reading/position.ts';
import { userError } from '../shared/errors.ts';
import {
  isCurrent,
  locateProject,
  openProject,
  readSources,
  serviceNameOf,
} from '../project/open.ts';
import { displayPath } from '../shared/display-path.ts';
import type { StartedService } from '../shared/started-service.ts';
import { serviceReader } from '../verification/service-client.ts';
import { verifyTable } from '../verification/verify-table.ts';
import type { VerifiedTable } from '../verification/verify-table.ts';
import { compareTables } from './check/compare-tables.ts';
import type { TableDifference } from './check/compare-tables.ts';

export interface VerifyRequest {
  readonly cwd: string;
  /** The URL of the database. */
  readonly url: string;
  readonly interrupted: AbortSignal;
  /** Starts the service of a project on the database. @throws UserError */
  readonly startService: (folder: string) => Promise<StartedService>;
  /** Is called after each page. @param collection its path. @param rows how many were compared. */
  readonly onProgress: (collection: string, rows: number) => void;
}

export interface Verification {
  readonly ok: true;
  readonly tables: readonly VerifiedTable[];
  /** How the tables differ from what the definitions say of them, as `check --database` tells. */
  readonly differences: readonly TableDifference[];
  /** Collections with existing tables that the current version does not have. */
  readonly notServed: readonly string[];
  /** The temporary administrator, if it could not be removed. */
  readonly userLeft: { readonly username: string; readonly reason: string } | undefined;
  /** Whether the schemas of the tables were the same before and after. */
  readonly isUnchanged: boolean;
}

export type VerifyResult = Verification | { readonly ok: false; readonly issues: readonly Issue[] };

/** @throws UserError without a project, an existing table, or a database, and if the service does not run. */
export async function verify(request: VerifyRequest): Promise<VerifyResult> {
  const { cwd, url, interrupted, startService } = request;
  const folder = locateProject(cwd);
  const project = openProject(folder, (file) => displayPath(cwd, file));
  const sources = readSources(folder, cwd, undefined);
  const parsed = await parseFolder(sources, { fallbackName: serviceNameOf(project) });
  if (!parsed.ok) return parsed;
  if (!isCurrent(project, cwd) || !hasNeededFiles(project)) throw userError('not-generated', {});
  const model = buildModel(parsed.service);
  const schemas = [...new Set(existingTables(model).map(({ schema }) => schema))];
  if (schemas.length === 0) {
    throw userError('usage', {
      problem: 'verify compares existing tables, and no collection has one',
      hint: 'Run it in a service whose definitions have "table".',
    });
  }
  const connection = { command: 'verify', driverFolder: packageRoot, signal: interrupted } as const;
  const read = async (): Promise<DatabaseSchema> =>
    withDatabase(url, connection, (session) => readSchema(session, schemas));
  const before = await read();
  const differences = compareTables(model.collections, before);
  const write = <Result>(work: (session: DatabaseSession) => Promise<Result>): Promise<Result> =>
    // What was created is removed again, also after an interruption.
    withDatabase(
      url,
      { ...connection, purpose: 'write', signal: new AbortController().signal },
      work,
    );
  const service = await startService(folder);
  let verified: Awaited<ReturnType<typeof withAdministrator<readonly VerifiedTable[]>>>;
  try {
    verified = await withAdministrator(write, parsed.service.schema ?? 'public', (token) =>
      withDatabase(url, { ...connection, purpose: 'latest' }, (session) =>
        verifyTables(request, currentOf(model), { session, service, token }),
      ),
    );
  } catch (error) {
    if (interrupted.aborted || !service.ended.aborted) throw error;
    throw userError('service-ended', { output: service.output() });
  } finally {
    await service.stop();
  }
  const after = await read();
  interrupted.throwIfAborted();
  return {
    ok: true,
    tables: verified.result,
    differences,
    notServed: unservedCollections(model),
    userLeft: verified.notRemoved,
    isUnchanged:
      JSON.stringify(withoutEstimates(before)) === JSON.stringify(withoutEstimates(after)),
  };
}

async function verifyTables(
  { interrupted, onProgress }: VerifyRequest,
  { service: definition, collections }: Model,
  {
    session,
    service: { origin, ended },
    token,
  }: {
    readonly session: DatabaseSession;
    readonly service: StartedService;
    readonly token: string;
  },
): Promise<VerifiedTable[]> {
  const signal = AbortSignal.any([interrupted, ended]);
  const reader = serviceReader(definition, { origin, token, signal });
  const tables: VerifiedTable[] = [];
  for (const collection of collections.filter(isExisting)) {
    tables.push(
      await verifyTable(collection, {
        session,
        read: reader,
        signal,
        onProgress: (rows) => onProgress(collection.names.kebab, rows),
      }),
    );
  }
  return tables;
}

/** The collections with existing tables that the current version does not have. */
export function unservedCollections(model: Model): string[] {
  const served = new Set(currentOf(model).collections.map(({ table }) => table.name));
  return model.collections
    .filter((one) => isExisting(one) && !served.has(one.table.name))
    .map(({ definition: { name } }) => name);
}

/** The numbers of rows are estimates, which change by themselves. */
const withoutEstimates = ({ tables, ...schema }: DatabaseSchema): object => ({
  ...schema,
  tables: tables.map((table) => ({ ...table, rows: null })),
});
