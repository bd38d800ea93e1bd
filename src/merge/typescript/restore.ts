/**
 * Imports that a merge lost: one side dropped a name with its last use, and the other side uses it
 * where the first cannot know.
 */
import { ts } from 'ts-morph';

import { insertName, isImportOfNames, specifiersOf, withNames } from './imports.ts';
import { keyOf } from './keys.ts';
import { importedNames, unknownNames } from './names.ts';

/** Names that a merge lost, by the import that a side has of them. */
type LostImports = ReadonlyMap<ts.ImportDeclaration, readonly string[]>;

/** The merged text, with the imports that it lost. */
export function restoreImports(merged: ts.SourceFile, lost: LostImports): string {
  // From the end, so that positions before it stay true.
  const imports = merged.statements.filter((node) => ts.isImportDeclaration(node)).toReversed();
  const added = new Map<ts.ImportDeclaration, { names: string[]; order: readonly string[] }>();
  const missing: string[] = [];
  for (const [declaration, names] of lost) {
    const id = keyOf(declaration)?.id;
    const home = imports.find((node) => isImportOfNames(node) && keyOf(node)?.id === id);
    if (!isImportOfNames(declaration)) missing.push(declaration.getText());
    else if (home === undefined) missing.push(withNames(declaration, names));
    else {
      const order = [...(added.get(home)?.order ?? []), ...specifiersOf(declaration)];
      added.set(home, { names: [...(added.get(home)?.names ?? []), ...names], order });
    }
  }
  let { text } = merged;
  if (missing.length > 0) {
    const end = imports[0]?.end ?? 0;
    const lines = missing.join('\n');
    text = end === 0 ? `${lines}\n${text}` : `${text.slice(0, end)}\n${lines}${text.slice(end)}`;
  }
  for (const declaration of imports) {
    const lostHere = added.get(declaration);
    if (lostHere === undefined || !isImportOfNames(declaration)) continue;
    const names = [...specifiersOf(declaration)];
    for (const name of lostHere.names) insertName(names, name, lostHere.order);
    const line = withNames(declaration, names);
    text = text.slice(0, declaration.getStart()) + line + text.slice(declaration.end);
  }
  return text;
}

/** The names that were lost, by an import of them. A name that a side itself uses without an import is its own affair. */
export function lostImports(merged: ts.SourceFile, sides: readonly ts.SourceFile[]): LostImports {
  const unknown = unknownNames(merged);
  for (const side of sides) for (const name of unknownNames(side)) unknown.delete(name);
  const lost = new Map<ts.ImportDeclaration, string[]>();
  for (const side of sides) {
    for (const [name, { declaration, specifier }] of importedNames(side)) {
      if (!unknown.delete(name)) continue;
      const names = lost.get(declaration) ?? [];
      lost.set(declaration, [...names, ...(specifier === undefined ? [] : [specifier.getText()])]);
    }
  }
  return lost;
}
