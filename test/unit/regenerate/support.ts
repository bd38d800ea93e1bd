/** Projects on disk, made and generated again within this process. */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';

import { create } from '../../../src/commands/create.ts';
import { NPM } from '../../../src/shared/package-manager.ts';
import type { ChosenManager } from '../../../src/shared/package-manager.ts';
import { generate } from '../../../src/commands/generate.ts';
import type { GenerateResult } from '../../../src/commands/generate.ts';
import type { UpgradeSteps } from '../../../src/update/upgrade-steps.ts';

/** A project, with what one does to it. */
export interface TestProject {
  readonly folder: string;
  readonly read: (file: string) => string;
  /** Writes a file; undefined removes it. */
  readonly write: (file: string, text: string | undefined) => void;
  readonly edit: (file: string, change: (text: string) => string) => void;
  /** Generates it again; throws where the definitions are refused. Loss of data and, by default, wider access are allowed. */
  readonly generate: (
    steps?: UpgradeSteps,
    allowBreaking?: boolean,
    allowWider?: boolean,
  ) => Promise<Extract<GenerateResult, { ok: true }>>;
}

const owner = { pid: process.pid, host: 'here', random: '0a1b2c3d' };
const never = new AbortController().signal;

/** Makes a project of definitions, by their paths below `definitions/`. */
export async function makeProject(
  folder: string,
  definitions: Readonly<Record<string, string>>,
  manager: ChosenManager = NPM,
): Promise<TestProject> {
  const from = `${folder}-from`;
  for (const [file, text] of Object.entries(definitions)) put(path.join(from, file), text);
  const result = await create({
    from,
    target: folder,
    cwd: path.dirname(folder),
    name: undefined,
    tool: '0.0.0',
    manager,
    dryRun: false,
    interrupted: never,
    owner,
    isAlive: () => false,
  });
  rmSync(from, { recursive: true });
  if (!result.ok) throw new Error(JSON.stringify(result.issues));
  return projectIn(folder);
}

export function projectIn(folder: string): TestProject {
  const at = (file: string): string => path.join(folder, file);
  const read = (file: string): string => readFileSync(at(file), 'utf8');
  return {
    folder,
    read,
    write: (file, text) => (text === undefined ? rmSync(at(file)) : put(at(file), text)),
    edit: (file, change) => writeFileSync(at(file), change(read(file))),
    generate: async (steps, allowBreaking = false, allowWider = true) => {
      const result = await generate({
        ...(steps !== undefined && { steps }),
        cwd: folder,
        dryRun: false,
        allowDataLoss: true,
        allowBreaking,
        allowWider,
        interrupted: never,
        owner,
        isAlive: () => false,
      });
      if (!result.ok) throw new Error(JSON.stringify(result.issues));
      return result;
    },
  };
}

function put(file: string, text: string): void {
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, text);
}
