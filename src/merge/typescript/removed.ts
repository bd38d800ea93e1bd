/** Whether a generated piece that is no longer in its place was removed, or is there in another form or elsewhere. */
import { ts } from 'ts-morph';

import { keyOf } from './keys.ts';
import { importedNames } from './names.ts';
import { TOKEN_SEPARATOR, tokensOf } from './tokens.ts';

/**
 * Whether the team has edited one element into another: both declare the same name, or they are equal but for their
 * name, or for one other place that is the smaller part of both. A statement that has another one beside it which
 * declares its names cannot be written again: they would be declared twice.
 */
export function isReplacedBy(old: ts.Node, node: ts.Node): boolean {
  if (old.kind !== node.kind) return false;
  const value = valueOf(old);
  if (value !== '' && value === valueOf(node)) return true;
  // A type in the place of another in a union.
  if (ts.isTypeNode(old)) return true;
  if (!ts.isStatement(old) || !ts.isStatement(node)) return false;
  const names = declaredNames(node);
  return (
    declaredNames(old).some((name) => names.includes(name)) ||
    differInOnePlace(tokensOf(old).split(TOKEN_SEPARATOR), tokensOf(node).split(TOKEN_SEPARATOR))
  );
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

/** Whether two lists of tokens have the same ones before and after one place, and more of these than others. */
function differInOnePlace(one: readonly string[], other: readonly string[]): boolean {
  const shorter = Math.min(one.length, other.length);
  let before = 0;
  while (before < shorter && one[before] === other[before]) before++;
  let after = 0;
  while (after < shorter - before && one.at(-1 - after) === other.at(-1 - after)) after++;
  return (before + after) * 2 > Math.max(one.length, other.length);
}

/** Whether a file has a statement in another place: within a block, or imported from where it was moved to. */
export function isMovedElsewhere(old: ts.Node, file: ts.SourceFile): boolean {
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
  const namesIn = (one: ts.Node): readonly string[] => {
    const { name } = one as { readonly name?: ts.Node };
    if (name === undefined) return [];
    if (ts.isIdentifier(name)) return [name.text];
    return ts.isObjectBindingPattern(name) || ts.isArrayBindingPattern(name)
      ? name.elements.flatMap(namesIn)
      : [];
  };
  return (ts.isVariableStatement(node) ? node.declarationList.declarations : [node]).flatMap(
    namesIn,
  );
}
