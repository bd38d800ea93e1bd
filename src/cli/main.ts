/** The process: its arguments, streams, signals and exit status. Nothing else touches `process`. */
import { runCommandLine } from './run.ts';
import type { OutputStream } from './world.ts';

/** Runs the command line to its end. */
export async function main(): Promise<void> {
  const interruption = new AbortController();
  const interrupt = (): void => interruption.abort();
  process.on('SIGINT', interrupt);
  process.on('SIGTERM', interrupt);
  // A write past `ulimit -f` is then an error of that write, and not the end of this process.
  process.on('SIGXFSZ', ignore);
  process.stdout.on('error', noteLost);
  // Nobody is left to tell.
  process.stderr.on('error', ignore);

  process.exitCode = await runCommandLine({
    argv: process.argv.slice(2),
    cwd: process.cwd(),
    env: process.env,
    stdout: outputOf(process.stdout),
    stderr: outputOf(process.stderr),
    canAsk: process.stdin.isTTY && process.stdout.isTTY,
    // A terminal that does not know its size has 0.
    columns: process.stderr.columns > 0 ? process.stderr.columns : 80,
    pid: process.pid,
    isAlive,
    interrupted: interruption.signal,
  });
  process.off('SIGINT', interrupt);
  process.off('SIGTERM', interrupt);
  process.off('SIGXFSZ', ignore);
}

const outputOf = (stream: NodeJS.WriteStream): OutputStream => ({
  isTerminal: stream.isTTY,
  write: (text) => void stream.write(text),
});

const ignore = (): void => undefined;

/** What was to be read on standard output is not there: on a full disk, say. */
function noteLost({ code, message }: NodeJS.ErrnoException): void {
  // `create-service explain | head` closes the pipe early, and means it.
  if (code === 'EPIPE') return;
  process.stderr.write(`error standard output could not be written: ${message}\n`);
  process.on('exit', () => {
    process.exitCode = process.exitCode === 0 ? 1 : process.exitCode;
  });
}

/** Signal 0 is not sent: it asks whether it could be. */
function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
