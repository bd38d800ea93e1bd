/** The configuration: environment variables, checked once. Nothing else reads `process.env`. */
import { existsSync } from 'node:fs';
import { isIP } from 'node:net';

/** What this process runs with. */
export interface Config {
  readonly host: string;
  readonly port: number;
  /** A PostgreSQL connection string; without one the database is PGlite. */
  readonly databaseUrl: string | undefined;
  /** PGlite's folder, or `memory`. */
  readonly dataDir: string;
  /** Connections that this process holds at most. */
  readonly databasePool: number;
  /** Whether migrations run at start. */
  readonly migrate: boolean;
  /** The first administrator, made at start where there is none. */
  readonly administrator: { readonly username: string; readonly password: string } | undefined;
  /** The origin that clients see, or nothing. */
  readonly publicUrl: string;
  /** Bytes of a request body. */
  readonly bodyLimit: number;
  /** Requests a minute for one address; 0 for no limit. */
  readonly rateLimit: number;
  /** Where requests are counted for all processes; without it that is the database. */
  readonly redisUrl: string | undefined;
  /** Addresses whose `X-Forwarded-*` headers are believed. */
  readonly trustProxy: readonly string[];
  /** Origins that browsers may call from. */
  readonly corsOrigins: readonly string[];
  readonly logLevel: LogLevel;
  /** Seconds that requests in flight have when the service stops. */
  readonly shutdownGrace: number;
  /** Jobs that this process runs at a time; 0 where others run them. */
  readonly workers: number;
}

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
type LogLevel = (typeof LOG_LEVELS)[number];
type Environment = Readonly<Record<string, string | undefined>>;

/** A file in the working folder that says what the environment does not. */
const ENV_FILE = '.env';

/** Reads the configuration of this process. @throws one line that names every variable that is wrong. */
export function loadConfig(): Config {
  if (existsSync(ENV_FILE)) process.loadEnvFile(ENV_FILE);
  return readConfig(process.env);
}

/** Reads the configuration. @throws one line that names every variable that is wrong. */
export function readConfig(environment: Environment): Config {
  const problems: string[] = [];
  /** The variable as it is read; `undefined` from `read` means that it is wrong. */
  const variable = <Value>(
    name: string,
    fallback: Value,
    read: (text: string) => Value | undefined,
    hint: string,
  ): Value => {
    const text = environment[name];
    if (text === undefined || text === '') return fallback;
    const value = read(text);
    if (value === undefined) problems.push(`${name} ${hint}`);
    return value ?? fallback;
  };
  const integer = (name: string, fallback: number, minimum: number, maximum: number): number =>
    variable(
      name,
      fallback,
      (text) => {
        const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
        return value >= minimum && value <= maximum ? value : undefined;
      },
      `must be an integer from ${minimum} to ${maximum}`,
    );
  const production = environment['NODE_ENV'] === 'production';

  const config: Config = {
    host: variable('HOST', production ? '0.0.0.0' : '127.0.0.1', (text) => text, ''),
    port: integer('PORT', 3000, 0, 65_535),
    databaseUrl: variable<string | undefined>(
      'DATABASE_URL',
      undefined,
      (text) => (/^postgres(?:ql)?:\/\//.test(text) && URL.canParse(text) ? text : undefined),
      'must be a connection string such as postgresql://user@host:5432/name',
    ),
    dataDir: variable('DATA_DIR', '.data', (text) => text, ''),
    databasePool: integer('DATABASE_POOL', 10, 1, 1000),
    migrate: variable('MIGRATE', true, readBoolean, 'must be true or false'),
    administrator: readAdministrator(environment, problems),
    publicUrl: variable(
      'PUBLIC_URL',
      '',
      readOrigin,
      'must be an origin such as https://example.org',
    ),
    bodyLimit: integer('BODY_LIMIT', 1_048_576, 1, 1_073_741_824),
    rateLimit: integer('RATE_LIMIT', 600, 0, 1_000_000_000),
    redisUrl: variable<string | undefined>(
      'REDIS_URL',
      undefined,
      (text) => (/^rediss?:\/\//.test(text) && URL.canParse(text) ? text : undefined),
      'must be a URL such as redis://127.0.0.1:6379',
    ),
    trustProxy: variable<readonly string[]>(
      'TRUST_PROXY',
      [],
      (text) => readList(text, (part) => (isAddress(part) ? part : undefined)),
      'must be addresses or networks with commas between, such as 10.0.0.0/8',
    ),
    corsOrigins: variable<readonly string[]>(
      'CORS_ORIGINS',
      [],
      (text) => readList(text, readOrigin),
      'must be origins with commas between, such as https://example.org',
    ),
    logLevel: variable<LogLevel>(
      'LOG_LEVEL',
      'info',
      (text) => LOG_LEVELS.find((level) => level === text),
      `must be one of ${LOG_LEVELS.join(', ')}`,
    ),
    shutdownGrace: integer('SHUTDOWN_GRACE', 10, 0, 3600),
    workers: integer('WORKERS', 4, 0, 100),
  };
  if (problems.length > 0) throw new Error(`Wrong configuration: ${problems.join('; ')}.`);
  return config;
}

/** Both variables, or none. What is wrong with them is told when the user is made. */
function readAdministrator(
  { ADMIN_USERNAME: username = '', ADMIN_PASSWORD: password = '' }: Environment,
  problems: string[],
): Config['administrator'] {
  if (username === '' && password === '') return undefined;
  if (username === '' || password === '') {
    problems.push('ADMIN_USERNAME and ADMIN_PASSWORD go together');
  }
  return { username, password };
}

const readBoolean = (text: string): boolean | undefined =>
  text === 'true' ? true : text === 'false' ? false : undefined;

/** Values between commas; undefined where one of them is wrong. */
function readList(
  text: string,
  read: (part: string) => string | undefined,
): readonly string[] | undefined {
  const values = text.split(',').map((part) => read(part.trim()));
  return values.every((value) => value !== undefined) ? values : undefined;
}

/** An IP address, or a network as an address and the length of its prefix. */
function isAddress(text: string): boolean {
  const [address = '', prefix = '0', ...more] = text.split('/');
  const longest = isIP(address) === 6 ? 128 : 32;
  return (
    isIP(address) > 0 && more.length === 0 && /^\d{1,3}$/.test(prefix) && Number(prefix) <= longest
  );
}

function readOrigin(text: string): string | undefined {
  if (!URL.canParse(text)) return undefined;
  const { origin, protocol } = new URL(text);
  return ['http:', 'https:'].includes(protocol) && text.replace(/\/$/, '') === origin
    ? origin
    : undefined;
}
