/** Runs a program to its end, and never throws: what went wrong is a value. */
import { exec } from 'tinyexec';

/** How a program ended. */
export interface Ended {
  /** Absent where it never ran, or a signal ended it. */
  readonly status: number | undefined;
  /** It is not on this machine. */
  readonly isMissing: boolean;
  /** What ended it, where it did not end by itself. */
  readonly signal: string | undefined;
  /** What it printed, standard output before standard error. */
  readonly output: string;
}

export interface RunOptions {
  readonly cwd: string;
  /** An abort ends the program. */
  readonly interrupted: AbortSignal;
  /** Added to the environment; undefined takes out. */
  readonly env?: Readonly<Record<string, string | undefined>>;
}

/** Runs a program with nothing on its standard input. */
export async function run(
  program: string,
  words: readonly string[],
  { cwd, interrupted, env }: RunOptions,
): Promise<Ended> {
  const running = exec(program, words, {
    // What is on the PATH is meant, and not what the project brings.
    nodePath: false,
    nodeOptions: {
      cwd,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, ...env },
      signal: interrupted,
    },
  });
  try {
    const { stdout, stderr, exitCode } = await running;
    const signal = running.signalCode ?? undefined;
    return { status: exitCode, isMissing: false, signal, output: `${stdout}\n${stderr}` };
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const isMissing = code === 'ENOENT';
    return { status: undefined, isMissing, signal: undefined, output: isMissing ? '' : message };
  }
}
