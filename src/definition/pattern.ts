/**
 * Whether a pattern compiles, and whether it can keep a service busy: time that grows
 * exponentially with the text is always refused, and polynomial time where the text is long.
 */
import { ambiguityOf } from './regex-ambiguity/index.ts';
import type { Ambiguity } from './regex-ambiguity/index.ts';
import type { PatternJudge } from '../types/string.ts';
import { boundedChoices, boundSteps } from './pattern-steps.ts';
import { quote } from '../reading/quote.ts';

/** How many steps of the engine one match may take: well under a second. */
const MOST_STEPS = 1e8;
/** The longest text that reaches a pattern where no max_length is given: a request body. */
const LONGEST_BODY = 1024 * 1024;
/** How many ways bounded repetitions may have before they are tried out, as a power of two. */
const MOST_CHOICES = 20;

/** A judge that thinks once about each pattern. */
export function patternJudge(): PatternJudge {
  const known = new Map<string, Ambiguity>();
  return (pattern, maxLength) => {
    const shown = `pattern ${quote(pattern)}`;
    const error = compileError(pattern);
    if (error !== undefined) {
      const message = `${shown} does not compile: ${error}. Write a regular expression of ECMAScript.`;
      return { code: 'bad-pattern', message };
    }
    const steps = boundSteps(pattern, maxLength ?? LONGEST_BODY);
    if (steps !== undefined && steps <= MOST_STEPS) return undefined;
    const growth = known.get(pattern) ?? ambiguityOf(pattern);
    known.set(pattern, growth);
    const why = tooSlow(growth, pattern, maxLength);
    return why === undefined ? undefined : { code: 'slow-pattern', message: `${shown} ${why}` };
  };
}

function tooSlow(growth: Ambiguity, pattern: string, maxLength?: number): string | undefined {
  if (growth.kind === 'exponential') {
    return 'can take exponential time. Write it without repetitions that overlap.';
  }
  if (growth.kind === 'unknown') return 'could not be proved to be fast. Write a simpler one.';
  const { degree, takesMore } = growth;
  // Growth says nothing of repetitions that end somewhere, as in a?a?a?…aaa.
  const hasManyWays = boundedChoices(pattern) > MOST_CHOICES;
  if (hasManyWays && takesMore(maxLength ?? LONGEST_BODY, MOST_STEPS)) {
    return 'can take more than a hundred million steps. Write it without repetitions that overlap.';
  }
  const longestAllowed = Math.floor(MOST_STEPS ** (1 / degree) + 1e-6);
  if (degree === 1 || (maxLength !== undefined && maxLength <= longestAllowed)) return undefined;
  const grows = degree === 2 ? 'square' : `power ${degree}`;
  const advice = maxLength === undefined ? 'Write a max_length of' : 'Lower max_length to';
  const anchor = pattern.startsWith('^') ? '' : ', or anchor it with ^';
  return `can take time that grows with the ${grows} of the length. ${advice} ${longestAllowed} or less${anchor}.`;
}

/** Why the engine refuses the pattern, in its own words. */
function compileError(pattern: string): string | undefined {
  try {
    RegExp(pattern, 'u');
    return undefined;
  } catch (error) {
    const { message } = error as Error;
    const reason = message.slice(message.lastIndexOf(': ') + 2);
    return reason.charAt(0).toLowerCase() + reason.slice(1);
  }
}
