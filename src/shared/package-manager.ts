/**
 * The package managers that a project may have. Which one it is says the field `packageManager` of
 * its package.json, as it does to Corepack, pnpm, Yarn and Bun; npm's needs none. So all who have
 * the project generate the same from it.
 */

export const PACKAGE_MANAGERS = ['npm', 'pnpm', 'yarn', 'bun'] as const;
export type PackageManager = (typeof PACKAGE_MANAGERS)[number];

/** What is typed with a package manager. */
export interface Commands {
  /** Installs what the project needs. */
  readonly install: string;
  /** Adds a package for development, whose name follows. */
  readonly add: string;
  /** Runs a script, whose name follows. */
  readonly run: string;
  /** Makes an administrator, whose name follows. */
  readonly admin: string;
  readonly test: string;
  readonly start: string;
  /** Runs a program that the project has installed, whose name follows. */
  readonly exec: string;
  /** Runs a package that nothing has installed, whose name follows. */
  readonly fetch: string;
}

/** Only npm takes options of its own from behind the name of a script, up to `--`; `bun test` is Bun's own. */
export const COMMANDS: Readonly<Record<PackageManager, Commands>> = {
  npm: {
    install: 'npm install',
    add: 'npm install --save-dev',
    run: 'npm run',
    admin: 'npm run admin --',
    test: 'npm test',
    start: 'npm start',
    exec: 'npx',
    fetch: 'npx',
  },
  pnpm: {
    install: 'pnpm install',
    add: 'pnpm add --save-dev',
    run: 'pnpm run',
    admin: 'pnpm run admin',
    test: 'pnpm test',
    start: 'pnpm start',
    exec: 'pnpm exec',
    fetch: 'pnpm dlx',
  },
  yarn: {
    install: 'yarn install',
    add: 'yarn add --dev',
    run: 'yarn run',
    admin: 'yarn run admin',
    test: 'yarn test',
    start: 'yarn start',
    exec: 'yarn run',
    fetch: 'yarn dlx',
  },
  bun: {
    install: 'bun install',
    add: 'bun add --dev',
    run: 'bun run',
    admin: 'bun run admin',
    test: 'bun run test',
    start: 'bun run start',
    exec: 'bunx',
    fetch: 'bunx',
  },
};

/** The lock file of each. */
export const LOCK_FILES: Readonly<Record<PackageManager, string>> = {
  npm: 'package-lock.json',
  pnpm: 'pnpm-lock.yaml',
  yarn: 'yarn.lock',
  bun: 'bun.lock',
};

/** The oldest version that can install a project; absent: all can. */
export const OLDEST_VERSIONS: Readonly<Partial<Record<PackageManager, string>>> = {
  pnpm: '10.26.0',
  yarn: '4.0.0',
};

/** A package manager of which one version is meant. */
export interface ChosenManager {
  readonly name: PackageManager;
  /** As package.json says it, perhaps with a hash (`10.34.9+sha512.…`); absent: the one that we know best. */
  readonly version: string | undefined;
}

/** What a project has of which nothing else is known. */
export const NPM: ChosenManager = { name: 'npm', version: undefined };

/**
 * The package manager that a package.json names; undefined where it names none of these. A text
 * that does not parse, as git leaves it in a conflict, is looked through for the field.
 */
export function managerIn(packageJson: string): ChosenManager | undefined {
  const [named, version] = fieldIn(packageJson)?.split('@') ?? [];
  const name = PACKAGE_MANAGERS.find((one) => one === named);
  return name && { name, version };
}

function fieldIn(packageJson: string): string | undefined {
  try {
    const { packageManager } = JSON.parse(packageJson) as { readonly packageManager?: unknown };
    return typeof packageManager === 'string' ? packageManager : undefined;
  } catch {
    return /"packageManager"\s*:\s*"([^"]*)"/.exec(packageJson)?.[1];
  }
}

/**
 * The package manager that runs a program, by what it tells of itself in `npm_config_user_agent`:
 * `pnpm/10.34.9 npm/? node/v24.1.0 linux x64`.
 */
export function managerRunning(userAgent: string | undefined): ChosenManager {
  const [, named, version] = /^(\w+)\/(\d+\.\d+\.\d+)(?= |$)/.exec(userAgent ?? '') ?? [];
  const name = PACKAGE_MANAGERS.find((one) => one === named);
  return name === undefined ? NPM : { name, version };
}
