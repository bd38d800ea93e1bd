/** The options of every command: what `--help` says, what is parsed, what completes. */
import type { Options } from 'yargs';

import { PACKAGE_MANAGERS } from '../shared/package-manager.ts';

const FORMATS = ['table', 'json', 'mermaid', 'states'] as const;
export type Format = (typeof FORMATS)[number];

type Table = Readonly<Record<string, Options>>;

const GLOBAL = 'Global options:';

export const GLOBAL_OPTIONS = {
  cwd: {
    type: 'string',
    requiresArg: true,
    group: GLOBAL,
    describe: 'The folder to work in',
    normalize: true,
  },
  json: {
    type: 'boolean',
    group: GLOBAL,
    describe: 'Print one JSON document, for scripts; help, version and completion stay text',
  },
  quiet: { type: 'boolean', group: GLOBAL, describe: 'Print only problems' },
  'no-color': { type: 'boolean', group: GLOBAL, describe: 'Print without colour' },
} as const satisfies Table;

/** Options that yargs answers itself, with their letters. */
export const ANSWERED_OPTIONS = {
  help: { alias: 'h', group: GLOBAL },
  version: { alias: 'v', group: GLOBAL },
} as const satisfies Table;

const FROM = {
  type: 'string',
  requiresArg: true,
  describe: 'Read definitions from a YAML or JSON file, or a folder',
} as const;

export const NEW_OPTIONS = {
  from: FROM,
  name: { type: 'string', requiresArg: true, describe: 'Name the service, in kebab-case' },
  'package-manager': {
    type: 'string',
    requiresArg: true,
    choices: PACKAGE_MANAGERS,
    describe: 'The package manager of the service; default: the one that runs this command',
  },
  'no-install': { type: 'boolean', describe: 'Do not install dependencies' },
  'no-git': { type: 'boolean', describe: 'Do not create a git repository' },
  'dry-run': { type: 'boolean', describe: 'Print what would be written; write nothing' },
  yes: { type: 'boolean', alias: 'y', describe: 'Ask no questions; use the defaults' },
  tool: {
    type: 'string',
    requiresArg: true,
    describe:
      'Where the service installs create-service from; default: where this one was installed from',
  },
} as const satisfies Table;

export const GENERATE_OPTIONS = {
  'dry-run': { type: 'boolean', describe: 'Print what would be done; write nothing' },
  diff: { type: 'boolean', describe: 'Print a diff of each file' },
  'allow-data-loss': {
    type: 'boolean',
    describe: 'Write a migration even if it loses data',
  },
  'allow-breaking': {
    type: 'boolean',
    describe: 'Allow changes that break clients of a frozen version',
  },
  'allow-wider': {
    type: 'boolean',
    describe: 'Allow changes that widen access: somebody may read or write what they could not',
  },
  restore: {
    type: 'string',
    requiresArg: true,
    describe:
      'Write again what your edits removed of this generated file, or the whole file if it is deleted',
  },
} as const satisfies Table;

/** The heading of the options of import for a database. */
export const DATABASE_OPTIONS_HEADING = 'Options for a database:';

export const IMPORT_OPTIONS = {
  'report-only': { type: 'boolean', describe: 'Print the report; write nothing' },
  again: {
    type: 'boolean',
    group: DATABASE_OPTIONS_HEADING,
    describe: 'Merge what has changed in the database into the definitions of an earlier import',
  },
  'keep-edits': {
    type: 'boolean',
    group: DATABASE_OPTIONS_HEADING,
    describe: 'With --again: where the definitions have changed, too, leave them as they are',
  },
  adopt: {
    type: 'boolean',
    group: DATABASE_OPTIONS_HEADING,
    describe: 'Write definitions that use the existing tables, instead of ones for new tables',
  },
  timestamps: {
    type: 'string',
    requiresArg: true,
    group: DATABASE_OPTIONS_HEADING,
    choices: ['utc'],
    describe: 'With --adopt: timestamps without time zone are in UTC; default: they are left out',
  },
  'soft-delete': {
    type: 'string',
    requiresArg: true,
    group: DATABASE_OPTIONS_HEADING,
    describe:
      'With --adopt: these tables have a column that marks removed rows; default: asked on a terminal',
  },
  tables: {
    type: 'string',
    requiresArg: true,
    group: DATABASE_OPTIONS_HEADING,
    describe: 'Read only these tables, with commas between: film,actor',
  },
  skip: {
    type: 'string',
    requiresArg: true,
    group: DATABASE_OPTIONS_HEADING,
    describe: 'Leave out these tables, with commas between',
  },
  schema: {
    type: 'string',
    requiresArg: true,
    group: DATABASE_OPTIONS_HEADING,
    describe: 'The schemas to read, with commas between; default: public',
  },
} as const satisfies Table;

export const CHECK_OPTIONS = {
  database: {
    type: 'string',
    requiresArg: true,
    describe: 'Compare the existing tables of this PostgreSQL database, too; give its URL',
  },
} as const satisfies Table;

export const EXPLAIN_OPTIONS = {
  from: FROM,
  format: { type: 'string', requiresArg: true, choices: FORMATS, describe: 'How to print' },
  database: {
    type: 'string',
    requiresArg: true,
    describe: 'Tell which lists would read many rows of this PostgreSQL database; give its URL',
  },
} as const satisfies Table;
