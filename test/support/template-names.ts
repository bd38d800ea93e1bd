/**
 * Checks the names in a Handlebars template against the TypeScript type of its view: strict mode misses those in
 * `#if`, in arguments of helpers, and in branches that no test renders.
 */
import Handlebars from 'handlebars';
import { Node } from 'ts-morph';
import type { Type } from 'ts-morph';

/** The result for one template. */
export interface TemplateNames {
  /** What is wrong, each with its line. */
  readonly breaches: readonly string[];
  /** The members of views that the template uses, by `keyOf` their declaration. */
  readonly used: ReadonlySet<string>;
}

/** The type of a value; undefined if it is unknown, because of a breach or a literal. */
type Value = Type | undefined;

/** The context of a block: the innermost frame is the last. */
interface Frame {
  readonly value: Value;
  /** Whether the frame is one of `#each`, which sets `@index` and its like. */
  readonly isEach: boolean;
}

/** The blocks that templates use. */
const BLOCKS: ReadonlySet<string> = new Set(['if', 'unless', 'each', 'with']);
const EACH_DATA: ReadonlySet<string> = new Set(['index', 'key', 'first', 'last']);

/** Names a declaration: its file and where it begins. */
export const keyOf = (declaration: Node): string =>
  `${declaration.getSourceFile().getFilePath()}:${declaration.getStart()}`;

/**
 * Checks one template.
 * @param view the type of what fills it in.
 * @param helpers the type of the object of helpers.
 * @param place a node of the program that the types are of.
 */
export function templateNames(
  template: string,
  view: Type,
  helpers: Type,
  place: Node,
): TemplateNames {
  const breaches: string[] = [];
  const used = new Set<string>();
  const report = ({ loc }: hbs.AST.Node, what: string): undefined => {
    breaches.push(`line ${loc.start.line}: ${what}`);
  };

  /** The type of a member; undefined, and a breach, if there is none. */
  const member = (of: Type, name: string, node: hbs.AST.PathExpression): Value => {
    const type = of.getNonNullableType();
    if (type.isAny()) return report(node, `${node.original}: the type before ${name} is any`);
    const property = type.getApparentProperty(name);
    if (property === undefined) {
      return report(node, `${node.original}: ${nameOf(type)} has no ${name}`);
    }
    for (const declaration of property.getDeclarations()) used.add(keyOf(declaration));
    return property.getTypeAtLocation(place);
  };

  const lookUp = (path: hbs.AST.PathExpression, frames: readonly Frame[]): Value => {
    if (path.data) {
      const [name = ''] = path.parts;
      if (!EACH_DATA.has(name) || !frames.some(({ isEach }) => isEach)) {
        return report(path, `@${name} is not set here`);
      }
      return undefined;
    }
    const frame = frames.at(-1 - path.depth);
    if (frame === undefined) return report(path, `${path.original} leaves the template`);
    return path.parts.reduce<Value>(
      (value, name) => (value === undefined ? undefined : member(value, name, path)),
      frame.value,
    );
  };

  /** A call of a helper of ours: its name, and the number and types of its arguments. */
  const call = (
    { path, params, hash }: hbs.AST.MustacheStatement | hbs.AST.SubExpression,
    frames: readonly Frame[],
  ): Value => {
    const values = params.map((one) => evaluate(one, frames));
    for (const pair of hash?.pairs ?? []) evaluate(pair.value, frames);
    const name = (path as hbs.AST.PathExpression).original;
    const [signature] =
      helpers.getProperty(name)?.getTypeAtLocation(place).getCallSignatures() ?? [];
    if (signature === undefined) return report(path, `there is no helper ${name}`);
    const parameters = signature.getParameters();
    if (parameters.at(-1)?.getDeclarations().some(isRest) !== true) {
      if (values.length !== parameters.length) {
        report(path, `${name} takes ${parameters.length} arguments, and not ${values.length}`);
      }
      for (const [at, parameter] of parameters.entries()) {
        const [value, type] = [values[at], parameter.getTypeAtLocation(place)];
        if (value !== undefined && !value.getNonNullableType().isAssignableTo(type)) {
          report(path, `${name} takes ${type.getText()}, and not ${nameOf(value)}`);
        }
      }
    }
    return signature.getReturnType();
  };

  const evaluate = (expression: hbs.AST.Expression, frames: readonly Frame[]): Value => {
    if (isPath(expression)) return lookUp(expression, frames);
    if (expression.type === 'SubExpression') {
      return call(expression as hbs.AST.SubExpression, frames);
    }
    return undefined;
  };

  const block = (statement: hbs.AST.BlockStatement, frames: readonly Frame[]): void => {
    const { path, params, program, inverse } = statement;
    const name = path.original;
    const [subject] = params;
    if (typeof name !== 'string' || !BLOCKS.has(name) || subject === undefined) {
      report(path, `there is no block ${path.original}`);
      return;
    }
    const value = evaluate(subject, frames);
    const inner =
      name === 'each'
        ? [...frames, { value: elementOf(value, subject, report), isEach: true }]
        : name === 'with'
          ? [...frames, { value: value?.getNonNullableType(), isEach: false }]
          : frames;
    walk(program, inner);
    if (inverse !== undefined && inverse !== null) walk(inverse, frames);
  };

  const print = (statement: hbs.AST.MustacheStatement, frames: readonly Frame[]): void => {
    const { path, params } = statement;
    if (!isPath(path)) return;
    const isHelper = path.parts.length === 1 && helpers.getProperty(path.original) !== undefined;
    if (params.length > 0 || isHelper) {
      call(statement, frames);
      return;
    }
    const value = lookUp(path, frames)?.getNonNullableType();
    if (value?.isObject() === true)
      report(path, `${path.original} is ${nameOf(value)}, and no text`);
  };

  const walk = (program: hbs.AST.Program, frames: readonly Frame[]): void => {
    for (const statement of program.body) {
      if (statement.type === 'BlockStatement') {
        block(statement as hbs.AST.BlockStatement, frames);
      } else if (statement.type === 'MustacheStatement') {
        print(statement as hbs.AST.MustacheStatement, frames);
      } else if (statement.type !== 'ContentStatement' && statement.type !== 'CommentStatement') {
        report(statement, `${statement.type} is not checked`);
      }
    }
  };

  walk(Handlebars.parse(template), [{ value: view, isEach: false }]);
  return { breaches, used };
}

const isRest = (parameter: Node): boolean =>
  Node.isParameterDeclaration(parameter) && parameter.isRestParameter();

const isPath = (node: hbs.AST.Node): node is hbs.AST.PathExpression =>
  node.type === 'PathExpression';

/** The type of what `#each` repeats over. */
function elementOf(
  value: Value,
  subject: hbs.AST.Expression,
  report: (node: hbs.AST.Node, what: string) => undefined,
): Value {
  const type = value?.getNonNullableType();
  if (type === undefined) return undefined;
  const element = type.getArrayElementType() ?? type.getStringIndexType();
  return element ?? report(subject, `#each of ${nameOf(type)}, which is no list`);
}

const nameOf = (type: Type): string =>
  (type.getAliasSymbol() ?? type.getSymbol())?.getName().replace('__type', 'the object') ??
  type.getText();

/** The members that a view declares, with those of what it is made of. @param isOwn whether a declaration counts. */
export function membersOf(
  view: Type,
  place: Node,
  isOwn: (declaration: Node) => boolean,
): ReadonlyMap<string, string> {
  const members = new Map<string, string>();
  const seen = new Set<Type['compilerType']>();
  const visit = (type: Type): void => {
    const of = type.getNonNullableType();
    const element = of.getArrayElementType() ?? of.getStringIndexType();
    if (element !== undefined) return visit(element);
    if (of.isUnion()) return of.getUnionTypes().forEach(visit);
    if (!of.isObject() || seen.has(of.compilerType)) return;
    seen.add(of.compilerType);
    for (const property of of.getProperties()) {
      const own = property.getDeclarations().filter(isOwn);
      for (const declaration of own)
        members.set(keyOf(declaration), `${nameOf(of)}.${property.getName()}`);
      if (own.length > 0) visit(property.getTypeAtLocation(place));
    }
  };
  visit(view);
  return members;
}
