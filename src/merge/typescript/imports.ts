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

/** The specifiers of an import, each with its blanks made one. */
export const specifiersOf = (node: ImportOfNames): readonly string[] =>
  node.importClause.namedBindings.elements.map(idOf);

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
    isImportOfNames(node) ? [...specifiersOf(node)] : [],
  ) as [string[], string[], string[]];
  // Where both sides add a name at one place, that on disk comes first.
  const isOwn = (name: string): boolean => !baseNames.includes(name) && !theirNames.includes(name);
  const names = ourNames.filter((name) => !baseNames.includes(name) || theirNames.includes(name));
  for (const name of theirNames) {
    if (!baseNames.includes(name) && !names.includes(name)) {
      insertName(names, name, theirNames, isOwn);
    }
  }
  if (names.length === 0) return { text: undefined };
  return { text: withNames(frame, names) };
}

/** Inserts a name after the one that it follows in an order, and after those of the team at that place. */
export function insertName(
  names: string[],
  name: string,
  order: readonly string[],
  isOwn: (name: string) => boolean = () => false,
): void {
  const before = order.slice(0, order.indexOf(name));
  const previous = before.findLast((other) => names.includes(other));
  let place = previous === undefined ? 0 : names.indexOf(previous) + 1;
  while (place < names.length && isOwn(names[place] ?? '')) place++;
  names.splice(place, 0, name);
}

/**
 * The text of a file without second imports of a name from one module. A value can be used as a type, so of an import
 * of the type and one of the value, the value stays.
 */
export function withoutRepeatedImports(file: ts.SourceFile): string {
  const kept = new Map<string, ts.ImportSpecifier>();
  const repeated = new Set<ts.ImportSpecifier>();
  const imports = file.statements.filter((node) => isImportOfNames(node));
  for (const node of imports) {
    for (const specifier of node.importClause.namedBindings.elements) {
      const { name, propertyName = name } = specifier;
      const id = [node.moduleSpecifier.getText().slice(1, -1), propertyName.text, name.text].join(
        ' ',
      );
      const first = kept.get(id);
      const isFirstKept = first === undefined || !isOfType(first) || isOfType(specifier);
      if (first !== undefined) repeated.add(isFirstKept ? specifier : first);
      if (first === undefined || !isFirstKept) kept.set(id, specifier);
    }
  }
  let { text } = file;
  for (const node of imports.toReversed()) {
    const { elements } = node.importClause.namedBindings;
    const left = elements.filter((specifier) => !repeated.has(specifier));
    if (left.length === elements.length) continue;
    const line = left.length === 0 ? '' : withNames(node, left.map(idOf));
    // The line of an import without names goes whole.
    const end = line === '' && text[node.end] === '\n' ? node.end + 1 : node.end;
    text = text.slice(0, node.getStart()) + line + text.slice(end);
  }
  return text;
}

const isOfType = (node: ts.ImportSpecifier): boolean =>
  node.isTypeOnly || node.parent.parent.phaseModifier === ts.SyntaxKind.TypeKeyword;

/** The import with these names in its braces; where they are the same, as it is. */
export function withNames(node: ImportOfNames, names: readonly string[]): string {
  const text = node.getText();
  const own = specifiersOf(node);
  if (own.length === names.length && own.every((name, index) => name === names[index])) return text;
  const bindings = node.importClause.namedBindings;
  const start = bindings.getStart() - node.getStart();
  const end = bindings.end - node.getStart();
  return `${text.slice(0, start)}{ ${names.join(', ')} }${text.slice(end)}`;
}
