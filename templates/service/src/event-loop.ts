/** How late this process is: whether all that happens at once is more than it can follow. */
import { monitorEventLoopDelay } from 'node:perf_hooks';

/** Milliseconds between two looks. */
const INTERVAL = 500;
/** Milliseconds between two probes. */
const RESOLUTION = 20;
/** The mean of a turn of the event loop, in milliseconds, beyond which the process is late. */
const LATE = 1_000;

/** Watches the event loop. @returns tells whether the process was late at the last two looks. */
export function watchEventLoop(): () => boolean {
  const delays = monitorEventLoopDelay({ resolution: RESOLUTION });
  let isLate = false;
  // One long turn is nothing that refusing requests would make better.
  let wasLate = false;
  delays.enable();
  setInterval(() => {
    const now = delays.mean / 1e6 > LATE;
    isLate = now && wasLate;
    wasLate = now;
    delays.reset();
  }, INTERVAL).unref();
  return () => isLate;
}
