/** Whether a generated piece that is no longer in its place was removed, or is there under another name or elsewhere. */
import { ts } from 'ts-morph';

import { keyOf } from './keys.ts';
import { importedNames } from './names.ts';
import { tokensOf } from './tokens.ts';

/** Whether two named elements are equal but for their names: the team has renamed one. */
export function isRenamed(old: ts.Node, node: ts.Node): boolean {
  const value = valueOf(old);
  return old.kind === node.kind && value !== '' && value === valueOf(node);
}

/** The tokens of an element without its name; empty where it has none, or nothing else. */
function valueOf(node: ts.Node): string {
  const { name } = node as { readonly name?: ts.Node };
  if (name === undefined) return '';
  const parts: string[] = [];
  ts.forEachChild(node, (child) => {
    if (child !== name) parts.push(tokensOf(child));
  });
  return parts.join('\n');
}

/** Whether a file has a statement in another place: within a block, or imported from where it was moved to. */
export function isElsewhere(old: ts.Node, file: ts.SourceFile): boolean {
  if (!ts.isStatement(old)) return false;
  if (tokensOf(file).includes(tokensOf(old))) return true;
  const names = declaredNames(old);
  const imported = importedNames(file);
  if (names.length > 0) return names.every((name) => imported.has(name));
  const id = keyOf(old)?.id;
  const isSameCall = (node: ts.Node): boolean =>
    (ts.isExpressionStatement(node) && keyOf(node)?.id === id) ||
    ts.forEachChild(node, (child) => isSameCall(child) || undefined) === true;
  return id !== undefined && ts.isExpressionStatement(old) && isSameCall(file);
}

function declaredNames(node: ts.Statement): readonly string[] {
  const named = ts.isVariableStatement(node) ? node.declarationList.declarations : [node];
  return named.flatMap((one) => {
    const { name } = one as { readonly name?: ts.Node };
    return name !== undefined && ts.isIdentifier(name) ? [name.text] : [];
  });
}
