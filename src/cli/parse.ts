/** The command line as text → the command as a value. Prints nothing and ends nothing. */
import yargs from 'yargs';
import type { Arguments, Argv, Options } from 'yargs';

import { nearest } from '../reading/nearest.ts';
import { userError } from '../shared/errors.ts';
import type { PackageManager } from '../shared/package-manager.ts';
import type { Command, ExplainCommand, GenerateCommand, ImportCommand } from './command.ts';
import type { ImportAgainCommand, ImportOpenApiCommand } from './command.ts';
import type { GlobalSettings, CreateCommand } from './command.ts';
import { completionScript, shellOf, SHELLS } from './completion.ts';
import type { Shell } from './completion.ts';
import {
  CHECK_EXAMPLES,
  EXAMPLES,
  EXPLAIN_EXAMPLES,
  GENERATE_EXAMPLES,
  IMPORT_EXAMPLES,
  VERIFY_EXAMPLES,
} from './examples.ts';
import { isNarrow, stacked } from './narrow.ts';
import { ANSWERED_OPTIONS, CHECK_OPTIONS, EXPLAIN_OPTIONS, GENERATE_OPTIONS } from './options.ts';
import {
  GLOBAL_OPTIONS,
  IMPORT_OPTIONS,
  NEW_OPTIONS,
  DATABASE_OPTIONS_HEADING,
} from './options.ts';
import type { Format } from './options.ts';
import { ownMember } from '../shared/json.ts';

/** Words that are commands: a folder of such a name is written `./check`. */
const COMMANDS = ['new', 'generate', 'check', 'explain', 'import', 'verify', 'completion'];

const pairs = (examples: typeof EXAMPLES): [string, string][] =>
  examples.map(([line, says]) => [line, says]);

interface CommandLineSettings {
  readonly cwd: string;
  readonly version: string;
  /** How wide help may be. */
  readonly columns: number;
  /** The program that is the user's shell, where it is known. */
  readonly shell: string | undefined;
}

/** @throws UserError where the command line is wrong. */
export function parseCommandLine(typed: readonly string[], options: CommandLineSettings): Command {
  let command: Command | undefined;
  const refuse = (
    args: Arguments,
    known: Readonly<Record<string, Options>>,
    most: number,
  ): void => {
    refuseUnknownOptions(typed, { ...ANSWERED_OPTIONS, ...GLOBAL_OPTIONS, ...known });
    refuseSuperfluous(args, most);
  };
  const parser = yargs([], options.cwd)
    .scriptName('create-service')
    .locale('en')
    .parserConfiguration({
      'boolean-negation': false,
      'camel-case-expansion': false,
      'duplicate-arguments-array': false,
      'parse-numbers': false,
      'parse-positional-numbers': false,
    })
    .wrap(isNarrow(options.columns) ? null : Math.min(options.columns, 100))
    .usage('Collection definitions in, a complete TypeScript HTTP service out.')
    .options(GLOBAL_OPTIONS)
    .version('version', 'Show the version', options.version)
    .help('help', 'Show this help')
    .alias({ help: ANSWERED_OPTIONS.help.alias, version: ANSWERED_OPTIONS.version.alias })
    .group(Object.keys(ANSWERED_OPTIONS), ANSWERED_OPTIONS.help.group)
    .exitProcess(false)
    .fail((message: string | null, error: Error | undefined) => {
      // What yargs finds wrong it sometimes throws itself.
      if (error !== undefined && error.name !== 'YError') throw error;
      throw userError('usage', {
        problem: problemOf(error?.message ?? message ?? ''),
        hint: helpHint(typed),
      });
    })
    .command(
      ['$0 [directory]', 'new'],
      'Create a new service',
      (builder: Argv) =>
        builder
          .positional('directory', { type: 'string', describe: 'The folder to create' })
          .options(NEW_OPTIONS)
          .example(pairs(EXAMPLES)),
      (parsed: Arguments) => {
        const most = parsed._[0] === 'new' ? 1 : 0;
        const args = withWord(parsed, 'directory', most);
        refuse(args, NEW_OPTIONS, most);
        command = createCommand(args, typed);
      },
    )
    .command(
      'generate [what] [name]',
      'Update a service to its definitions',
      (builder: Argv) =>
        builder
          .positional('what', {
            type: 'string',
            describe: 'collection: define a collection first',
          })
          .positional('name', {
            type: 'string',
            describe:
              'Its name, a plural in snake_case; then its fields: name:type:option…, such as rating:integer:required',
          })
          .options(GENERATE_OPTIONS)
          .example(pairs(GENERATE_EXAMPLES)),
      (args: Arguments) => {
        refuse(args, GENERATE_OPTIONS, Infinity);
        command = generateCommand(args);
      },
    )
    .command(
      'check',
      'Check that code, migrations and definitions agree, for CI',
      (builder: Argv) => builder.options(CHECK_OPTIONS).example(pairs(CHECK_EXAMPLES)),
      (args: Arguments) => {
        refuse(args, CHECK_OPTIONS, 1);
        command = { kind: 'check', ...globalSettings(args), database: text(args, 'database') };
      },
    )
    .command(
      'explain',
      'Show the endpoints, statuses and permissions of the definitions',
      (builder: Argv) => builder.options(EXPLAIN_OPTIONS).example(pairs(EXPLAIN_EXAMPLES)),
      (args: Arguments) => {
        refuse(args, EXPLAIN_OPTIONS, 1);
        command = explainCommand(args);
      },
    )
    .command(
      'import [source] [directory]',
      'Write definitions for the tables of a PostgreSQL database, or an OpenAPI document',
      (builder: Argv) =>
        builder
          .positional('source', {
            type: 'string',
            describe: 'postgresql://user@host:5432/name, or a file such as openapi.yaml',
          })
          .positional('directory', {
            type: 'string',
            describe:
              'The folder to create; not with --report-only. With --again: that of the definitions',
          })
          .options(IMPORT_OPTIONS)
          .example(pairs(IMPORT_EXAMPLES)),
      (parsed: Arguments) => {
        const args = withWord(withWord(parsed, 'source', 1), 'directory', 1);
        refuse(args, IMPORT_OPTIONS, 1);
        command = args['again'] === true ? importAgainCommand(args) : importCommand(args);
      },
    )
    .command(
      'verify [url]',
      'Compare what a service answers with the rows of its existing tables',
      (builder: Argv) =>
        builder
          .positional('url', { type: 'string', describe: 'postgresql://user@host:5432/name' })
          .example(pairs(VERIFY_EXAMPLES)),
      (parsed: Arguments) => {
        const args = withWord(parsed, 'url', 1);
        refuse(args, {}, 1);
        command = {
          kind: 'verify',
          ...globalSettings(args),
          url: requiredUrl(args, 'url', VERIFY_HINT),
        };
      },
    )
    .command(
      'completion [shell]',
      'Print a script that completes commands in your shell',
      (builder: Argv) =>
        builder.positional('shell', {
          type: 'string',
          choices: SHELLS,
          describe: 'Which shell; default: the one that SHELL names',
        }),
      (args: Arguments) => {
        refuse(args, {}, 1);
        const shell = text(args, 'shell') as Shell | undefined;
        command = { kind: 'text', text: completionScript(shell ?? shellOf(options.shell)) };
      },
    )
    .epilogue('Exit status: 0 success, 1 failure, 2 wrong command line, 130 interrupted');

  refuseInheritedNames(typed);
  let printed = '';
  void parser.parse([...typed], {}, (error, _args, output) => {
    if (error instanceof Error) throw error;
    printed = isNarrow(options.columns) ? stacked(output, options.columns) : output;
  });
  const further = furtherCompletions(typed, options.shell?.endsWith('zsh') === true);
  return command ?? { kind: 'text', text: [...further, printed].join('\n') };
}

/** What a shell may complete that yargs does not offer: options of `new` before a command, and `generate collection`. */
function furtherCompletions(typed: readonly string[], isZsh: boolean): readonly string[] {
  if (typed[0] !== '--get-yargs-completions') return [];
  const [words, current = ''] = [typed.slice(2, -1), typed.at(-1)];
  const isOption = current.startsWith('-');
  const offered: Readonly<Record<string, Options>> =
    isOption && !words.some((word) => COMMANDS.includes(word))
      ? Object.fromEntries(
          Object.entries(NEW_OPTIONS)
            .map(([name, option]) => [`--${name}`, option] as const)
            .filter(([name]) => !words.includes(name)),
        )
      : words.at(-1) === 'generate' && !isOption
        ? { collection: { describe: 'Define a collection first' } }
        : {};
  return Object.entries(offered).map(([word, { describe }]) =>
    isZsh && describe !== undefined ? `${word}:${describe}` : word,
  );
}

/** A word after `--` is an argument that is still missing: yargs takes none from there. */
function withWord(args: Arguments, name: 'url' | 'source' | 'directory', at: number): Arguments {
  const word = args._[at];
  if (word === undefined || args[name] !== undefined) return args;
  return { ...args, [name]: String(word), _: args._.toSpliced(at, 1) };
}

function createCommand(args: Arguments, typed: readonly string[]): CreateCommand {
  const directory = text(args, 'directory');
  if (directory !== undefined && args._[0] !== 'new') refuseMistypedCommand(directory);
  const name = text(args, 'name');
  if (name !== undefined && !/^(?=.{1,63}$)[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/.test(name)) {
    throw userError('usage', {
      problem: `--name ${JSON.stringify(name)} is not kebab-case of at most 63 characters`,
      hint: 'Write a name such as "book-shop".',
    });
  }
  return {
    kind: 'new',
    ...globalSettings(args),
    directory,
    from: text(args, 'from'),
    name,
    packageManager: text(args, 'package-manager') as PackageManager | undefined,
    install: args['no-install'] !== true,
    git: args['no-git'] !== true,
    dryRun: args['dry-run'] === true,
    yes: args['yes'] === true,
    tool: text(args, 'tool'),
    bare: typed.length === 0 || (typed.length === 1 && typed[0] === 'new'),
  };
}

function generateCommand(args: Arguments): GenerateCommand {
  const what = text(args, 'what');
  const name = text(args, 'name');
  if (what !== undefined && what !== 'collection') {
    throw userError('usage', {
      problem: `generate defines a collection, and no ${JSON.stringify(what)}`,
      hint: 'Write create-service generate collection reviews rating:integer:required',
    });
  }
  if (what !== undefined && name === undefined) {
    throw userError('usage', {
      problem: 'the collection has no name',
      hint: 'Write create-service generate collection reviews rating:integer:required',
    });
  }
  const fields = args._.slice(1).map(String);
  return {
    kind: 'generate',
    ...globalSettings(args),
    dryRun: args['dry-run'] === true,
    diff: args['diff'] === true,
    allowDataLoss: args['allow-data-loss'] === true,
    allowBreaking: args['allow-breaking'] === true,
    allowWider: args['allow-wider'] === true,
    restore: text(args, 'restore'),
    collection: name === undefined ? undefined : { name, fields },
  };
}

/** `--format json` and `--json` are one: issues and errors are then a document too. */
function explainCommand(args: Arguments): ExplainCommand {
  const settings = globalSettings(args);
  const format = (text(args, 'format') ?? (settings.json ? 'json' : 'table')) as Format;
  if (settings.json && format !== 'json') {
    throw userError('usage', {
      problem: `--json and --format ${format} exclude each other`,
      hint: 'Leave out one of them.',
    });
  }
  const database = text(args, 'database');
  if (database !== undefined && format !== 'table' && format !== 'json') {
    throw userError('usage', {
      problem: `--database and --format ${format} exclude each other`,
      hint: 'With --database, --format is table or json.',
    });
  }
  return {
    kind: 'explain',
    ...settings,
    json: format === 'json',
    from: text(args, 'from'),
    format,
    database,
  };
}

const IMPORT_HINT =
  'Write create-service import <url or file> <directory>, or --report-only in place of the directory.';

const VERIFY_HINT = 'Write create-service verify <url>.';

const AGAIN_HINT = 'Write create-service import --again <url>.';

function requiredUrl(args: Arguments, name: 'url' | 'source', hint: string): string {
  const url = text(args, name);
  if (url !== undefined) return url;
  throw userError('usage', { problem: 'the URL of the database is missing', hint });
}

/** The other options are those of the import that is done again, unless they are given. */
function importAgainCommand(args: Arguments): ImportAgainCommand {
  const url = requiredUrl(args, 'source', AGAIN_HINT);
  if (!url.includes('://') || /^https?:/i.test(url)) {
    throw userError('usage', {
      problem: `--again is only for a database, and ${JSON.stringify(url)} is not the URL of one`,
      hint: AGAIN_HINT,
    });
  }
  if (args['adopt'] === true) {
    throw userError('usage', {
      problem: '--adopt and --again exclude each other',
      hint: 'Leave out --adopt: whether definitions use the tables stays as it is.',
    });
  }
  if (args['soft-delete'] !== undefined) {
    throw userError('usage', {
      problem: '--soft-delete is only for a first import',
      hint: 'Write soft_delete into the definition: --again keeps it, and reads the indexes of the table by it.',
    });
  }
  return {
    kind: 'import-again',
    ...globalSettings(args),
    url,
    directory: text(args, 'directory'),
    schemas: listed(args, 'schema'),
    tables: listed(args, 'tables'),
    skip: listed(args, 'skip'),
    timestamps: text(args, 'timestamps') as ImportAgainCommand['timestamps'],
    reportOnly: args['report-only'] === true,
    keepEdits: args['keep-edits'] === true,
  };
}

function importCommand(args: Arguments): ImportCommand | ImportOpenApiCommand {
  if (args['keep-edits'] === true) {
    throw userError('usage', {
      problem: '--keep-edits is only for --again',
      hint: 'Add --again, or remove --keep-edits.',
    });
  }
  const source = text(args, 'source');
  if (source === undefined) {
    throw userError('usage', {
      problem: 'the URL of the database, or the file of the OpenAPI document, is missing',
      hint: IMPORT_HINT,
    });
  }
  const directory = text(args, 'directory');
  const isReport = args['report-only'] === true;
  if (isReport === (directory !== undefined)) {
    throw userError('usage', {
      problem: isReport
        ? '--report-only writes nothing, and a directory is given'
        : 'the folder for the definitions is missing',
      hint: IMPORT_HINT,
    });
  }
  if (/^file:/i.test(source)) {
    throw userError('usage', {
      problem: `a document is read from a file, and ${source} is no path`,
      hint: 'Give the path of the file, such as openapi.yaml.',
    });
  }
  if (!source.includes('://')) return importOpenApiCommand(args, source, directory);
  if (/^https?:/i.test(source)) {
    throw userError('usage', {
      problem: 'a document is read from a file, and not from the network',
      hint: 'Download it first, for example with curl -O.',
    });
  }
  const adopt = args['adopt'] === true;
  for (const option of ['timestamps', 'soft-delete']) {
    if (args[option] === undefined || adopt) continue;
    throw userError('usage', {
      problem: `--${option} is only for --adopt`,
      hint: `Add --adopt, or remove --${option}.`,
    });
  }
  return {
    kind: 'import',
    ...globalSettings(args),
    url: source,
    directory,
    schemas: listed(args, 'schema') ?? ['public'],
    tables: listed(args, 'tables'),
    skip: listed(args, 'skip') ?? [],
    adopt,
    timestamps: text(args, 'timestamps') as ImportCommand['timestamps'],
    softDelete: listed(args, 'soft-delete'),
  };
}

/** The options of import that a document does not have. */
const OF_DATABASES = Object.entries(IMPORT_OPTIONS)
  .filter(([, option]) => 'group' in option && option.group === DATABASE_OPTIONS_HEADING)
  .map(([name]) => name);

function importOpenApiCommand(
  args: Arguments,
  file: string,
  directory: string | undefined,
): ImportOpenApiCommand {
  const option = OF_DATABASES.find((name) => args[name] !== undefined && args[name] !== false);
  if (option !== undefined) {
    throw userError('usage', {
      problem: `--${option} is only for a database, and ${JSON.stringify(file)} is the file of a document`,
      hint: `Remove --${option}, or give a URL such as postgresql://user@host:5432/name.`,
    });
  }
  return { kind: 'import-openapi', ...globalSettings(args), file, directory };
}

/** Names between commas. */
const listed = (args: Arguments, name: string): readonly string[] | undefined =>
  text(args, name)
    ?.split(',')
    .map((one) => one.trim())
    .filter((one) => one !== '');

const globalSettings = (args: Arguments): GlobalSettings => ({
  cwd: text(args, 'cwd'),
  json: args['json'] === true,
  quiet: args['quiet'] === true,
  color: args['no-color'] !== true,
});

const POSITIONALS: ReadonlyMap<string, string> = new Map([
  ['directory', 'the directory'],
  ['url', 'the URL'],
  ['source', 'the URL or file'],
  ['name', 'the name'],
  ['what', 'what to generate'],
  ['shell', 'the shell'],
]);

function text(args: Arguments, name: string): string | undefined {
  const value = ownMember<unknown>(args, name);
  if (value === undefined) return undefined;
  if (typeof value === 'string' && value.trim() !== '') return value;
  const shown = POSITIONALS.get(name) ?? `--${name}`;
  throw userError('usage', { problem: `${shown} is empty`, hint: helpHint(args._) });
}

/** Names the help with the options of the command in these words: those of `new` are in the help of all. */
function helpHint(words: readonly (string | number)[]): string {
  const command = words.find((word) => COMMANDS.includes(String(word))) ?? 'new';
  return `See create-service ${command === 'new' ? '' : `${command} `}--help.`;
}

/** A word that is nearly a command is more likely one than a folder to make. */
function refuseMistypedCommand(word: string): void {
  const meant = nearest(word, COMMANDS);
  if (meant === undefined || !/^[a-z]+$/.test(word)) return;
  const problem = `there is no command ${word}: did you mean ${meant}?`;
  throw userError('usage', { problem, hint: `For a folder of that name write ./${word}` });
}

/** Refuses options such as `--constructor`: yargs looks them up in plain objects, and fails. */
function refuseInheritedNames(typed: readonly string[]): void {
  const options = typed.includes('--') ? typed.slice(0, typed.indexOf('--')) : typed;
  for (const word of options) {
    const long = /^--([^=]*)/.exec(word)?.[1];
    if (long === undefined || !Object.hasOwn(Object.prototype, long)) continue;
    throw userError('usage', { problem: `there is no option --${long}`, hint: helpHint(typed) });
  }
}

function refuseUnknownOptions(
  typed: readonly string[],
  known: Readonly<Record<string, Options>>,
): void {
  const end = typed.indexOf('--');
  for (const word of end < 0 ? typed : typed.slice(0, end)) {
    const long = /^--([^=]*)/.exec(word)?.[1];
    const letters = /^-([^-=]+)/.exec(word)?.[1] ?? '';
    const aliases = new Set(Object.values(known).map(({ alias }) => alias));
    const isKnown =
      long === undefined
        ? Array.from(letters).every((one) => aliases.has(one))
        : Object.hasOwn(known, long);
    if (isKnown) continue;
    const option = word.replace(/=.*/s, '');
    const meant = nearest(long ?? letters, Object.keys(known));
    const asked = meant === undefined ? '' : `: did you mean --${meant}?`;
    throw userError('usage', {
      problem: `there is no option ${option}${asked}`,
      hint: helpHint(typed),
    });
  }
}

function refuseSuperfluous(args: Arguments, most: number): void {
  const [first] = args._.slice(most);
  if (first === undefined) return;
  throw userError('usage', {
    problem: `${JSON.stringify(first)} is one argument too many`,
    hint: helpHint(args._),
  });
}

/** What follows each of these marks in a message, up to the next of them; empty where one is missing. */
function between(message: string, marks: readonly string[]): readonly string[] {
  const parts: string[] = [];
  let rest = message;
  for (const mark of marks) {
    const at = rest.indexOf(mark);
    if (at === -1) return [];
    parts.push(rest.slice(0, at));
    rest = rest.slice(at + mark.length);
  }
  return [...parts.slice(1), rest];
}

/** What yargs says in several lines, in one. */
function problemOf(message: string): string {
  const missing = /^Not enough arguments following: (.*)$/.exec(message)?.[1];
  if (missing !== undefined) return `--${missing} needs a value`;
  const [name, given, choices] = between(message, ['Argument: ', ', Given: "', '", Choices: ']);
  if (name === undefined || given === undefined || choices === undefined) return message;
  const words = choices.replaceAll('"', '').split(', ');
  const meant = nearest(given, words);
  const asked = meant === undefined ? '' : `: did you mean ${meant}?`;
  const shown = POSITIONALS.get(name) ?? `--${name}`;
  return `${shown} ${JSON.stringify(given)} is none of ${words.join(', ')}${asked}`;
}
