/** What goes wrong between this process and a database, as an error that says what to do. */
import { UserError, userError } from '../shared/errors.ts';
import { ownMember } from '../shared/json.ts';

/** The parts of a connection that messages name, and the password, which they must not. */
interface Connection {
  readonly host: string;
  readonly port: number;
  readonly database: string;
  readonly password: string | null;
}

const NEWER =
  'The definitions do not agree with the database: run npm run migrate, or take the definitions that it was made of.';

/** What to do, by SQLSTATE or by the code of Node. */
const HINTS: Readonly<Record<string, string>> = {
  '28P01': 'Check the user and the password of the URL.',
  '28000': 'Check the user of the URL, and pg_hba.conf of the server.',
  '3D000': 'Check the name at the end of the URL.',
  '42501': 'Connect as the user of the service, or grant this user select on the tables.',
  '53300': 'Wait until connections are free, and run the command again.',
  '55P03':
    'Another transaction, perhaps a migration, holds the lock. Run the command again when it has ended.',
  '42703': NEWER,
  '42883': NEWER,
  '42P01': NEWER,
  '57014': 'The server took too long. Run the command again when it has less to do.',
  ECONNREFUSED: 'Check host and port of the URL, and that PostgreSQL runs there.',
  ENOTFOUND: 'Check the host of the URL.',
};

const REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens there',
  ENOTFOUND: 'the host is not known',
};

/** Converts an error of the driver or the server into a `UserError`; a bug stays the error that it is. */
export function databaseError(error: unknown, connection: Connection): unknown {
  if (error instanceof UserError || !(error instanceof Error)) return error;
  const { code = '' } = error as { code?: string };
  const isOfDriver = code !== '' || !(error instanceof TypeError || error instanceof RangeError);
  if (!isOfDriver) return error;
  const { host, port, database } = connection;
  return userError('database-failed', {
    place: `${database} at ${host}:${port}`,
    reason: withoutPassword(ownMember(REASONS, code) ?? reasonOf(error), connection),
    hint: hintOf(code, error),
  });
}

/** An error of several addresses of a host has no message of its own. */
const reasonOf = (error: Error): string =>
  asksForPassword(error)
    ? 'it asks for a password'
    : error.message || ((error as { code?: string }).code ?? 'it failed');

/** What the driver says where the URL has no password. */
const asksForPassword = ({ message }: Error): boolean =>
  message.startsWith('empty password') || message.includes('password must be');

function hintOf(code: string, error: Error): string {
  const { message } = error;
  if (asksForPassword(error)) {
    return 'The server asks for a password: write it into the URL, or set PGPASSWORD.';
  }
  if (message.includes('does not support SSL')) {
    return 'Remove sslmode from the URL, or enable TLS on the server.';
  }
  const isOfServer = /^[0-9A-Z]{5}$/.test(code);
  return (
    ownMember(HINTS, code) ??
    (isOfServer
      ? 'The server refused it: mend that, and run the command again.'
      : 'Check the URL, and that a PostgreSQL server answers there.')
  );
}

/** No server repeats a password, but what it says is not ours. */
const withoutPassword = (text: string, { password }: Connection): string =>
  typeof password === 'string' && password !== '' && text.includes(password)
    ? 'the server refused the connection'
    : text;
