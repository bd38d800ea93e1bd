/**
 * What a newer version asks of an older project beyond a merge: files that are called otherwise now,
 * and changes of the schema that no definition asks for. A step is named by the version that it came
 * with, and is taken once, on the way past that version.
 */
import type { SchemaStep } from '../migration/schema-step.ts';
import { FILES_0_2_0 } from './files-0-2-0.ts';
import { SCHEMA_0_2_0 } from './schema-0-2-0.ts';
import type { ManifestEntry } from './types.ts';
import { guard } from '../migration/guards.ts';
import { SIGN_INS } from '../migration/statements.ts';
import { compareVersions } from './versions.ts';

/** A file that is called otherwise from a version on. The team's edits go along. */
interface FileStep {
  /** The first version that yields the file under its new name. */
  readonly version: string;
  readonly from: string;
  readonly to: string;
}

export interface UpgradeSteps {
  /** The oldest first, as those of the schema. */
  readonly files: readonly FileStep[];
  readonly schema: readonly SchemaStep[];
}

/** All steps. */
export const UPGRADE_STEPS: UpgradeSteps = {
  files: FILES_0_2_0.map(([from, to]) => ({ version: '0.2.0', from, to })),
  schema: [
    {
      version: '0.2.0',
      summary: 'Failed logins are counted by address and by username.',
      sql: () => [
        'drop table if exists "_attempts";',
        `create table if not exists "_logins" (
  "key" text collate "C" primary key,
  "logins" integer not null,
  "until" timestamptz not null
);`,
      ],
    },
    SCHEMA_0_2_0,
    {
      version: '0.2.0',
      summary:
        'Usernames that look the same are the same, and addresses that users have signed in from stay open to them.',
      sql: () => [
        SIGN_INS.replaceAll(/^create (table|index)/gm, 'create $1 if not exists'),
        guard(
          'select count(*) - count(distinct "_username_key"("username")) from "users"',
          'Usernames that look like another one',
          'Rename or remove these users first.',
        ),
        'drop index if exists "users__username__key";',
        'create unique index "users__username__key" on "users" ("_username_key"("username"));',
        'create index if not exists "users__username__sort" on "users" ("username", "id");',
      ],
    },
  ],
};

/** The moves on the way from a version to this one: new paths by old ones. */
export function movesSince(
  version: string,
  { files }: UpgradeSteps = UPGRADE_STEPS,
): ReadonlyMap<string, string> {
  const moves = new Map<string, string>();
  for (const { version: at, from, to } of files) {
    if (compareVersions(at, version) <= 0) continue;
    // What was moved before and is moved again is found under its first name.
    const origin = [...moves].find(([, target]) => target === from)?.[0] ?? from;
    moves.set(origin, to);
  }
  return moves;
}

/**
 * Fixtures of 0.1.0 were generated, and exported the functions that create items. These are in modules
 * of their own now, and a fixture is the team's.
 * @returns the modules of these functions, by the fixtures that had them.
 */
export function itemModulesSince(
  version: string,
  known: readonly ManifestEntry[],
): Map<string, string> {
  if (compareVersions('0.2.0', version) <= 0) return new Map();
  return new Map(
    known
      .filter(({ path, ownership }) => ownership === 'merged' && path.startsWith(FIXTURES))
      .map(({ path }) => [path, `test/support/items/${path.slice(FIXTURES.length)}`]),
  );
}

const FIXTURES = 'test/fixtures/';

/** The changes of the schema on the way from a version to this one. */
export const schemaStepsSince = (
  version: string,
  { schema }: UpgradeSteps = UPGRADE_STEPS,
): SchemaStep[] => schema.filter(({ version: at }) => compareVersions(at, version) > 0);
