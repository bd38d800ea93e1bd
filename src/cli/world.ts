/** What the command line has of the outside. Tests give their own; only main.ts has `process`. */

/** One of the two streams that are written to. */
export interface OutputStream {
  readonly isTerminal: boolean;
  readonly write: (text: string) => void;
}

export interface World {
  /** What was typed after the name of the command. */
  readonly argv: readonly string[];
  /** Absolute. */
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly stdout: OutputStream;
  readonly stderr: OutputStream;
  /** Whether questions can be asked and answered. */
  readonly canAsk: boolean;
  readonly columns: number;
  readonly pid: number;
  readonly isAlive: (pid: number) => boolean;
  /** Is aborted by SIGINT and SIGTERM. */
  readonly interrupted: AbortSignal;
}

/** 0 done; 1 it could not be done; 2 the command line is wrong; 130 interrupted. */
export type ExitStatus = 0 | 1 | 2 | 130;
