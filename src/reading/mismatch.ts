/** What is said of a value that has the wrong type, and how it is to be written instead. */
import type { Issues } from './issues.ts';
import { quote } from './quote.ts';
import type { Tree } from './tree.ts';

/** Adds an issue for a value of the wrong type: `required "yes" is text, not true or false.` */
export function mismatch(
  tree: Tree,
  what: string,
  wanted: string,
  hint: string | undefined,
  issues: Issues,
): undefined {
  if (isNull(tree)) {
    const message = `${what} has no value. Write ${wanted}, or leave it out.`;
    issues.add(tree.at, 'wrong-type', message);
    return undefined;
  }
  const given = tree.kind === 'scalar' ? `${shown(tree)} is ${kindOf(tree)}` : `is ${kindOf(tree)}`;
  const write = hint === undefined ? '' : ` Write ${hint}.`;
  issues.add(tree.at, 'wrong-type', `${what} ${given}, not ${wanted}.${write}`);
  return undefined;
}

/** Whether a value is null, as that of a key without one. */
export function isNull(tree: Tree): boolean {
  return tree.kind === 'scalar' && tree.value === null;
}

/** What kind of value it is, in words. */
export function kindOf(tree: Tree): string {
  if (tree.kind !== 'scalar') return `a ${tree.kind}`;
  if (tree.value === null) return 'null';
  if (typeof tree.value === 'string') return 'text';
  return typeof tree.value === 'boolean' ? 'true or false' : 'a number';
}

/** A scalar as messages show it: text in quotes, all else as it was written. */
export function shown(tree: Tree): string {
  if (tree.kind !== 'scalar') return kindOf(tree);
  return typeof tree.value === 'string' ? quote(tree.value) : quote(tree.source).slice(1, -1);
}

/** How to write a number or a truth value where text is wanted: in quotes. */
export function quotedHint(tree: Tree): string | undefined {
  if (tree.kind !== 'scalar' || tree.value === null || tree.source.length > 40) return undefined;
  return `'${tree.source}'`;
}

export function numberHint(tree: Tree): string | undefined {
  if (tree.kind !== 'scalar' || typeof tree.value !== 'string') return undefined;
  return /^-?(0|[1-9][0-9]{0,15})(\.[0-9]{1,15})?$/.test(tree.value) ? tree.value : undefined;
}

/** Texts that stand for true and false. */
export const BOOLEAN_WORDS = {
  true: ['yes', 'on', 'y', 'true', '1'],
  false: ['no', 'off', 'n', 'false', '0'],
};

export function booleanHint(tree: Tree): string | undefined {
  if (tree.kind !== 'scalar') return undefined;
  const given = String(tree.value).toLowerCase();
  if (BOOLEAN_WORDS.true.includes(given)) return 'true';
  return BOOLEAN_WORDS.false.includes(given) ? 'false' : undefined;
}

export function listHint(tree: Tree): string | undefined {
  if (tree.kind !== 'scalar' || tree.source === '' || tree.source.length > 40) return undefined;
  return /^[\w-]+$/.test(tree.source) ? `[${tree.source}]` : undefined;
}
