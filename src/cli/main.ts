/** The process: its arguments, streams, signals and exit status. Nothing else touches `process`. */
import { run } from './run.ts';
import type { Output } from './world.ts';

/** Runs the command line to its end. */
export async function main(): Promise<void> {
  const interruption = new AbortController();
  const interrupt = (): void => interruption.abort();
  process.on('SIGINT', interrupt);
  process.on('SIGTERM', interrupt);
  // `create-service explain | head` closes the pipe early: there is nobody left to tell.
  process.stdout.on('error', ignoreClosedPipe);
  process.stderr.on('error', ignoreClosedPipe);

  process.exitCode = await run({
    argv: process.argv.slice(2),
    cwd: process.cwd(),
    env: process.env,
    stdout: outputOf(process.stdout),
    stderr: outputOf(process.stderr),
    canAsk: process.stdin.isTTY && process.stdout.isTTY,
    columns: process.stderr.columns ?? 80,
    pid: process.pid,
    isAlive,
    interrupted: interruption.signal,
  });
  process.off('SIGINT', interrupt);
  process.off('SIGTERM', interrupt);
}

const outputOf = (stream: NodeJS.WriteStream): Output => ({
  isTerminal: stream.isTTY,
  write: (text) => void stream.write(text),
});

function ignoreClosedPipe(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE') throw error;
}

/** Signal 0 is not sent: it asks whether it could be. */
function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
