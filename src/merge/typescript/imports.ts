/** Imports of names: a set of names for each module, whatever side added or removed one. */
import { ts } from 'ts-morph';

import { tokensOf } from './tokens.ts';

interface ImportOfNames extends ts.ImportDeclaration {
  readonly importClause: ts.ImportClause & { readonly namedBindings: ts.NamedImports };
}

/** Whether a statement imports names in braces, and nothing beside. */
export function isImportOfNames(node: ts.Node | undefined): node is ImportOfNames {
  if (node === undefined || !ts.isImportDeclaration(node)) return false;
  const clause = node.importClause;
  return (
    clause?.name === undefined &&
    clause?.namedBindings !== undefined &&
    ts.isNamedImports(clause.namedBindings)
  );
}

const namesOf = (node: ImportOfNames): readonly ts.ImportSpecifier[] =>
  node.importClause.namedBindings.elements;

const idOf = (specifier: ts.ImportSpecifier): string => specifier.getText().replaceAll(/\s+/g, ' ');

/** Whether an import has a comment of its own between its tokens. */
const hasComments = (node: ts.Node): boolean =>
  /\/[/*]/.test(tokensOf(node).replaceAll(/"[^"\n]*"|'[^'\n]*'/g, ''));

/**
 * Merges the imports from one module in up to three versions. The text is undefined where no name
 * is left; the whole is undefined where one of them imports more than names.
 */
export function mergeImports(
  base: ts.Node | undefined,
  ours: ts.Node | undefined,
  theirs: ts.Node | undefined,
): { readonly text: string | undefined } | undefined {
  const frame = ours ?? theirs;
  if (!isImportOfNames(frame)) return undefined;
  if ([base, ours, theirs].some((node) => node !== undefined && !isImportOfNames(node))) {
    return undefined;
  }
  // Comments between the names stay only where these are merged one by one.
  if (base && ours && theirs && hasComments(ours)) return undefined;
  const [baseNames, ourNames, theirNames] = [base, ours, theirs].map((node) =>
    isImportOfNames(node) ? namesOf(node).map(idOf) : [],
  ) as [string[], string[], string[]];
  // Where both sides add a name at one place, that on disk comes first.
  const isOwn = (name: string): boolean => !baseNames.includes(name) && !theirNames.includes(name);
  const names = ourNames.filter((name) => !baseNames.includes(name) || theirNames.includes(name));
  for (const [index, name] of theirNames.entries()) {
    if (baseNames.includes(name) || names.includes(name)) continue;
    const previous = theirNames.slice(0, index).findLast((other) => names.includes(other));
    let place = previous === undefined ? 0 : names.indexOf(previous) + 1;
    while (place < names.length && isOwn(names[place] ?? '')) place++;
    names.splice(place, 0, name);
  }
  if (names.length === 0) return { text: undefined };
  return { text: withNames(frame, names) };
}

/** The import with these names in its braces; where they are the same, as it is. */
export function withNames(node: ImportOfNames, names: readonly string[]): string {
  const text = node.getText();
  const own = namesOf(node).map(idOf);
  if (own.length === names.length && own.every((name, index) => name === names[index])) return text;
  const bindings = node.importClause.namedBindings;
  const start = bindings.getStart() - node.getStart();
  const end = bindings.end - node.getStart();
  return `${text.slice(0, start)}{ ${names.join(', ')} }${text.slice(end)}`;
}
