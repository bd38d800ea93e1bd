/** What the files of a project say of its package manager. */
import { COMMANDS, LOCK_FILES } from '../../shared/package-manager.ts';
import type { Commands, PackageManager } from '../../shared/package-manager.ts';

/** The data `manager` of templates/service. */
export interface ManagerView extends Commands {
  readonly name: PackageManager;
  /** A sentence on where it comes from; empty for npm, which comes with Node. */
  readonly origin: string;
  readonly lockFile: string;
  /** What an image copies to install from, beside package.json. */
  readonly files: readonly string[];
  /** Installs just what the lock file says. */
  readonly frozen: string;
  /** The same in an image. */
  readonly imageInstall: string;
  /** What an image runs before it, for it has Node and not every package manager; may be empty. */
  readonly imageSetup: string;
  /** Takes out of an image what only the build needs. */
  readonly prune: string;
  /** Asks for holes in what runs in production. */
  readonly audit: string;
  /** Whether it is that one, for what only one of them has. */
  readonly isPnpm: boolean;
  readonly isYarn: boolean;
  readonly isBun: boolean;
  /** What actions/setup-node caches; empty where it cannot, and then the key of a cache beside. */
  readonly cache: string;
  readonly cacheKey: string;
}

/** The version that package.json names, from npm, which every image of Node has. */
const AS_NAMED = `npm install --global "$(node -p "require('./package.json').packageManager.split('+')[0]")"`;

type Own = Omit<
  ManagerView,
  keyof Commands | 'name' | 'lockFile' | 'files' | 'isPnpm' | 'isYarn' | 'isBun'
> & {
  /** The file of its settings, where it has one. */
  readonly settings: readonly string[];
};

const OWN: Readonly<Record<PackageManager, Own>> = {
  npm: {
    origin: '',
    settings: [],
    frozen: 'npm ci',
    imageInstall: 'npm ci --no-audit --no-fund',
    imageSetup: '',
    prune: 'npm prune --omit=dev --no-audit --no-fund',
    audit: 'npm audit --omit=dev',
    cache: 'npm',
    cacheKey: '',
  },
  pnpm: {
    origin:
      'Its package manager is pnpm, in the version that `packageManager` in `package.json` names: any pnpm from 10 on (`npm install --global pnpm`) fetches that one.',
    settings: ['pnpm-workspace.yaml'],
    frozen: 'pnpm install --frozen-lockfile',
    imageInstall: 'pnpm install --frozen-lockfile',
    imageSetup: AS_NAMED,
    // Off a terminal it removes nothing without CI.
    prune: 'CI=true pnpm prune --prod',
    audit: 'pnpm audit --prod',
    cache: 'pnpm',
    cacheKey: '',
  },
  yarn: {
    origin:
      'Its package manager is Yarn, in the version that `packageManager` in `package.json` names: `corepack enable` brings it, from Node 25 on after `npm install --global corepack`.',
    settings: ['.yarnrc.yml'],
    frozen: 'yarn install --immutable',
    imageInstall: 'yarn install --immutable',
    imageSetup: 'corepack enable',
    prune: 'yarn workspaces focus --production',
    audit: 'yarn npm audit --recursive --environment production',
    cache: 'yarn',
    cacheKey: '',
  },
  bun: {
    origin:
      'Its package manager is [Bun](https://bun.sh), in the version that `packageManager` in `package.json` names; it runs on Node.',
    settings: [],
    frozen: 'bun install --frozen-lockfile',
    imageInstall: 'bun install --frozen-lockfile',
    imageSetup: AS_NAMED,
    prune: 'rm -rf node_modules && bun install --frozen-lockfile --production',
    audit: 'bun audit --production',
    cache: '',
    cacheKey: "${{ runner.os }}-bun-${{ hashFiles('bun.lock') }}",
  },
};

export function managerView(name: PackageManager): ManagerView {
  const { settings, ...own } = OWN[name];
  return {
    ...COMMANDS[name],
    ...own,
    name,
    lockFile: LOCK_FILES[name],
    files: [LOCK_FILES[name], ...settings],
    isPnpm: name === 'pnpm',
    isYarn: name === 'yarn',
    isBun: name === 'bun',
  };
}

/** A text that names commands of npm, in those of another; none of it is a user's. */
export function inWordsOf({ name, admin, run, exec }: ManagerView, text: string): string {
  if (name === 'npm') return text;
  const words = new Map([
    ['npm run admin --', admin],
    ['npm run', run],
    ['npx', exec],
  ]);
  return text.replace(/\b(?:npm run(?: admin --)?|npx)(?= )/g, (word) => words.get(word) ?? word);
}
