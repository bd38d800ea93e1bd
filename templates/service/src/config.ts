/** Reads and validates the environment variables. No other module reads `process.env`. */
import { existsSync } from 'node:fs';
import { isIP } from 'node:net';

import { TIMEOUTS } from './platform/database/database.ts';
import type { DatabaseSettings } from './platform/database/open.ts';
import { readBoolean, readerOf, readList } from './platform/environment.ts';
import type { Environment } from './platform/environment.ts';
import { SETTINGS } from './platform/features.ts';
import type { Settings } from './platform/settings.ts';

/** The configuration of this process. Features add settings of their own. */
export interface Config extends CommonConfig, Settings {}

/** What every service has of it. */
interface CommonConfig extends DatabaseSettings {
  /** Whether `NODE_ENV` is `production`. */
  readonly production: boolean;
  readonly host: string;
  readonly port: number;
  /** Whether pending migrations are applied at start; with `true`, only if all are quick. */
  readonly migrate: boolean | 'all';
  /** Created at start if there is no administrator yet. */
  readonly administrator: { readonly username: string; readonly password: string } | undefined;
  /** The origin of absolute links; empty for relative links. */
  readonly publicUrl: string;
  /** The maximum size of a request body, in bytes. */
  readonly bodyLimit: number;
  /** The maximum size of a page of a list, in bytes; a single larger item is still served. */
  readonly pageBytes: number;
  /** Requests per minute and client; 0 for no limit. */
  readonly rateLimit: number;
  /** Proxies whose `X-Forwarded-*` headers are trusted. */
  readonly trustProxy: readonly string[];
  /** Origins that may call the API from a browser (CORS). */
  readonly corsOrigins: readonly string[];
  /** Whether `Strict-Transport-Security` includes subdomains. */
  readonly hstsSubdomains: boolean;
  readonly logLevel: LogLevel;
  /** Seconds at shutdown in which requests are still served, so that balancers notice. */
  readonly shutdownDelay: number;
  /** Seconds that requests in flight have to finish after that. */
  readonly shutdownGrace: number;
}

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
type LogLevel = (typeof LOG_LEVELS)[number];

/** Loaded from the working directory if it exists; the environment takes precedence. */
const ENV_FILE = '.env';

/** Refused, not ignored: without the feature, the database counts. */
const UNREAD_REDIS_URL =
  'REDIS_URL has no effect: write "redis: true" into definitions/service.yaml and run ' +
  'create-service generate, or unset it';

/**
 * Reads `.env` and the environment.
 * @param overrides take precedence over both.
 * @throws an error that lists every invalid variable.
 */
export function loadConfig(overrides: Environment = {}): Config {
  if (existsSync(ENV_FILE)) process.loadEnvFile(ENV_FILE);
  return readConfig({ ...process.env, ...overrides });
}

/** Reads the given environment. @throws an error that lists every invalid variable. */
export function readConfig(environment: Environment): Config {
  const problems: string[] = [];
  const read = readerOf(environment, problems);
  const { production } = read;
  const timeout = (name: string, fallback: number): number =>
    read.integer(name, fallback, 100, 3_600_000);

  const config: CommonConfig = {
    production,
    host: read.variable('HOST', production ? '0.0.0.0' : '127.0.0.1', (text) => text, ''),
    port: read.integer('PORT', 3000, 0, 65_535),
    databaseUrl: read.variable<string | undefined>(
      'DATABASE_URL',
      undefined,
      (text) => (/^postgres(?:ql)?:\/\//.test(text) && URL.canParse(text) ? text : undefined),
      'must be a connection string such as postgresql://user@host:5432/name',
    ),
    dataDir: read.variable('DATA_DIR', '.data', (text) => text, ''),
    databasePool: read.integer('DATABASE_POOL', 10, 1, 1000),
    timeouts: {
      statement: timeout('STATEMENT_TIMEOUT', TIMEOUTS.statement),
      lock: timeout('LOCK_TIMEOUT', TIMEOUTS.lock),
      transaction: timeout('TRANSACTION_TIMEOUT', TIMEOUTS.transaction),
    },
    migrate: read.variable<boolean | 'all'>(
      'MIGRATE',
      true,
      (text) => (text === 'all' ? text : readBoolean(text)),
      'must be true, all or false',
    ),
    administrator: readAdministrator(environment, problems),
    publicUrl: read.variable(
      'PUBLIC_URL',
      '',
      readOrigin,
      'must be an origin such as https://example.org',
    ),
    bodyLimit: read.integer('BODY_LIMIT', 1_048_576, 1, 1_073_741_824),
    pageBytes: read.integer('PAGE_BYTES', 4_194_304, 1, 1_073_741_824),
    rateLimit: read.integer('RATE_LIMIT', 600, 0, 1_000_000_000),
    trustProxy: read.variable<readonly string[]>(
      'TRUST_PROXY',
      [],
      (text) => readList(text, (part) => (isAddress(part) ? part : undefined)),
      'must be comma-separated addresses or networks, such as 10.0.0.0/8',
    ),
    corsOrigins: read.variable<readonly string[]>(
      'CORS_ORIGINS',
      [],
      (text) => readList(text, readOrigin),
      'must be comma-separated origins, such as https://example.org',
    ),
    hstsSubdomains: read.boolean('HSTS_SUBDOMAINS', false),
    logLevel: read.variable<LogLevel>(
      'LOG_LEVEL',
      'info',
      (text) => LOG_LEVELS.find((level) => level === text),
      `must be one of ${LOG_LEVELS.join(', ')}`,
    ),
    shutdownDelay: read.integer('SHUTDOWN_DELAY', production ? 5 : 0, 0, 3600),
    shutdownGrace: read.integer('SHUTDOWN_GRACE', 10, 0, 3600),
  };
  const settings = Object.assign(
    config,
    ...SETTINGS.map((readSettings) => readSettings(read)),
  ) as Config;
  if (environment['REDIS_URL'] && !('redisUrl' in settings)) problems.push(UNREAD_REDIS_URL);
  if (problems.length > 0) throw new Error(`Wrong configuration: ${problems.join('; ')}.`);
  return settings;
}

/** The two variables must be set together. Their values are validated when the user is created. */
function readAdministrator(
  { ADMIN_USERNAME: username = '', ADMIN_PASSWORD: password = '' }: Environment,
  problems: string[],
): Config['administrator'] {
  if (username === '' && password === '') return undefined;
  if (username === '' || password === '') {
    problems.push('ADMIN_USERNAME and ADMIN_PASSWORD must be set together');
  }
  return { username, password };
}

/** Whether the text is an IP address or a network in CIDR notation. */
function isAddress(text: string): boolean {
  const [address = '', prefix = '0', ...more] = text.split('/');
  const maxPrefix = isIP(address) === 6 ? 128 : 32;
  return (
    isIP(address) > 0 &&
    more.length === 0 &&
    /^\d{1,3}$/.test(prefix) &&
    Number(prefix) <= maxPrefix
  );
}

function readOrigin(text: string): string | undefined {
  if (!URL.canParse(text)) return undefined;
  const { origin, protocol } = new URL(text);
  return ['http:', 'https:'].includes(protocol) && text.replace(/\/$/, '') === origin
    ? origin
    : undefined;
}
