/** `Settings`: what features read of the configuration. */
import type { EnvironmentReader } from './environment.ts';

/** A part of the configuration of the process (`src/config.ts`). Features add settings of their own to this interface. */
export interface Settings {
  /** The origin of absolute links; empty for relative links. */
  readonly publicUrl: string;
  /** Seconds that what is running has to finish at shutdown. */
  readonly shutdownGrace: number;
}

/** Reads the settings of a feature from the environment. */
export type ReadSettings = (read: EnvironmentReader) => Partial<Settings>;
