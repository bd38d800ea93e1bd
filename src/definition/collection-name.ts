/** What the name of a collection may be: a plural noun that the service does not use itself. */
import type { Issues } from '../reading/issues.ts';
import { checkSnakeCase } from './names.ts';
import { numberOf } from './pluralize.ts';
import { quote } from '../reading/quote.ts';
import type { Located } from '../reading/shapes.ts';
import { verbIn, withoutVerb } from './verbs.ts';

/** The collections that every service has. */
export const BUILT_IN: readonly string[] = ['tokens', 'users', 'jobs'];

/** Names that Windows keeps to itself, whatever the extension of the file. Names are in lower case. */
const WINDOWS_DEVICE = /^(?:con|prn|aux|nul|com[0-9]|lpt[0-9])$/;

const BUILT_IN_SINGULARS: ReadonlySet<string> = new Set(['token', 'user', 'job']);

/** The singular of a name by rule, where the rules give one. */
export function singularOf(name: string): string | undefined {
  const number = numberOf(name);
  return number.kind === 'plural' ? number.singular : undefined;
}

/** Checks the name and the singular that may be given with it. */
export function checkCollectionName(
  name: Located<string>,
  singular: Located<string> | undefined,
  issues: Issues,
): void {
  const fine =
    singular === undefined || checkSnakeCase(singular.value, 'singular', singular.at, issues);
  if (!checkSnakeCase(name.value, 'name', name.at, issues)) return;
  if (!isFree('name', name, issues)) return;
  if (!isThing('name', name, issues) || !fine) return;
  if (singular === undefined) checkNumber(name, issues);
  else if (BUILT_IN_SINGULARS.has(singular.value)) {
    const message = `singular ${quote(singular.value)} is taken: every service has that collection. Write another.`;
    issues.add(singular.at, 'name-reserved', message);
  } else if (singular.value === name.value) {
    const message = `singular ${quote(singular.value)} is the name itself: the code needs two words. Write ${quote(`${name.value}_item`)}.`;
    issues.add(singular.at, 'name-singular', message);
  }
}

/** Checks what a collection is called in an older version: its singular is by rule there. */
export function checkOlderCollectionName(name: Located<string>, issues: Issues): void {
  if (!isFree('name_in', name, issues) || !isThing('name_in', name, issues)) return;
  const number = numberOf(name.value);
  if (number.kind === 'singular') {
    const message = `name_in ${quote(name.value)} is singular: collections are plural. Write ${quote(number.plural)}.`;
    issues.add(name.at, 'name-plural', message);
  } else if (number.kind === 'same' || BUILT_IN_SINGULARS.has(number.singular)) {
    const message = `name_in ${quote(name.value)} has no singular of its own. Write another name.`;
    issues.add(name.at, 'name-singular', message);
  }
}

/** Whether neither the service, its paths nor Windows has the name already; adds an issue otherwise. */
function isFree(what: string, { value, at }: Located<string>, issues: Issues): boolean {
  const why = takenBy(value);
  if (why !== undefined) {
    issues.add(at, 'name-reserved', `${what} ${quote(value)} ${why}. Write another.`);
  }
  return why === undefined;
}

function takenBy(name: string): string | undefined {
  if (BUILT_IN.includes(name)) return 'is taken: every service has that collection';
  if (WINDOWS_DEVICE.test(name)) {
    return 'is a device of Windows, where no file can have that name: the project could not be checked out';
  }
  return /^v[0-9]+$/.test(name) ? 'looks like a version in a path' : undefined;
}

/** Checks the name that a nested collection has under its parent. */
export function checkNestedName(
  name: Located<string>,
  collections: readonly string[],
  issues: Issues,
  what: 'nested' | 'name_in' = 'nested',
): void {
  if (!checkSnakeCase(name.value, what, name.at, issues)) return;
  if (!isThing(what, name, issues)) return;
  // There is no key for the singular here: what is a plural elsewhere is one here too.
  const isKnown = collections.some(
    (known) => name.value === known || name.value.endsWith(`_${known}`),
  );
  const number = numberOf(name.value);
  if (isKnown || number.kind !== 'singular') return;
  const message = `${what} ${quote(name.value)} is singular: collections are plural. Write ${quote(number.plural)}.`;
  issues.add(name.at, 'name-plural', message);
}

function isThing(what: string, { value, at }: Located<string>, issues: Issues): boolean {
  const verb = verbIn(value);
  if (verb === undefined) return true;
  const rest = withoutVerb(value, verb);
  const hint = rest === '' ? 'a plural noun' : quote(plural(rest));
  const message = `${what} ${quote(value)} is an action: ${quote(verb)} is said by the HTTP method. Write ${hint}.`;
  issues.add(at, 'name-verb', message);
  return false;
}

function plural(name: string): string {
  const number = numberOf(name);
  return number.kind === 'singular' ? number.plural : name;
}

function checkNumber({ value, at }: Located<string>, issues: Issues): void {
  const number = numberOf(value);
  if (number.kind === 'singular') {
    const message = `name ${quote(value)} is singular: collections are plural. Write ${quote(number.plural)}.`;
    issues.add(at, 'name-plural', message);
  } else if (number.kind === 'same') {
    const message = `name ${quote(value)} has no singular of its own. Write "singular:" beside it, such as ${quote(`${value}_item`)}.`;
    issues.add(at, 'name-singular', message);
  }
}
