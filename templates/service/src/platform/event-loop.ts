/** Detects overload by the delay of the event loop. */
import { monitorEventLoopDelay } from 'node:perf_hooks';

/** Milliseconds over which the mean delay is taken. */
const INTERVAL = 500;
/** Milliseconds between two samples. */
const RESOLUTION = 20;
/** The mean delay, in milliseconds, above which the process counts as overloaded. */
const MAX_DELAY = 1_000;

/** @returns a function that says whether the delay was too high in both of the last two intervals. */
export function watchEventLoop(): () => boolean {
  const delays = monitorEventLoopDelay({ resolution: RESOLUTION });
  let isOverloaded = false;
  // A single long task raises the mean of one interval; refusing requests would not help then.
  let wasHigh = false;
  delays.enable();
  setInterval(() => {
    const isHigh = delays.mean / 1e6 > MAX_DELAY;
    isOverloaded = isHigh && wasHigh;
    wasHigh = isHigh;
    delays.reset();
  }, INTERVAL).unref();
  return () => isOverloaded;
}
