/** Command lines as text, and the values or refusals that they yield. */
import { describe, expect, test } from 'vitest';

import type { TextCommand } from '../../../src/cli/command.ts';
import { shellOf } from '../../../src/cli/completion.ts';
import { parseCommandLine } from '../../../src/cli/parse.ts';
import { UserError } from '../../../src/shared/errors.ts';

const parse = (...typed: string[]): object =>
  parseCommandLine(typed, { cwd: '/', version: '1.2.3', columns: 80, shell: '/usr/bin/fish' });

const PLAIN = { cwd: undefined, json: false, quiet: false, color: true };
const NEW = {
  kind: 'new',
  ...PLAIN,
  directory: undefined,
  from: undefined,
  name: undefined,
  packageManager: undefined,
  install: true,
  git: true,
  dryRun: false,
  yes: false,
  tool: undefined,
  bare: false,
};
const IMPORT = {
  kind: 'import',
  ...PLAIN,
  url: 'postgres://a/b',
  directory: undefined,
  schemas: ['public'],
  tables: undefined,
  skip: [],
  adopt: false,
  timestamps: undefined,
  softDelete: undefined,
};
const AGAIN = {
  kind: 'import-again',
  ...PLAIN,
  url: 'postgres://a/b',
  directory: undefined,
  schemas: undefined,
  tables: undefined,
  skip: undefined,
  timestamps: undefined,
  reportOnly: false,
  keepEdits: false,
};

test.each([
  [['check'], { kind: 'check', ...PLAIN, database: undefined }],
  [
    ['check', '--database', 'postgres://a/b'],
    { kind: 'check', ...PLAIN, database: 'postgres://a/b' },
  ],
  [[], { ...NEW, bare: true }],
  [['new'], { ...NEW, bare: true }],
  [['my-api'], { ...NEW, directory: 'my-api' }],
  [['new', 'my-api'], { ...NEW, directory: 'my-api' }],
  [['./generate'], { ...NEW, directory: './generate' }],
  [['new', 'generate'], { ...NEW, directory: 'generate' }],
  [['007', '--name', 'n7'], { ...NEW, directory: '007', name: 'n7' }],
  [
    ['a', '--from=b.yaml', '--no-install', '--no-git', '--dry-run', '-y', '--tool', 'file:/t'],
    {
      ...NEW,
      directory: 'a',
      from: 'b.yaml',
      install: false,
      git: false,
      dryRun: true,
      yes: true,
      tool: 'file:/t',
    },
  ],
  // After -- words are no options.
  [['--', '--odd'], { ...NEW, directory: '--odd' }],
  [['new', '--yes', '--', '-odd'], { ...NEW, yes: true, directory: '-odd' }],
  [['--name', 'n'.repeat(63)], { ...NEW, name: 'n'.repeat(63) }],
  [['--package-manager', 'pnpm'], { ...NEW, packageManager: 'pnpm' }],
  [
    ['--cwd', '/tmp/x', '--json', '--quiet', '--no-color'],
    { ...NEW, cwd: '/tmp/x', json: true, quiet: true, color: false },
  ],
  [['explain'], { kind: 'explain', ...PLAIN, from: undefined, format: 'table' }],
  [
    ['explain', '--format', 'json'],
    { kind: 'explain', ...PLAIN, json: true, from: undefined, format: 'json' },
  ],
  [
    ['explain', '--from', 'a.yaml', '--format', 'mermaid'],
    { kind: 'explain', ...PLAIN, from: 'a.yaml', format: 'mermaid' },
  ],
  [
    ['explain', '--database', 'postgres://a/b', '--json'],
    { kind: 'explain', ...PLAIN, json: true, format: 'json', database: 'postgres://a/b' },
  ],
  [['import', 'postgres://a/b', 'shop'], { ...IMPORT, directory: 'shop' }],
  [['import', 'postgres://a/b', '--report-only'], IMPORT],
  [['import', 'postgres://a/b', '--', '-odd'], { ...IMPORT, directory: '-odd' }],
  [['import', '--', 'postgres://a/b', 'shop'], { ...IMPORT, directory: 'shop' }],
  [
    ['import', 'postgres://a/b', 's', '--schema', 'x, y', '--tables', 'a,,b', '--skip=c'],
    { ...IMPORT, directory: 's', schemas: ['x', 'y'], tables: ['a', 'b'], skip: ['c'] },
  ],
  [
    ['import', 'openapi.yaml', 'shop'],
    { kind: 'import-openapi', ...PLAIN, file: 'openapi.yaml', directory: 'shop' },
  ],
  [
    ['import', 'a/b.json', '--report-only', '--json'],
    { kind: 'import-openapi', ...PLAIN, json: true, file: 'a/b.json', directory: undefined },
  ],
  [['import', '--again', 'postgres://a/b'], AGAIN],
  [
    ['import', 'postgres://a/b', 'shop', '--again', '--report-only', '--keep-edits', '--skip', 'c'],
    { ...AGAIN, directory: 'shop', reportOnly: true, keepEdits: true, skip: ['c'] },
  ],
  [
    ['import', 'postgres://a/b', '--again', '--schema=x', '--tables=a', '--timestamps=utc'],
    { ...AGAIN, schemas: ['x'], tables: ['a'], timestamps: 'utc' },
  ],
  [['import', 'postgres://a/b', 's', '--adopt'], { ...IMPORT, directory: 's', adopt: true }],
  [
    ['import', 'postgres://a/b', '--report-only', '--adopt', '--timestamps', 'utc'],
    { ...IMPORT, adopt: true, timestamps: 'utc' },
  ],
  [
    ['import', 'postgres://a/b', '--report-only', '--adopt', '--soft-delete', 'film,actor'],
    { ...IMPORT, adopt: true, softDelete: ['film', 'actor'] },
  ],
  [['verify', 'postgres://a/b'], { kind: 'verify', ...PLAIN, url: 'postgres://a/b' }],
  [
    ['verify', '--json', '--', 'postgres://a/b'],
    { kind: 'verify', ...PLAIN, json: true, url: 'postgres://a/b' },
  ],
])('%j', (typed, command) => {
  expect(parse(...typed)).toEqual(command);
});

describe('text that is asked for', () => {
  test('the version', () => {
    expect(parse('--version')).toEqual({ kind: 'text', text: '1.2.3' });
    expect(parse('explain', '-v')).toEqual({ kind: 'text', text: '1.2.3' });
  });

  test('help, with examples and exit statuses', () => {
    expect(parse('--help')).toMatchObject({
      text: expect.stringMatching(/Commands:[^]*--from[^]*Examples:[^]*Exit status: 0 success/),
    });
    expect(parse('explain', '--help')).toMatchObject({ text: expect.stringContaining('mermaid') });
  });

  test('a script that completes, for the shell that is asked for or used', () => {
    const scriptFor = (...typed: string[]) => (parse('completion', ...typed) as TextCommand).text;
    expect(scriptFor()).toMatch(/^# Completes create-service in fish\./);
    expect(scriptFor('bash')).toMatch(/^# Completes create-service in bash\./);
    expect(scriptFor('zsh')).toMatch(/^#compdef create-service\n/);
    expect(shellOf('/bin/zsh')).toBe('zsh');
    expect(shellOf('/bin/dash')).toBe('bash');
    expect(shellOf(undefined)).toBe('bash');
  });
});

const HELP = 'See create-service --help.';
const helpOf = (command: string): string => `See create-service ${command} --help.`;
const IMPORT_HINT =
  'Write create-service import <url or file> <directory>, or --report-only in place of the directory.';

test.each([
  [
    ['--pakage-manager', 'npm'],
    'there is no option --pakage-manager: did you mean --package-manager?',
    HELP,
  ],
  [['--zzzzzzzz'], 'there is no option --zzzzzzzz', HELP],
  [['--dryrun=yes'], 'there is no option --dryrun: did you mean --dry-run?', HELP],
  [['-x'], 'there is no option -x', HELP],
  [['--constructor'], 'there is no option --constructor', HELP],
  [['explain', '--no-git'], 'there is no option --no-git', helpOf('explain')],
  [['a', 'b'], '"b" is one argument too many', HELP],
  [['explain', 'b'], '"b" is one argument too many', helpOf('explain')],
  [['--from'], '--from needs a value', HELP],
  [['--from', '--yes'], '--from needs a value', HELP],
  [['--from', ''], '--from is empty', HELP],
  [[''], 'the directory is empty', HELP],
  [
    ['explan'],
    'there is no command explan: did you mean explain?',
    'For a folder of that name write ./explan',
  ],
  [
    ['chek'],
    'there is no command chek: did you mean check?',
    'For a folder of that name write ./chek',
  ],
  [
    ['completion', 'bsh'],
    'the shell "bsh" is none of bash, zsh, fish: did you mean bash?',
    helpOf('completion'),
  ],
  [
    ['--package-manager', 'nmp'],
    '--package-manager "nmp" is none of npm, pnpm, yarn, bun: did you mean npm?',
    HELP,
  ],
  [
    ['explain', '--format', 'xml'],
    '--format "xml" is none of table, json, mermaid, states',
    helpOf('explain'),
  ],
  [['explain', '--database'], '--database needs a value', helpOf('explain')],
  [['explain', '--database', ''], '--database is empty', helpOf('explain')],
  [['generate', '--database', 'x'], 'there is no option --database', helpOf('generate')],
  [
    ['explain', '--database', 'postgres://a/b', '--format', 'states'],
    '--database and --format states exclude each other',
    'With --database, --format is table or json.',
  ],
  [
    ['import'],
    'the URL of the database, or the file of the OpenAPI document, is missing',
    IMPORT_HINT,
  ],
  [
    ['import', 'https://example.com/openapi.yaml', 'shop'],
    'a document is read from a file, and not from the network',
    'Download it first, for example with curl -O.',
  ],
  [
    ['import', 'file:///tmp/openapi.yaml', 'shop'],
    'a document is read from a file, and file:///tmp/openapi.yaml is no path',
    'Give the path of the file, such as openapi.yaml.',
  ],
  ...['--adopt', '--tables=a', '--skip=a', '--schema=a', '--timestamps=utc', '--soft-delete=a'].map(
    (option): [string[], string, string] => {
      const [name = ''] = option.split('=');
      return [
        ['import', 'openapi.yaml', 'shop', option],
        `${name} is only for a database, and "openapi.yaml" is the file of a document`,
        `Remove ${name}, or give a URL such as postgresql://user@host:5432/name.`,
      ];
    },
  ),
  [['import', 'openapi.yaml'], 'the folder for the definitions is missing', IMPORT_HINT],
  [['verify'], 'the URL of the database is missing', 'Write create-service verify <url>.'],
  [['verify', 'postgres://a/b', 'shop'], '"shop" is one argument too many', helpOf('verify')],
  [['import', 'postgres://a/b'], 'the folder for the definitions is missing', IMPORT_HINT],
  [
    ['import', 'postgres://a/b', 'shop', '--report-only'],
    '--report-only writes nothing, and a directory is given',
    IMPORT_HINT,
  ],
  [
    ['import', '--again'],
    'the URL of the database is missing',
    'Write create-service import --again <url>.',
  ],
  [
    ['import', 'postgres://a/b', '--again', '--adopt'],
    '--adopt and --again exclude each other',
    'Leave out --adopt: whether definitions use the tables stays as it is.',
  ],
  [
    ['import', 'postgres://a/b', 'shop', '--keep-edits'],
    '--keep-edits is only for --again',
    'Add --again, or remove --keep-edits.',
  ],
  [['import', 'postgres://a/b', 'shop', 'b'], '"b" is one argument too many', helpOf('import')],
  [
    ['import', 'postgres://a/b', 'shop', '--timestamps', 'utc'],
    '--timestamps is only for --adopt',
    'Add --adopt, or remove --timestamps.',
  ],
  [
    ['import', 'postgres://a/b', 'shop', '--soft-delete', 'a'],
    '--soft-delete is only for --adopt',
    'Add --adopt, or remove --soft-delete.',
  ],
  [
    ['import', 'postgres://a/b', '--again', '--soft-delete', 'a'],
    '--soft-delete is only for a first import',
    'Write soft_delete into the definition: --again keeps it, and reads the indexes of the table by it.',
  ],
  [
    ['import', 'postgres://a/b', 'shop', '--adopt', '--timestamps', 'cet'],
    '--timestamps "cet" is none of utc',
    helpOf('import'),
  ],
  [
    ['import', 'postgres://a/b', 'shop', '--adopt', '--timestamps'],
    '--timestamps needs a value',
    helpOf('import'),
  ],
  [['import', '', 'shop'], 'the URL or file is empty', helpOf('import')],
  [['import', 'postgres://a/b', 'shop', '--tables', ''], '--tables is empty', helpOf('import')],
  [
    ['explain', '--json', '--format', 'table'],
    '--json and --format table exclude each other',
    'Leave out one of them.',
  ],
  [
    ['--name', 'Book Shop'],
    '--name "Book Shop" is not kebab-case of at most 63 characters',
    'Write a name such as "book-shop".',
  ],
  [
    ['--name', 'n'.repeat(64)],
    `--name "${'n'.repeat(64)}" is not kebab-case of at most 63 characters`,
    'Write a name such as "book-shop".',
  ],
])('%j is refused', (typed, message, hint) => {
  let refusal: unknown;
  try {
    parse(...typed);
  } catch (error) {
    refusal = error;
  }
  expect(refusal).toBeInstanceOf(UserError);
  expect(refusal).toMatchObject({ code: 'usage', status: 2, message, hint });
});
