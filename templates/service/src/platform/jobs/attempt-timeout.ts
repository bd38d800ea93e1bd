/** `withinTimeout` ends an attempt of a job that takes too long, so that it does not keep the worker for good. */

/**
 * Calls `run` with a signal, and waits until it settles, `seconds` have passed, or `outer` aborts. Code that
 * ignores its signal may go on after that, but nobody waits for it.
 * @throws the error of `run`; that of the timeout; or the reason of `outer`.
 */
export async function withinTimeout<Value>(
  seconds: number,
  outer: AbortSignal,
  run: (signal: AbortSignal) => Promise<Value>,
): Promise<Value> {
  const timeout = new AbortController();
  const timer = setTimeout(
    () => timeout.abort(new Error(`the attempt took longer than its timeout of ${seconds} s`)),
    seconds * 1000,
  );
  const signal = AbortSignal.any([outer, timeout.signal]);
  try {
    signal.throwIfAborted();
    return await new Promise<Value>((resolve, reject) => {
      // It comes before the listeners of `run`, so that what those do in answer to the signal is ignored.
      signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
      run(signal).then(resolve, reject);
    });
  } finally {
    clearTimeout(timer);
  }
}
