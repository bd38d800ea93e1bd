/** What every reader of a field needs. */
import type { Issues } from '../reading/issues.ts';
import type { PatternJudge } from '../types/string.ts';
import type { KnownVersions } from './versions/known-versions.ts';

export interface FieldContext {
  readonly issues: Issues;
  readonly judge: PatternJudge;
  readonly versions: KnownVersions;
}
