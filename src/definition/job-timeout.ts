/** The key `job_timeout`: how long an attempt of a job may take. */
import type { Issues } from '../reading/issues.ts';
import type { Reading } from '../reading/records.ts';
import type { COLLECTION_KEYS } from './keys.ts';
const DEFAULT = 5 * 60;

/** The seconds that an attempt may take. Only jobs have attempts. */
export function readJobTimeout(
  { create, job_timeout: timeout }: Pick<Reading<typeof COLLECTION_KEYS>, 'create' | 'job_timeout'>,
  issues: Issues,
): number {
  if (timeout !== undefined && create?.value !== 'background') {
    const message = `job_timeout is for items that jobs create, and a POST creates these at once. Write "create: background", or remove job_timeout.`;
    issues.add(timeout.keyAt, 'contradiction', message);
  }
  return timeout?.value ?? DEFAULT;
}
