/**
 * Whether a pattern compiles, and whether it can keep a service busy: time that grows
 * exponentially with the text is always refused, and polynomial time where the text is long.
 *
 * The library that finds this out costs a fifth of a second, so it is loaded only for patterns
 * whose steps cannot be bounded by counting their quantifiers.
 */
import type { checkSync, Diagnostics } from 'recheck';
import { boundedChoices, boundSteps } from './pattern-steps.ts';
import { quote } from './quote.ts';
import type { Tree } from './tree.ts';

/** How many steps of the engine one match may take: well under a second. */
const MOST_STEPS = 1e8;
/** The longest text that reaches a pattern where no max_length is given: a request body. */
const LONGEST_BODY = 1024 * 1024;
/**
 * How long the library may think about one pattern, in milliseconds. Those that it can judge take
 * a tenth of that at most: a busy machine does not change the verdict.
 */
const PATIENCE = 10_000;

/** How many ways bounded repetitions may have before they are tried out, as a power of two. */
const MOST_CHOICES = 20;

/** What is wrong with a pattern. */
export interface PatternProblem {
  readonly code: 'bad-pattern' | 'slow-pattern';
  readonly message: string;
}

/** Judges a pattern of a string that is at most so long; undefined means that it is fine. */
export type PatternJudge = (pattern: string, maxLength?: number) => PatternProblem | undefined;

type Complexity =
  | { readonly kind: 'safe' }
  | { readonly kind: 'exponential' }
  | { readonly kind: 'unknown' }
  | { readonly kind: 'polynomial'; readonly degree: number };

interface Library {
  readonly checkSync: typeof checkSync;
}

type Checker = (pattern: string) => Complexity;

/** A judge for all patterns in these trees; loads the library where one of them needs it. */
export async function patternJudge(trees: readonly Tree[]): Promise<PatternJudge> {
  const hard = trees.some((tree) => patternsIn(tree).some((found) => needsChecker(found)));
  const checker = hard ? await loadChecker() : undefined;
  return (pattern, maxLength) => judge({ pattern, maxLength }, checker);
}

interface Found {
  readonly pattern: string;
  readonly maxLength: number | undefined;
}

/** Every map with a pattern in it, wherever it stands; too many do no harm. */
function patternsIn(tree: Tree): readonly Found[] {
  if (tree.kind === 'scalar') return [];
  if (tree.kind === 'list') return tree.items.flatMap(patternsIn);
  const scalar = (name: string): unknown => {
    const value = tree.entries.find((entry) => entry.name === name)?.value;
    return value?.kind === 'scalar' ? value.value : undefined;
  };
  const below = tree.entries.flatMap((entry) => patternsIn(entry.value));
  const pattern = scalar('pattern');
  if (typeof pattern !== 'string') return below;
  const maxLength = scalar('max_length');
  return [...below, { pattern, maxLength: typeof maxLength === 'number' ? maxLength : undefined }];
}

function needsChecker({ pattern, maxLength }: Found): boolean {
  if (compileError(pattern) !== undefined) return false;
  const steps = boundSteps(pattern, maxLength ?? LONGEST_BODY);
  return steps === undefined || steps > MOST_STEPS;
}

function judge(found: Found, checker: Checker | undefined): PatternProblem | undefined {
  const shown = `pattern ${quote(found.pattern)}`;
  const error = compileError(found.pattern);
  if (error !== undefined) {
    const message = `${shown} does not compile: ${error}. Write a regular expression of ECMAScript.`;
    return { code: 'bad-pattern', message };
  }
  if (!needsChecker(found)) return undefined;
  if (checker === undefined) throw new Error(`No checker was loaded for ${shown}`);
  const why = tooSlow(checker(found.pattern), found);
  return why === undefined ? undefined : { code: 'slow-pattern', message: `${shown} ${why}` };
}

function tooSlow(complexity: Complexity, { pattern, maxLength }: Found): string | undefined {
  if (complexity.kind === 'safe') return undefined;
  if (complexity.kind === 'exponential') {
    return 'can take exponential time. Write it without repetitions that overlap.';
  }
  if (complexity.kind === 'unknown') return 'could not be proved to be fast. Write a simpler one.';
  const most = Math.floor(MOST_STEPS ** (1 / complexity.degree) + 1e-6);
  if (maxLength !== undefined && maxLength <= most) return undefined;
  const grows = complexity.degree === 2 ? 'square' : `power ${complexity.degree}`;
  const advice = maxLength === undefined ? 'Write a max_length of' : 'Lower max_length to';
  const anchor = pattern.startsWith('^') ? '' : ', or anchor it with ^';
  return `can take time that grows with the ${grows} of the length. ${advice} ${most} or less${anchor}.`;
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

async function loadChecker(): Promise<Checker> {
  const { default: library } = await import('recheck/lib/browser.js');
  const known = new Map<string, Complexity>();
  return (pattern) => {
    const before = known.get(pattern);
    if (before !== undefined) return before;
    const found = complexityOf(library, pattern);
    known.set(pattern, found);
    return found;
  };
}

function complexityOf(library: Library, pattern: string): Complexity {
  const check = (checker: 'auto' | 'fuzz'): Complexity =>
    verdictOf(library.checkSync(pattern, 'u', { checker, timeout: PATIENCE }));
  const found = check('auto');
  // How time grows is proved without regard to repetitions that end somewhere, as in a?a?a?…aaa:
  // where there are many of them, the other checker tries texts that are made to be slow.
  const again = found.kind === 'safe' && boundedChoices(pattern) > MOST_CHOICES;
  return again ? check('fuzz') : found;
}

function verdictOf(diagnostics: Diagnostics): Complexity {
  if (diagnostics.status === 'unknown') return { kind: 'unknown' };
  if (diagnostics.status === 'safe') return { kind: 'safe' };
  const { complexity } = diagnostics;
  return complexity.type === 'polynomial'
    ? { kind: 'polynomial', degree: complexity.degree }
    : { kind: 'exponential' };
}
