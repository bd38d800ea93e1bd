/**
 * The catalogue of what can go wrong that a user can put right: each with its code (for `--json`
 * and the documentation), its message, a hint at what to do, and the exit status.
 *
 * What is wrong in a definition is an issue instead (src/reading/issue-catalogue.ts), and anything
 * else that is thrown is a bug, and keeps its stack.
 */

/** 1: it could not be done; 2: the command line is wrong. */
type FailureStatus = 1 | 2;

interface Entry<Details> {
  readonly status: FailureStatus;
  readonly message: (details: Details) => string;
  readonly hint: (details: Details) => string;
}

const entry = <Details>(of: Entry<Details>): Entry<Details> => of;

/** An error of the file system: what was touched, and Node's code for why it was refused. */
interface DiskFailure {
  readonly path: string;
  readonly code: string;
}

const ERROR_CATALOGUE = {
  usage: entry<{ readonly problem: string; readonly hint: string }>({
    status: 2,
    message: ({ problem }) => problem,
    hint: ({ hint }) => hint,
  }),
  'from-missing': entry<{ readonly path: string }>({
    status: 2,
    message: ({ path }) => `there is no file or folder ${path} to read definitions from`,
    hint: () => 'Give --from a YAML or JSON file, or a folder with service.yaml and collections/.',
  }),
  'no-definitions': entry<{ readonly folder: string }>({
    status: 2,
    message: ({ folder }) => `there are no definitions in ${folder}`,
    hint: () => 'Go to the folder of a service (or name it with --cwd), or give --from.',
  }),
  'not-a-file': entry<{ readonly path: string }>({
    status: 1,
    message: ({ path }) => `${path} is neither a file nor a folder`,
    hint: () => 'Remove it, or write the definition there.',
  }),
  'prettier-config': entry<{ readonly path: string; readonly message: string }>({
    status: 1,
    message: ({ path, message }) =>
      `new files cannot be formatted with the project's Prettier configuration: ${path}: ${message}`,
    hint: () => 'Correct the configuration (npx prettier --check . shows the same), or remove it.',
  }),
  'target-not-empty': entry<{ readonly folder: string; readonly entries: readonly string[] }>({
    status: 2,
    message: ({ folder, entries }) => `${folder} is not empty: it holds ${listed(entries)}`,
    hint: () => 'Choose another folder, or move these away first.',
  }),
  'target-is-file': entry<{ readonly path: string }>({
    status: 2,
    message: ({ path }) => `${path} is a file, and a service needs a folder`,
    hint: () => 'Choose another name, or move the file away first.',
  }),
  'dangling-link': entry<{ readonly path: string }>({
    status: 2,
    message: ({ path }) => `${path} is a symbolic link to a folder that does not exist`,
    hint: () => 'Create that folder, or choose another one.',
  }),
  'not-allowed': entry<DiskFailure>({
    status: 1,
    message: ({ path }) => `permission denied: ${path}`,
    hint: () => 'Choose a folder that you can write to, or change its permissions.',
  }),
  'read-only': entry<DiskFailure>({
    status: 1,
    message: ({ path }) => `${path} is on a read-only file system`,
    hint: () => 'Choose a folder on another file system.',
  }),
  'disk-full': entry<DiskFailure>({
    status: 1,
    message: ({ path }) => `no space is left on the disk to write ${path}`,
    hint: () => 'Nothing was left behind. Free some space and run the command again.',
  }),
  'file-limit': entry<DiskFailure>({
    status: 1,
    message: ({ path }) =>
      `${path} could not be written: it exceeds the limit for the size of a file`,
    hint: () => 'Nothing was left behind. Raise the limit (ulimit -f), and run the command again.',
  }),
  'not-a-folder': entry<DiskFailure>({
    status: 2,
    message: ({ path }) => `a part of the path ${path} is a file, not a folder`,
    hint: () => 'Choose another path.',
  }),
  'path-too-long': entry<DiskFailure>({
    status: 2,
    message: ({ path }) => `the path is too long: ${path.slice(0, 60)}…`,
    hint: () => 'Choose a shorter name, or a folder nearer to the root.',
  }),
  'link-loop': entry<DiskFailure>({
    status: 2,
    message: ({ path }) => `the path ${path} has a loop of symbolic links`,
    hint: () => 'Choose another path.',
  }),
  'disk-failure': entry<DiskFailure>({
    status: 1,
    message: ({ path, code }) => `${path} could not be read or written (${code})`,
    hint: () => 'Nothing was left behind. Check the disk, and run the command again.',
  }),
  'no-project': entry<{ readonly folder: string }>({
    status: 2,
    message: ({ folder }) => `there is no service in ${folder} or above: no .create-service folder`,
    hint: () => 'Go to the folder of a service, or name it with --cwd. `create-service` makes one.',
  }),
  'manifest-missing': entry<{ readonly path: string }>({
    status: 1,
    message: ({ path }) => `${path} is missing: it records what was generated last`,
    hint: () => 'Restore it from git: git checkout HEAD -- .create-service/manifest',
  }),
  'manifest-damaged': entry<{
    readonly path: string;
    readonly line: number;
    readonly text: string;
    readonly count: number;
  }>({
    status: 1,
    message: ({ path, line, text, count }) =>
      `${path}:${line} is no line of a manifest: ${JSON.stringify(text.slice(0, 60))}` +
      (count > 1 ? `, and ${count - 1} more` : ''),
    hint: () => 'Restore it from git: git checkout HEAD -- .create-service/manifest',
  }),
  'applied-damaged': entry<{
    readonly path: string;
    readonly line: number;
    readonly message: string;
  }>({
    status: 1,
    message: ({ path, line, message }) =>
      `${path}:${line} is no valid copy of the definitions of the last run: ${message}`,
    hint: () =>
      'This copy is used because there are no migrations. Restore .create-service/ and migrations/ from git.',
  }),
  'not-a-regular-file': entry<{ readonly path: string }>({
    status: 1,
    message: ({ path }) => `${path} is no regular file: reading it could wait without end`,
    hint: () => 'Remove it, and restore the file of that name from git if there was one.',
  }),
  'record-damaged': entry<{
    readonly path: string;
    readonly line?: number;
    readonly message: string;
  }>({
    status: 1,
    message: ({ path, line, message }) =>
      `${path}${line === undefined ? '' : `:${line}`}: ${message}`,
    hint: () =>
      'The lines "-- definitions:" record the definitions that the migrations apply. Restore the ' +
      'file from git.',
  }),
  'migrations-unmerged': entry<{ readonly path: string; readonly line: number }>({
    status: 1,
    message: ({ path, line }) => `${path}:${line} has conflict markers of git`,
    hint: () => 'Take the file of one branch whole, then run create-service generate.',
  }),
  'migrations-clash': entry<{
    readonly one: string;
    readonly other: string;
    readonly what: string;
    readonly why?: string;
  }>({
    status: 1,
    message: ({ one, other, what, why }) =>
      `${one} and ${other} come from different branches, and ${why ?? `both change ${what}`}`,
    hint: ({ other }) =>
      'Remove the one that no shared database has applied yet, and run create-service generate: it ' +
      `writes what is missing as a migration that follows the other. For example: git rm ${other}`,
  }),
  'contract-damaged': entry<{
    readonly path: string;
    readonly line: number;
    readonly version: number;
    readonly message: string;
  }>({
    status: 1,
    message: ({ path, line, version, message }) =>
      `${path}:${line} is no valid contract of version ${version}: ${message}`,
    hint: () =>
      'After a merge, keep the lines of both branches; of two lines for one field, keep the one that ' +
      'asks less of clients. Or restore the file: git checkout HEAD -- .create-service/versions',
  }),
  'newer-project': entry<{ readonly was: string; readonly is: string; readonly add: string }>({
    status: 1,
    message: ({ was, is }) =>
      `this service was generated by create-service ${was}, and this is ${is}: an older version would undo its changes`,
    hint: ({ was, add }) =>
      `Install the version that package.json names, or run: ${add} create-service@${was}`,
  }),
  'chain-broken': entry<{
    readonly name: string;
    readonly kind: 'missing' | 'altered';
    readonly by: string;
  }>({
    status: 1,
    message: ({ name, kind, by }) =>
      kind === 'missing'
        ? `${name} is missing, and ${by} follows it`
        : `${name} was changed after ${by} was written`,
    hint: ({ name }) =>
      `No migration can be added before it is restored: git checkout HEAD -- ${name}`,
  }),
  'outside-project': entry<{ readonly path: string }>({
    status: 1,
    message: ({ path }) => `${path} is not inside this project, by its name or by a symbolic link`,
    hint: () =>
      'Nothing was written. Replace the link with a folder of the project, or remove the path from ' +
      '.create-service/manifest.',
  }),
  'journal-damaged': entry<{ readonly path: string; readonly folder: string }>({
    status: 1,
    message: ({ path }) => `${path} cannot be read: it is the journal of a run that was killed`,
    hint: ({ folder }) =>
      `Nothing was written. Compare the project with its last commit, then remove ${folder}.`,
  }),
  busy: entry<{ readonly folder: string; readonly pid: number | undefined }>({
    status: 1,
    message: ({ folder, pid }) =>
      `another create-service is running in ${folder}${pid === undefined ? '' : ` (process ${pid})`}`,
    hint: () => 'Nothing was written. Wait until it ends, and run the command again.',
  }),
  'changed-meanwhile': entry<{ readonly path: string }>({
    status: 1,
    message: ({ path }) => `${path} was changed during this run`,
    hint: () => 'Nothing was written. Run the command again.',
  }),
  'definition-exists': entry<{ readonly name: string; readonly path: string }>({
    status: 1,
    message: ({ name, path }) => `the collection ${name} exists already, in ${path}`,
    hint: ({ path }) => `Change ${path}, then run create-service generate.`,
  }),
  'database-url': entry<object>({
    status: 1,
    message: () => 'this is not the URL of a PostgreSQL database',
    hint: () =>
      'Write postgresql://user:password@host:5432/name, with special characters of the password ' +
      'percent-encoded.',
  }),
  'database-file': entry<{ readonly file: string; readonly code: string }>({
    status: 1,
    message: ({ file, code }) =>
      `${file}, which the URL of the database names, cannot be read (${code})`,
    hint: () => 'Check the path in the URL.',
  }),
  'not-generated': entry<object>({
    status: 1,
    message: () =>
      'the project is not up to date with its definitions, or with this create-service',
    hint: () => 'Run create-service generate and npm run migrate first.',
  }),
  'not-installed': entry<object>({
    status: 1,
    message: () => 'the service did not start: its dependencies are not installed',
    hint: () => 'Run npm install, or what your package manager has for that.',
  }),
  'service-not-started': entry<{ readonly output: readonly string[] }>({
    status: 1,
    message: ({ output }) => ['the service did not start:', ...output].join('\n  '),
    hint: () => 'Correct that, and try npm run dev with the same DATABASE_URL.',
  }),
  'service-ended': entry<{ readonly output: readonly string[] }>({
    status: 1,
    message: ({ output }) => ['the service ended meanwhile:', ...output].join('\n  '),
    hint: () => 'Correct that, and run the command again.',
  }),
  'no-collection-imported': entry<object>({
    status: 1,
    message: () => 'no table becomes a collection',
    hint: () => 'Nothing was written. --report-only in place of the directory prints why.',
  }),
  'not-imported': entry<{ readonly folder: string }>({
    status: 2,
    message: ({ folder }) => `there are no definitions in ${folder} to import into`,
    hint: () => 'Name the folder that import made, or that of a service.',
  }),
  'import-lock-damaged': entry<{ readonly path: string }>({
    status: 1,
    message: ({ path }) => `${path} was edited or cut, or has conflict markers of git`,
    hint: () =>
      'Restore it, for example with git. If two branches conflict in it, take the whole file of the one whose import is older.',
  }),
  'other-database': entry<{
    readonly database: string;
    readonly count: number;
    readonly found: number;
    /** The definitions of the others, in words. */
    readonly gone: string;
  }>({
    status: 1,
    message: ({ database, count, found }) =>
      `the database ${database} has ${found === 0 ? 'none' : `only ${found}`} of the ${count} tables that the definitions are from`,
    hint: ({ gone }) =>
      `Check the name of the database at the end of the URL. If the tables are gone, remove their definitions (${gone}), and run this again.`,
  }),
  'no-tables': entry<{ readonly schemas: string; readonly others: string }>({
    status: 1,
    message: ({ schemas }) => `the database has no table in the schema ${schemas}`,
    hint: ({ others }) =>
      others === ''
        ? 'Check the name of the database at the end of the URL.'
        : `Name another schema with --schema: ${others}.`,
  }),
  'document-missing': entry<{ readonly path: string }>({
    status: 2,
    message: ({ path }) =>
      `this is not the URL of a PostgreSQL database, and there is no file ${path}`,
    hint: () =>
      'Give a file such as openapi.yaml, or a URL such as postgresql://user@host:5432/name.',
  }),
  'document-not-file': entry<{ readonly path: string }>({
    status: 2,
    message: ({ path }) => `${path} is not a file`,
    hint: () => 'Give the file of an OpenAPI document, such as openapi.yaml.',
  }),
  'document-too-large': entry<{
    readonly path: string;
    readonly megabytes: number;
    readonly most: number;
  }>({
    status: 1,
    message: ({ path, megabytes, most }) =>
      `${path} has ${megabytes} MiB, and a document has at most ${most} MiB`,
    hint: () => 'Remove paths, examples and descriptions from it, or split it.',
  }),
  'document-operations': entry<{
    readonly path: string;
    readonly count: number;
    readonly most: number;
  }>({
    status: 1,
    message: ({ path, count, most }) =>
      `${path} has ${count} operations, and a document has at most ${most}`,
    hint: () => 'Split it: each document becomes a service of its own.',
  }),
  'document-unreadable': entry<{ readonly path: string; readonly reason: string }>({
    status: 1,
    message: ({ path, reason }) => `${path} cannot be read: ${reason}`,
    hint: () => 'Write the OpenAPI document as JSON, or as YAML 1.2 in UTF-8.',
  }),
  'document-not-openapi': entry<{ readonly path: string }>({
    status: 1,
    message: ({ path }) => `${path} is no OpenAPI document: it has no key openapi`,
    hint: () => 'Give an OpenAPI document of version 3.0 or later, with its version in openapi.',
  }),
  'document-swagger': entry<{ readonly path: string }>({
    status: 1,
    message: ({ path }) =>
      `${path} is a Swagger 2.0 document, and import reads OpenAPI 3.0, 3.1 and 3.2`,
    hint: ({ path }) =>
      `Convert it: npx swagger2openapi ${JSON.stringify(path)} --outfile openapi.json`,
  }),
  'document-version': entry<{ readonly path: string; readonly version: string }>({
    status: 1,
    message: ({ path, version }) =>
      `${path} is of the OpenAPI version ${version}, and import reads 3.0, 3.1 and 3.2`,
    hint: () => 'Convert it to one of these.',
  }),
  'no-operations': entry<{ readonly path: string }>({
    status: 1,
    message: ({ path }) => `${path} has no operation: there is nothing below paths`,
    hint: () => 'Give the document that has the paths of the service.',
  }),
  'paths-elsewhere': entry<{ readonly path: string }>({
    status: 1,
    message: ({ path }) => `all paths of ${path} are in other files`,
    hint: ({ path }) =>
      `Join the files first: npx @redocly/cli bundle ${path} --output openapi.json`,
  }),
  'no-path-imported': entry<object>({
    status: 1,
    message: () => 'no path becomes a collection',
    hint: () => 'Nothing was written. --report-only in place of the directory prints why.',
  }),
  'database-failed': entry<{
    readonly place: string;
    readonly reason: string;
    readonly hint: string;
  }>({
    status: 1,
    message: ({ place, reason }) => `the database ${place} cannot be read: ${reason}`,
    hint: ({ hint }) => hint,
  }),
  'manager-missing': entry<{ readonly name: string; readonly install: string }>({
    status: 1,
    message: ({ name }) => `${name} is not on this machine, or does not print its version`,
    hint: ({ install }) =>
      `Nothing was written. Install it (${install}), choose another one with --package-manager, or add --no-install.`,
  }),
  'manager-too-old': entry<{
    readonly name: string;
    readonly version: string;
    readonly oldest: string;
    readonly install: string;
  }>({
    status: 1,
    message: ({ name, version, oldest }) =>
      `${name} ${version} is too old: a service needs ${oldest} or newer`,
    hint: ({ install }) =>
      `Nothing was written. Update it (${install}), choose another one with --package-manager, or add --no-install.`,
  }),
  'install-failed': entry<{
    readonly command: string;
    readonly reason: string;
    readonly next: string;
  }>({
    status: 1,
    message: ({ command, reason }) => `${command} failed: ${reason}`,
    hint: ({ next }) => `The service was created. Continue with: ${next}`,
  }),
} as const;

export type UserErrorCode = keyof typeof ERROR_CATALOGUE;

type DetailsOf<Code extends UserErrorCode> = Parameters<
  (typeof ERROR_CATALOGUE)[Code]['message']
>[0];

/** The file and line of an error, as those of an issue of the definitions; empty if it has none. */
interface ErrorPlace {
  readonly file?: string;
  readonly line?: number;
}

/** Something that the user can put right: told in one line, without a stack. */
export class UserError extends Error {
  override readonly name = 'UserError';
  readonly code: UserErrorCode;
  readonly hint: string;
  readonly status: FailureStatus;
  readonly place: ErrorPlace;

  constructor(
    code: UserErrorCode,
    message: string,
    hint: string,
    status: FailureStatus,
    place: ErrorPlace = {},
  ) {
    super(message);
    this.code = code;
    this.hint = hint;
    this.status = status;
    this.place = place;
  }
}

/** The error of the catalogue with this code. */
export function userError<Code extends UserErrorCode>(
  code: Code,
  details: DetailsOf<Code>,
): UserError {
  const { message, hint, status } = ERROR_CATALOGUE[code] as Entry<DetailsOf<Code>>;
  const { path: file, line } = details as { readonly path?: string; readonly line?: number };
  const place = { ...(file !== undefined && { file }), ...(line !== undefined && { line }) };
  return new UserError(code, message(details), hint(details), status, place);
}

const MOST_LISTED = 5;

/** `a, b and 3 more`. */
function listed(names: readonly string[]): string {
  if (names.length <= MOST_LISTED) return names.join(', ');
  const shown = names.slice(0, MOST_LISTED - 1);
  return `${shown.join(', ')} and ${names.length - shown.length} more`;
}
