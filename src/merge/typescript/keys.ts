/** What makes an element of a list the same one in another version of the file. */
import { ts } from 'ts-morph';

import { tokensOf } from './tokens.ts';

/** Methods that register a route by its path: the same path twice does not start. */
const ROUTE = /^(get|head|post|put|patch|delete|options|all)$/;

export interface ElementKey {
  /** Equal for the same element in every version. */
  readonly id: string;
  /** How to call it in a sentence. */
  readonly label: string;
  /** Whether a list may have one element of the key only. */
  readonly isUnique: boolean;
}

const key = (id: string, label: string, isUnique = true): ElementKey => ({ id, label, isUnique });

/** The key of an element; undefined where it has none but its own text. */
export function keyOf(node: ts.Node): ElementKey | undefined {
  if (ts.isImportDeclaration(node)) return importKey(node);
  if (ts.isExportDeclaration(node)) {
    const from =
      node.moduleSpecifier === undefined ? '' : ` from ${node.moduleSpecifier.getText()}`;
    return key(`export${node.isTypeOnly ? ' type' : ''}${from}`, `the exports${from}`, false);
  }
  if (ts.isExportAssignment(node)) return key('export default', 'the default export');
  if (ts.isVariableStatement(node)) {
    const { declarations } = node.declarationList;
    const names = declarations.map(({ name }) => name.getText()).join(', ');
    // What is taken out of one value is one statement, whatever its names.
    const isTaken = declarations.some(({ name }) => !ts.isIdentifier(name));
    const ids = declarations.map(({ name, initializer }) =>
      ts.isIdentifier(name) || initializer === undefined
        ? name.getText()
        : `${ts.SyntaxKind[name.kind]} ${tokensOf(initializer)}`,
    );
    return key(`value ${ids.join(', ')}`, quoted(names), !isTaken);
  }
  if (ts.isFunctionDeclaration(node)) {
    // Overloads share a name.
    return named('value', node.name, node.body !== undefined);
  }
  if (ts.isClassDeclaration(node) || ts.isEnumDeclaration(node)) return named('value', node.name);
  if (ts.isInterfaceDeclaration(node)) return named('type', node.name, false);
  if (ts.isTypeAliasDeclaration(node)) return named('type', node.name);
  if (ts.isModuleDeclaration(node)) return named('module', node.name, false);
  if (ts.isImportSpecifier(node) || ts.isExportSpecifier(node)) {
    const original = node.propertyName?.getText() ?? node.name.getText();
    return key(`${original} as ${node.name.getText()}`, quoted(node.name.getText()));
  }
  if (ts.isParameter(node) || ts.isBindingElement(node)) {
    return key(`name ${node.name.getText()}`, quoted(node.name.getText()));
  }
  if (ts.isExpressionStatement(node)) return callKey(node.expression);
  if (ts.isConstructorDeclaration(node)) return key('constructor', 'the constructor', false);
  if (ts.isGetAccessor(node)) return member('get', node);
  if (ts.isSetAccessor(node)) return member('set', node);
  if (ts.isMethodDeclaration(node)) return member('', node, node.body !== undefined);
  if (ts.isMethodSignature(node)) return member('', node, false);
  if (ts.isCaseClause(node)) return key(`case ${tokensOf(node.expression)}`, 'the case');
  if (ts.isDefaultClause(node)) return key('default', 'the default case');
  if (ts.isClassElement(node) || ts.isTypeElement(node) || ts.isObjectLiteralElement(node)) {
    return member('', node);
  }
  if (ts.isEnumMember(node)) return key(memberName(node.name), quoted(node.name.getText()));
  return undefined;
}

/** A sort of element: those without a key are taken for each other by it, in their order. */
export function elementKind(node: ts.Node): string {
  if (ts.isIfStatement(node)) return `if ${tokensOf(node.expression)}`;
  if (ts.isExpressionStatement(node)) {
    const { expression } = node;
    const inner = ts.isAwaitExpression(expression) ? expression.expression : expression;
    if (ts.isCallExpression(inner)) return `call ${tokensOf(inner.expression)}`;
    if (ts.isBinaryExpression(inner)) return `assign ${tokensOf(inner.left)}`;
  }
  const call = ts.isAwaitExpression(node) ? node.expression : node;
  if (ts.isCallExpression(call)) return `call ${tokensOf(call.expression)}`;
  return ts.SyntaxKind[node.kind];
}

const quoted = (name: string): string => `\`${name.replaceAll(/\s+/g, ' ')}\``;

function named(space: string, name: ts.Node | undefined, isUnique = true): ElementKey {
  const text = name?.getText() ?? 'default';
  return key(`${space} ${text}`, quoted(text), isUnique);
}

/** Imports of types stand apart; so do those of a namespace, which cannot have named ones beside. */
function importKey(node: ts.ImportDeclaration): ElementKey {
  const module = node.moduleSpecifier.getText().slice(1, -1);
  const clause = node.importClause;
  const bindings = clause?.namedBindings;
  const sort =
    clause === undefined
      ? 'effect'
      : bindings !== undefined && ts.isNamespaceImport(bindings)
        ? `all as ${bindings.name.text}`
        : clause.phaseModifier === ts.SyntaxKind.TypeKeyword
          ? 'types'
          : 'names';
  return key(`import ${sort} ${module}`, `the import from '${module}'`, sort !== 'effect');
}

/** A call that is a statement, by what it calls and the text that it is given first. */
function callKey(expression: ts.Expression): ElementKey | undefined {
  const call = ts.isAwaitExpression(expression) ? expression.expression : expression;
  if (!ts.isCallExpression(call)) return undefined;
  const [first] = call.arguments;
  if (first === undefined || !ts.isStringLiteralLike(first)) return undefined;
  const callee = call.expression;
  const isRoute = isRouteCallee(callee);
  return key(
    `call ${tokensOf(callee)} ${first.text}`,
    quoted(`${callee.getText()}('${first.text}')`),
    isRoute && first.text.startsWith('/'),
  );
}

const isRouteCallee = (callee: ts.Expression): boolean =>
  ts.isPropertyAccessExpression(callee) && ROUTE.test(callee.name.text);

/** Whether a statement registers a route: `app.get(path, …)`, whatever the path. */
export const isRouteCall = (
  node: ts.Node,
): node is ts.ExpressionStatement & { readonly expression: ts.CallExpression } =>
  ts.isExpressionStatement(node) &&
  ts.isCallExpression(node.expression) &&
  isRouteCallee(node.expression.expression);

function member(
  prefix: string,
  node: ts.Node & { readonly name?: ts.PropertyName | undefined },
  isUnique = true,
): ElementKey | undefined {
  if (node.name === undefined) return undefined;
  const isStatic =
    ts.canHaveModifiers(node) &&
    ts.getModifiers(node)?.some(({ kind }) => kind === ts.SyntaxKind.StaticKeyword) === true;
  const text = memberName(node.name);
  return key(`member ${isStatic ? 'static ' : ''}${prefix} ${text}`, quoted(text), isUnique);
}

const memberName = (name: ts.PropertyName): string =>
  ts.isStringLiteralLike(name) || ts.isNumericLiteral(name) ? name.text : name.getText();
