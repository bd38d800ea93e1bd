/** The shape of the key `job_timeout`: how long an attempt of a job may take. */
import { mismatch } from '../reading/mismatch.ts';
import type { Shape } from '../reading/shapes.ts';
import { parseSeconds } from '../types/duration.ts';
import { readText } from '../types/text-storage.ts';

/** In seconds. */
const SHORTEST = 1;

const LONGEST = 7 * 24 * 60 * 60;

/** A duration of ISO 8601, in seconds. */
export const JOB_TIMEOUT: Shape<number> = {
  schema: {
    type: 'string',
    pattern: String.raw`^P([0-9]+W|([0-9]+D)?(T([0-9]+H)?([0-9]+M)?([0-9]+(\.[0-9]+)?S)?)?)$`,
  },
  read(tree, what, issues) {
    if (tree.kind !== 'scalar' || typeof tree.value !== 'string') {
      return mismatch(tree, what, 'a duration', 'one such as PT5M', issues);
    }
    return readText(tree, what, issues, (value, refuse) => {
      const seconds = parseSeconds(value);
      if (seconds === undefined) {
        return refuse('is not a duration of hours, minutes and seconds', 'one such as PT5M');
      }
      if (seconds < SHORTEST) return refuse('is too short', 'PT1S or more');
      return seconds > LONGEST ? refuse('is too long', 'P7D or less') : seconds;
    });
  },
};
