/** A service of a project that a command has started. */
export interface StartedService {
  readonly origin: string;
  /** Is aborted when the process ends. */
  readonly ended: AbortSignal;
  /** The last lines that it printed. */
  readonly output: () => readonly string[];
  readonly stop: () => Promise<void>;
}
