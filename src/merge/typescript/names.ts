/** Names in a file: which are imported, declared and used, and which stand twice. */
import { ts } from 'ts-morph';

import { keyOf } from './keys.ts';

interface Imported {
  readonly declaration: ts.ImportDeclaration;
  /** Undefined for a default import or a namespace. */
  readonly specifier: ts.ImportSpecifier | undefined;
}

/** What a file imports, by the name that it has there. */
export function importedNames(file: ts.SourceFile): Map<string, Imported> {
  const names = new Map<string, Imported>();
  for (const declaration of file.statements.filter((node) => ts.isImportDeclaration(node))) {
    const { importClause: clause } = declaration;
    if (clause?.name !== undefined) {
      names.set(clause.name.text, { declaration, specifier: undefined });
    }
    const bindings = clause?.namedBindings;
    if (bindings === undefined) continue;
    if (ts.isNamespaceImport(bindings)) {
      names.set(bindings.name.text, { declaration, specifier: undefined });
    } else {
      for (const specifier of bindings.elements) {
        names.set(specifier.name.text, { declaration, specifier });
      }
    }
  }
  return names;
}

/** The names that a file uses and neither imports nor declares, globals included. */
export function unknownNames(file: ts.SourceFile): Set<string> {
  const declared = new Set(importedNames(file).keys());
  const used = new Set<string>();
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node)) return;
    if (ts.isIdentifier(node)) {
      if (isDeclared(node)) declared.add(node.text);
      else if (isUsed(node)) used.add(node.text);
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return new Set([...used].filter((name) => !declared.has(name)));
}

/** Where a file uses names, outside of its imports. */
export function usesOf(file: ts.SourceFile, names: readonly string[]): readonly ts.Node[] {
  const uses: ts.Node[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node)) return;
    if (ts.isIdentifier(node) && names.includes(node.text) && isUsed(node)) uses.push(node);
    ts.forEachChild(node, visit);
  };
  visit(file);
  return uses;
}

/** Whether an identifier is the name of a variable, a function, a type or a parameter. */
function isDeclared(node: ts.Identifier): boolean {
  const { parent } = node;
  return (
    (ts.isVariableDeclaration(parent) ||
      ts.isBindingElement(parent) ||
      ts.isParameter(parent) ||
      ts.isFunctionLike(parent) ||
      ts.isClassLike(parent) ||
      ts.isInterfaceDeclaration(parent) ||
      ts.isTypeAliasDeclaration(parent) ||
      ts.isTypeParameterDeclaration(parent) ||
      ts.isEnumDeclaration(parent) ||
      ts.isModuleDeclaration(parent)) &&
    parent.name === node &&
    !ts.isClassElement(parent) &&
    !ts.isTypeElement(parent)
  );
}

/** Whether an identifier refers to what has its name, and is not itself the name of something. */
export const isReference = (node: ts.Identifier): boolean => isUsed(node) && !isDeclared(node);

/** Whether an identifier is looked up: not the name of a member. */
function isUsed(node: ts.Identifier): boolean {
  const { parent } = node;
  if (ts.isPropertyAccessExpression(parent)) return parent.expression === node;
  if (ts.isQualifiedName(parent)) return parent.left === node;
  if (ts.isBindingElement(parent)) return parent.propertyName !== node;
  if (ts.isShorthandPropertyAssignment(parent)) return true;
  if (ts.isObjectLiteralElement(parent) || ts.isClassElement(parent) || ts.isTypeElement(parent)) {
    return parent.name !== node;
  }
  if (ts.isEnumMember(parent)) return parent.name !== node;
  return !ts.isLabeledStatement(parent) && !ts.isBreakOrContinueStatement(parent);
}

interface Duplicate {
  readonly label: string;
  readonly node: ts.Node;
}

/** What stands twice where it may stand once, by a text that tells it: members, declarations, routes. */
export function duplicatesIn(file: ts.SourceFile): Map<string, Duplicate> {
  const found = new Map<string, Duplicate>();
  const once = (seen: Set<string>, id: string, label: string, node: ts.Node): void => {
    if (seen.has(id)) found.set(id, { label, node });
    seen.add(id);
  };
  const visitList = (nodes: ts.NodeArray<ts.Node>): void => {
    const seen = new Set<string>();
    for (const node of nodes) {
      visit(node);
      const key = ts.isImportSpecifier(node) ? undefined : keyOf(node);
      if (key?.isUnique === true) once(seen, key.id, key.label, node);
    }
  };
  const visit = (node: ts.Node): void => {
    ts.forEachChild(node, visit, visitList);
  };
  visitList(file.statements);

  // A name may be imported once, and not be declared beside that.
  const seen = new Set<string>();
  for (const declaration of file.statements) {
    if (ts.isImportDeclaration(declaration)) {
      for (const name of localNames(declaration))
        once(seen, `name ${name}`, `\`${name}\``, declaration);
    }
  }
  for (const statement of file.statements) {
    for (const name of declaredNames(statement)) {
      if (seen.has(`name ${name}`)) {
        found.set(`name ${name}`, { label: `\`${name}\``, node: statement });
      }
    }
  }
  return found;
}

function localNames(declaration: ts.ImportDeclaration): string[] {
  const { importClause: clause } = declaration;
  const bindings = clause?.namedBindings;
  const names = clause?.name === undefined ? [] : [clause.name.text];
  if (bindings === undefined) return names;
  if (ts.isNamespaceImport(bindings)) return [...names, bindings.name.text];
  return [...names, ...bindings.elements.map(({ name }) => name.text)];
}

function declaredNames(statement: ts.Statement): string[] {
  if (ts.isVariableStatement(statement)) {
    return statement.declarationList.declarations.map(({ name }) => name.getText());
  }
  const isNamed =
    ts.isFunctionDeclaration(statement) ||
    ts.isClassDeclaration(statement) ||
    ts.isInterfaceDeclaration(statement) ||
    ts.isTypeAliasDeclaration(statement) ||
    ts.isEnumDeclaration(statement);
  return isNamed && statement.name !== undefined ? [statement.name.text] : [];
}
