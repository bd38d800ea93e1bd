/** The size of a page, of a service or of one collection. */
import type { Issues } from '../reading/issues.ts';
import type { Located } from '../reading/shapes.ts';
import type { Pages } from './types.ts';

/** What was written of it; the rest comes from the service, or is built in. */
export interface WrittenPages {
  readonly default?: Located<number>;
  readonly maximum?: Located<number>;
}

const BUILT_IN: Pages = Object.freeze({ default: 20, maximum: 100 });

/** Reads the two numbers; where both are written, they are compared here. */
export function readPages({ value }: Located<WrittenPages>, issues: Issues): WrittenPages {
  const { default: usual, maximum } = value;
  if (usual && maximum && usual.value > maximum.value) {
    reportCross(usual, maximum.value, issues);
  }
  return value;
}

/**
 * Fills in what was not written. A maximum alone lowers the default with it; a default alone may
 * not pass the maximum that holds.
 */
export function completePages(
  written: WrittenPages | undefined,
  outer: Pages | undefined,
  issues: Issues,
): Pages {
  const inherited = outer ?? BUILT_IN;
  const maximum = written?.maximum?.value ?? inherited.maximum;
  const usual = written?.default;
  if (usual && !written.maximum && usual.value > maximum) reportCross(usual, maximum, issues);
  return {
    default: usual?.value ?? Math.min(inherited.default, maximum),
    maximum,
  };
}

function reportCross(usual: Located<number>, maximum: number, issues: Issues): void {
  const message = `pages default ${usual.value} is over maximum ${maximum}. Write ${maximum} or less, or raise maximum.`;
  issues.add(usual.at, 'bounds-cross', message);
}
