/** Ends long work when it is interrupted. */

/** Lets a signal that has come meanwhile have its turn. @throws the reason of the interruption. */
export async function throwIfInterrupted(interrupted: AbortSignal): Promise<void> {
  await new Promise(setImmediate);
  interrupted.throwIfAborted();
}
