/**
 * Imports that a merge lost: one side dropped a name with its last use, and the other side uses it
 * where the first cannot know.
 */
import { ts } from 'ts-morph';

import { isImportOfNames, withNames } from './imports.ts';
import { keyOf } from './keys.ts';
import { importedNames, unknownNames } from './names.ts';
import type { Imported } from './names.ts';

/** The merged text, with the imports of either side that it uses and does not have. */
export function restoreImports(merged: ts.SourceFile, sides: readonly ts.SourceFile[]): string {
  const unknown = unknownNames(merged);
  const lost = new Map<string, Imported>();
  for (const side of sides) {
    for (const [name, imported] of importedNames(side)) {
      if (unknown.has(name) && !lost.has(name)) lost.set(name, imported);
    }
  }
  let text = merged.text;
  // From the end, so that positions before it stay true.
  const imports = merged.statements.filter((node) => ts.isImportDeclaration(node)).toReversed();
  const added = new Map<ts.ImportDeclaration, string[]>();
  const whole: string[] = [];
  for (const { declaration, specifier } of lost.values()) {
    const id = keyOf(declaration)?.id;
    const home = imports.find((node) => isImportOfNames(node) && keyOf(node)?.id === id);
    if (specifier === undefined || !isImportOfNames(declaration)) whole.push(declaration.getText());
    else if (home === undefined) whole.push(withNames(declaration, [specifier.getText()]));
    else added.set(home, [...(added.get(home) ?? []), specifier.getText()]);
  }
  const end = imports[0]?.end ?? merged.getFullStart();
  if (whole.length > 0) {
    const lines = [...new Set(whole)].join('\n');
    text = `${text.slice(0, end)}\n${lines}${text.slice(end)}`;
  }
  for (const declaration of imports) {
    const names = added.get(declaration);
    if (names === undefined || !isImportOfNames(declaration)) continue;
    const own = declaration.importClause.namedBindings.elements.map((node) => node.getText());
    const line = withNames(declaration, [...own, ...names]);
    text = text.slice(0, declaration.getStart()) + line + text.slice(declaration.end);
  }
  return text;
}
