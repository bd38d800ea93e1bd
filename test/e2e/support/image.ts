/** The image of an emitted project, made without Docker: what the Dockerfile copies and runs, in empty folders. */
import { cpSync, mkdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';

import { execa } from 'execa';

interface Stage {
  /** Stands for the root of the image. */
  readonly root: string;
  readonly instructions: readonly (readonly [name: string, words: string])[];
}

/** What came of a Dockerfile. */
export interface Image {
  /** The service within the last stage. */
  readonly service: string;
  /** What was copied out of the project. */
  readonly copied: readonly string[];
  /** What runs it. */
  readonly command: readonly string[];
}

/** The stages of a Dockerfile, by name; the last one is `''`. */
function stagesOf(dockerfile: string, folder: string): ReadonlyMap<string, Stage> {
  const lines = dockerfile
    .replace(/^#.*\n/gm, '')
    .replace(/\\\n/g, ' ')
    .trim()
    .split(/\n+/);
  const stages = new Map<string, { root: string; instructions: [string, string][] }>();
  let current: [string, string][] = [];
  for (const line of lines) {
    const [name = '', ...rest] = line.split(/\s+/);
    const words = rest.join(' ');
    if (name === 'FROM') {
      const stage = / AS (\w+)$/.exec(words)?.[1] ?? '';
      current = [];
      stages.set(stage, { root: join(folder, `stage-${stage}`), instructions: current });
    } else {
      current.push([name, words]);
    }
  }
  return stages;
}

/**
 * Makes the image of a project in a folder.
 * @param env what its programs have in their environment beside that of the tests.
 */
export async function buildImage(
  project: string,
  folder: string,
  env: Readonly<Record<string, string>> = {},
): Promise<Image> {
  const stages = stagesOf(readFileSync(join(project, 'Dockerfile'), 'utf8'), folder);
  const copied: string[] = [];
  let command = '[]';
  for (const [name, { root, instructions }] of stages) {
    const service = join(root, 'service');
    mkdirSync(service, { recursive: true });
    for (const [instruction, words] of instructions) {
      if (instruction === 'CMD') command = words;
      // What the last stage runs is about users of the image, and not of this machine.
      if (instruction === 'RUN' && name !== '')
        await execa('sh', ['-c', words], { cwd: service, env, stdin: 'ignore' });
      if (instruction !== 'COPY') continue;
      const from = /^--from=(\w+) /.exec(words)?.[1];
      const [target = '', ...sources] = words
        .split(' ')
        .slice(from === undefined ? 0 : 1)
        .toReversed();
      for (const source of sources) {
        if (from === undefined) copied.push(source);
        const origin = join(from === undefined ? project : (stages.get(from)?.root ?? ''), source);
        const into = target === './' ? join(service, basename(source)) : join(service, target);
        cpSync(origin, into, { recursive: true, verbatimSymlinks: true });
      }
    }
  }
  return {
    service: join(folder, 'stage-', 'service'),
    copied,
    command: JSON.parse(command) as string[],
  };
}

/** What of a project Docker sees at all. */
export const seenByDocker = (project: string): readonly string[] =>
  readFileSync(join(project, '.dockerignore'), 'utf8').match(/(?<=^!).+$/gm) ?? [];
