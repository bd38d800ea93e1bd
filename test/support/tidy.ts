/** The rules of `ARCHITECTURE.md` for a file of `src/`: what its stage may import and use. */
import { isBuiltin } from 'node:module';
import path from 'node:path';

import { ts } from 'ts-morph';

import { TYPE_NAMES } from '../../src/types/registry.ts';

export interface Stage {
  /** The other stages that it may import. */
  readonly imports: readonly string[];
  /** Built-in modules, without `node:`. */
  readonly builtins?: readonly string[];
  readonly packages?: readonly string[];
  /** Names of the process, the clock and the network. */
  readonly globals?: readonly string[];
}

const TYPES = ['shared', 'reading', 'types'];
const DEFINITION_AND_MODEL = [...TYPES, 'expressions', 'definition', 'model'];

/** Each folder and loose file of `src/`, after those that it imports. What is not listed is not allowed. */
export const STAGES: Readonly<Record<string, Stage>> = {
  shared: { imports: [], builtins: ['crypto', 'path'] },
  reading: { imports: [], packages: ['yaml'] },
  types: {
    imports: ['shared', 'reading'],
    builtins: ['net'],
    packages: ['@eslint-community/regexpp'],
  },
  expressions: { imports: TYPES },
  definition: {
    imports: [...TYPES, 'expressions'],
    packages: ['@eslint-community/regexpp', 'pluralize', 'yaml'],
  },
  model: { imports: [...TYPES, 'expressions', 'definition'] },
  migration: { imports: DEFINITION_AND_MODEL, builtins: ['crypto'] },
  compatibility: {
    imports: ['reading', 'types', 'expressions', 'definition', 'model'],
    packages: ['yaml'],
  },
  render: {
    imports: ['shared', 'types', 'expressions', 'definition', 'model', 'migration'],
    packages: ['handlebars', 'oxfmt'],
  },
  plan: { imports: ['shared', 'types', 'model', 'render'] },
  merge: {
    imports: ['render'],
    builtins: ['path', 'util'],
    packages: ['jsonc-parser', 'node-diff3', 'ts-morph', 'yaml'],
  },
  update: {
    imports: ['merge', 'migration', 'model', 'shared', 'types'],
    builtins: ['crypto', 'path'],
    packages: ['node-diff3', 'ts-morph'],
  },
  disk: {
    imports: ['reading', 'render', 'shared', 'update'],
    builtins: ['crypto', 'fs', 'module', 'path', 'url'],
    // Prettier is that of the project: its path is computed.
    packages: ['yaml', '(computed)'],
    globals: ['Date.now'],
  },
  database: { imports: ['shared', 'model'], builtins: ['crypto', 'module', 'path'] },
  import: {
    imports: [...TYPES, 'expressions', 'definition', 'compatibility', 'database'],
    builtins: ['path'],
  },
  'import-openapi': {
    imports: ['shared', 'reading', 'types', 'definition', 'model', 'compatibility', 'import'],
  },
  reimport: {
    imports: ['shared', 'reading', 'expressions', 'definition', 'compatibility', 'import'],
    builtins: ['util'],
    packages: ['yaml'],
  },
  verification: {
    imports: ['shared', 'types', 'definition', 'model', 'database'],
    builtins: ['timers/promises'],
    globals: ['fetch', 'setTimeout'],
  },
  tasks: {
    imports: ['shared'],
    builtins: ['fs/promises', 'net', 'path', 'timers/promises'],
    packages: ['execa'],
    globals: ['fetch', 'setTimeout'],
  },
  project: {
    imports: [
      ...['definition', 'model', 'migration', 'compatibility', 'render', 'plan', 'reading'],
      ...['update', 'disk', 'shared'],
    ],
    builtins: ['crypto', 'module', 'path'],
    // A module of emitted services that the tool uses, too.
    packages: ['templates/service/src/platform/database/empty-pglite.ts'],
  },
  commands: {
    imports: [
      ...[
        'expressions',
        'definition',
        'model',
        'migration',
        'compatibility',
        'plan',
        'render',
        'merge',
        'update',
      ],
      ...[
        'disk',
        'database',
        'import',
        'import-openapi',
        'reimport',
        'verification',
        'project',
        'reading',
        'shared',
      ],
    ],
    builtins: ['path'],
    globals: ['new Date()', 'setImmediate'],
  },
  cli: {
    imports: [
      ...['definition', 'model', 'update', 'disk', 'tasks', 'project', 'commands', 'reading'],
      'shared',
    ],
    builtins: ['crypto', 'fs', 'os', 'path', 'util'],
    packages: ['@clack/prompts', 'yargs'],
    globals: ['process', 'performance', 'setInterval', 'clearInterval'],
  },
  'public.d.ts': { imports: [] },
  'api.ts': { imports: ['definition', 'disk', 'project', 'public.d.ts', 'reading'] },
};

const GLOBALS = new Set([
  ...[
    'process',
    'console',
    'globalThis',
    'global',
    'fetch',
    'WebSocket',
    'XMLHttpRequest',
    'Worker',
  ],
  ...['performance', 'crypto', 'require', 'eval', 'Function', 'setTimeout', 'clearTimeout'],
  ...['setInterval', 'clearInterval', 'setImmediate', 'clearImmediate', 'queueMicrotask'],
]);

const parsed = new Map<string, ts.SourceFile>();
/** Parses a file, once: each permission of a stage is tried on all of its files. */
function parse(file: string, text: string): ts.SourceFile {
  const known = parsed.get(file);
  if (known?.text === text) return known;
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  parsed.set(file, source);
  return source;
}

/** The stage of a file: its folder in `src/`, or its own name. */
const stageOf = (file: string): string => file.split('/')[1] ?? '';

/**
 * What a file breaks.
 * @param file from the root of the repository: `src/model/build.ts`.
 * @param stage what is allowed; by default that of its folder.
 * @returns a sentence for each breach.
 */
export function breachesOf(
  file: string,
  text: string,
  stage = Object.hasOwn(STAGES, stageOf(file)) ? STAGES[stageOf(file)] : undefined,
): readonly string[] {
  const name = stageOf(file);
  if (stage === undefined)
    return [`${name} is no stage: add it to STAGES, with what it may import`];
  const begin = /^(#!.*\n)?\/\*\*/.test(text) ? [] : ['begins without a doc comment'];
  return [...begin, ...checksOf(file, parse(file, text)).flatMap((check) => check(stage))];
}

/** Gives the breaches of one place in a file, for a stage. */
type Check = (stage: Stage) => readonly string[];

const checks = new WeakMap<ts.SourceFile, readonly Check[]>();

/** Walks a file, once: what depends on the stage is left to the checks. */
function checksOf(file: string, source: ts.SourceFile): readonly Check[] {
  const known = checks.get(source);
  if (known !== undefined) return known;
  const name = stageOf(file);
  const found: Check[] = [];
  const isShadowed = shadowsIn(source);
  const records = recordsIn(source);
  const visit = (node: ts.Node): void => {
    const module = moduleOf(node);
    if (module !== undefined) found.push((stage) => importBreach(file, name, stage, module));
    if (name !== 'types' && isSwitchOverTypes(node)) {
      found.push(() => ['has a switch with a default over a field type: say it in src/types/']);
    }
    const lookup = lookupOf(node, records);
    if (lookup !== undefined) {
      found.push(() => [
        `looks up ${lookup}, which may be a name that objects inherit: use ownMember`,
      ]);
    }
    const used = globalOf(node);
    if (used !== undefined && !isShadowed(used, node)) {
      found.push((stage) =>
        stage.globals?.includes(used) === true ? [] : [`${name} uses ${used}`],
      );
    }
    node.forEachChild(visit);
  };
  visit(source);
  checks.set(source, found);
  return found;
}

/**
 * The names that more than one file exports: a reader who searches for one would find another.
 * @param texts the texts of the files, by their paths. What a file exports of another is not its own.
 */
export function sharedNames(texts: ReadonlyMap<string, string>): readonly string[] {
  const files = new Map<string, string[]>();
  for (const [file, text] of texts) {
    for (const name of exportedNames(parse(file, text))) {
      files.set(name, [...(files.get(name) ?? []), file]);
    }
  }
  return [...files]
    .filter(([, all]) => all.length > 1)
    .map(([name, all]) => `${name}: ${all.join(', ')}`);
}

/** The names that a file declares and exports. */
function exportedNames(source: ts.SourceFile): ReadonlySet<string> {
  const names = source.statements.flatMap((statement): readonly string[] => {
    const modifiers = ts.canHaveModifiers(statement) ? (ts.getModifiers(statement) ?? []) : [];
    if (!modifiers.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword)) return [];
    if (ts.isVariableStatement(statement)) {
      return statement.declarationList.declarations.map(({ name }) => name.getText(source));
    }
    const { name } = statement as ts.DeclarationStatement;
    return name === undefined ? [] : [name.text];
  });
  // Overloads have one name.
  return new Set(names);
}

/**
 * The files that take part in circles of imports: each file needs the values of the next. Imports of
 * types do not count, because they are gone when the code runs.
 * @param texts the texts of the files, by their paths from the root of the repository.
 * @returns the strongly connected components of the import graph that have more than one file, or a
 * file that imports itself.
 */
export function filesInCircles(texts: ReadonlyMap<string, string>): readonly (readonly string[])[] {
  const imports = new Map(
    [...texts].map(([file, text]) => {
      const modules = valueImports(parse(file, text)).filter((module) => module.startsWith('.'));
      const folder = path.posix.dirname(file);
      return [file, modules.map((module) => path.posix.join(folder, module))] as const;
    }),
  );
  return stronglyConnected(imports).filter(
    ([file = '', ...others]) => others.length > 0 || imports.get(file)?.includes(file) === true,
  );
}

/** Tarjan's algorithm: the strongly connected components of a graph, each sorted. */
function stronglyConnected(
  graph: ReadonlyMap<string, readonly string[]>,
): readonly (readonly string[])[] {
  const components: (readonly string[])[] = [];
  const indexes = new Map<string, number>();
  const stack: string[] = [];
  const visit = (node: string): number => {
    const index = indexes.size;
    let lowest = index;
    indexes.set(node, index);
    stack.push(node);
    for (const next of graph.get(node) ?? []) {
      if (!graph.has(next)) continue;
      const visited = indexes.get(next);
      if (visited === undefined) lowest = Math.min(lowest, visit(next));
      else if (stack.includes(next)) lowest = Math.min(lowest, visited);
    }
    if (lowest === index) components.push(stack.splice(stack.indexOf(node)).toSorted());
    return lowest;
  };
  for (const node of graph.keys()) if (!indexes.has(node)) visit(node);
  return components;
}

/** The modules that a file imports or exports values of; those that it loads by `import()` come later. */
function valueImports(source: ts.SourceFile): readonly string[] {
  return source.statements.flatMap((statement) => {
    const isImport = ts.isImportDeclaration(statement);
    if (!isImport && !ts.isExportDeclaration(statement)) return [];
    const clause = isImport ? statement.importClause : statement;
    const named = isImport ? statement.importClause?.namedBindings : statement.exportClause;
    const names =
      named !== undefined && (ts.isNamedImports(named) || ts.isNamedExports(named))
        ? named.elements
        : undefined;
    const hasDefault = isImport && statement.importClause?.name !== undefined;
    const isOfTypes =
      clause?.isTypeOnly === true ||
      (!hasDefault && names !== undefined && names.every(({ isTypeOnly }) => isTypeOnly));
    const { moduleSpecifier: module } = statement;
    return !isOfTypes && module !== undefined && ts.isStringLiteral(module) ? [module.text] : [];
  });
}

/** The variables and parameters that a file declares as records, by their names. */
function recordsIn(source: ts.SourceFile): ReadonlySet<string> {
  const names = new Set<string>();
  const visit = (node: ts.Node): void => {
    const isDeclaration = ts.isVariableDeclaration(node) || ts.isParameter(node);
    if (
      isDeclaration &&
      ts.isIdentifier(node.name) &&
      /^(?:\w+<)*Record<string,/.test(node.type?.getText() ?? '')
    ) {
      names.add(node.name.text);
    }
    node.forEachChild(visit);
  };
  visit(source);
  return names;
}

/** A member that is read from a record, or looked for in an object, by a computed name. */
function lookupOf(node: ts.Node, records: ReadonlySet<string>): string | undefined {
  if (ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.InKeyword) {
    return ts.isStringLiteralLike(node.left) || ts.isPrivateIdentifier(node.left)
      ? undefined
      : node.getText();
  }
  if (!ts.isElementAccessExpression(node) || !ts.isIdentifier(node.expression)) return undefined;
  if (!records.has(node.expression.text) || ts.isStringLiteralLike(node.argumentExpression)) {
    return undefined;
  }
  const { parent } = node;
  const isWritten =
    ts.isDeleteExpression(parent) ||
    (ts.isBinaryExpression(parent) &&
      parent.left === node &&
      parent.operatorToken.kind === ts.SyntaxKind.EqualsToken);
  const guard = `Object.hasOwn(${node.expression.text}, ${node.argumentExpression.getText()})`;
  const isGuarded = ts.isConditionalExpression(parent) && parent.condition.getText() === guard;
  return isWritten || isGuarded ? undefined : node.getText();
}

/** The scopes in which a variable or parameter hides a global, by its name. */
function shadowsIn(source: ts.SourceFile): (name: string, node: ts.Node) => boolean {
  const scopes: (readonly [name: string, scope: ts.Node])[] = [];
  const visit = (node: ts.Node): void => {
    const isDeclaration =
      ts.isVariableDeclaration(node) || ts.isParameter(node) || ts.isBindingElement(node);
    if (isDeclaration && ts.isIdentifier(node.name)) {
      const scope = ts.findAncestor(node, (one) => ts.isFunctionLike(one) || ts.isBlock(one));
      scopes.push([node.name.text, scope ?? source]);
    }
    node.forEachChild(visit);
  };
  visit(source);
  return (name, node) =>
    scopes.some(([one, scope]) => one === name && scope.pos <= node.pos && node.end <= scope.end);
}

/**
 * A `switch` over the name of a field type that has a `default`: the compiler would not point at it when
 * a type is added.
 */
function isSwitchOverTypes(node: ts.Node): boolean {
  if (!ts.isSwitchStatement(node)) return false;
  const { clauses } = node.caseBlock;
  const names = clauses.filter(ts.isCaseClause).map(({ expression }) => expression);
  return (
    clauses.some(ts.isDefaultClause) &&
    names.every((name) => ts.isStringLiteral(name) && TYPE_NAMES.some((type) => type === name.text))
  );
}

/** The module that an import, an export or `import()` names. */
function moduleOf(node: ts.Node): string | undefined {
  const specifier =
    ts.isImportDeclaration(node) || ts.isExportDeclaration(node)
      ? node.moduleSpecifier
      : ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword
        ? node.arguments[0]
        : ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)
          ? node.argument.literal
          : undefined;
  if (specifier === undefined) return undefined;
  return ts.isStringLiteralLike(specifier) ? specifier.text : '(computed)';
}

function importBreach(file: string, name: string, stage: Stage, module: string): string[] {
  if (module.startsWith('.')) {
    const imported = path.posix.join(path.posix.dirname(file), module);
    const isOwn = imported.startsWith('src/');
    const target = isOwn ? stageOf(imported) : imported;
    const allowed = isOwn ? [name, ...stage.imports] : (stage.packages ?? []);
    return allowed.includes(target) ? [] : [`${name} imports ${target}`];
  }
  if (isBuiltin(module)) {
    if (!module.startsWith('node:')) return [`write node:${module}`];
    const isAllowed = stage.builtins?.includes(module.slice('node:'.length)) === true;
    return isAllowed ? [] : [`${name} imports ${module}`];
  }
  return stage.packages?.includes(module) === true ? [] : [`${name} imports ${module}`];
}

/** The global that an expression uses: of dates and random numbers, what depends on the moment. */
function globalOf(node: ts.Node): string | undefined {
  if (!ts.isIdentifier(node)) return undefined;
  const { parent, text } = node;
  const isName =
    (ts.isPropertyAccessExpression(parent) && parent.name === node) ||
    ((ts.isPropertyAssignment(parent) ||
      ts.isPropertySignature(parent) ||
      ts.isMethodDeclaration(parent)) &&
      parent.name === node);
  if (isName || ts.isTypeReferenceNode(parent)) return undefined;
  if (text === 'Date') return momentOf(parent);
  if (text === 'Math') return parent.getText() === 'Math.random' ? 'Math.random' : undefined;
  return GLOBALS.has(text) ? text : undefined;
}

/** What reads the clock: all uses of `Date` but those of a given time. */
function momentOf(use: ts.Node): string | undefined {
  if (ts.isNewExpression(use) && (use.arguments?.length ?? 0) > 0) return undefined;
  const text = use.getText();
  if (text === 'Date.parse' || text === 'Date.UTC') return undefined;
  return ts.isNewExpression(use) ? 'new Date()' : text;
}
