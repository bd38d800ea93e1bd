/** Runs a program to its end, and never throws: what went wrong is a value. */
import { execa } from 'execa';

/** How a program ended. */
interface Ended {
  /** Absent where it never ran, or a signal ended it. */
  readonly status: number | undefined;
  /** It is not on this machine. */
  readonly isMissing: boolean;
  /** What ended it, where it did not end by itself. */
  readonly signal: string | undefined;
  /** What it printed. */
  readonly output: string;
}

interface RunOptions {
  readonly cwd: string;
  /** An abort ends the program. */
  readonly interrupted: AbortSignal;
  /** Added to the environment; undefined takes out. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Milliseconds after which it is ended. */
  readonly timeout?: number;
}

/** Runs a program with nothing on its standard input. */
export async function runProgram(
  program: string,
  words: readonly string[],
  { cwd, interrupted, env, timeout }: RunOptions,
): Promise<Ended> {
  const { exitCode, signal, code, all } = await execa(program, words, {
    cwd,
    stdin: 'ignore',
    all: true,
    reject: false,
    cancelSignal: interrupted,
    ...(env !== undefined && { env }),
    ...(timeout !== undefined && { timeout }),
  });
  return { status: exitCode, isMissing: code === 'ENOENT', signal, output: all };
}
