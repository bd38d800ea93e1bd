/**
 * Emitted files import only what other emitted files export, and nothing that they do not use. Views compute many
 * imports, and a wrong one would show no earlier than when an emitted project compiles.
 */
import { isBuiltin } from 'node:module';
import path from 'node:path';

import { ts } from 'ts-morph';
import { expect, test } from 'vitest';

import { render } from '../../../src/api.ts';
import { sourcesIn } from '../../support/sources.ts';

type Files = ReadonlyMap<string, string>;

/** What relative imports and exports of emitted files name, and the files do not export. */
function missingExports(files: Files): readonly string[] {
  const exports = new Map<string, ReadonlySet<string>>();
  const exportsOf = (file: string): ReadonlySet<string> => {
    const names = exports.get(file) ?? exportedBy(parse(file, files), exportsOf);
    exports.set(file, names);
    return names;
  };
  return [...files.keys()]
    .filter((file) => file.endsWith('.ts'))
    .flatMap((file) =>
      relativeModules(parse(file, files)).flatMap(({ module, names }) => {
        if (!files.has(module)) return [`${file}: there is no ${module}`];
        return names
          .filter((name) => !exportsOf(module).has(name))
          .map((name) => `${file}: ${module} does not export ${name}`);
      }),
    );
}

const parsed = new Map<string, ts.SourceFile>();
/** Parses a file. Most are the same in each project, and each is asked for several times. */
function parse(file: string, files: Files): ts.SourceFile {
  const text = files.get(file) ?? '';
  const source = parsed.get(file);
  if (source?.text === text) return source;
  const fresh = ts.createSourceFile(file, text, ts.ScriptTarget.Latest);
  parsed.set(file, fresh);
  return fresh;
}

/** The packages that files import, and `package.json` does not name: end-to-end tests install more than a project asks for. */
function undeclaredPackages(files: Files): readonly string[] {
  const { dependencies, devDependencies } = JSON.parse(files.get('package.json') ?? '{}') as Record<
    'dependencies' | 'devDependencies',
    Readonly<Record<string, string>>
  >;
  const declared = new Set(Object.keys({ ...dependencies, ...devDependencies }));
  return [...files.keys()]
    .filter((file) => file.endsWith('.ts'))
    .flatMap((file) =>
      packagesIn(parse(file, files))
        .filter((name) => !declared.has(name))
        .map((name) => `${file}: ${name}`),
    );
}

/** The packages that a file imports, at its start or when it needs them. */
function packagesIn(source: ts.SourceFile): readonly string[] {
  const names: string[] = [];
  const visit = (node: ts.Node): void => {
    const specifier =
      ts.isImportDeclaration(node) || ts.isExportDeclaration(node)
        ? node.moduleSpecifier
        : ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword
          ? node.arguments[0]
          : undefined;
    if (specifier !== undefined && ts.isStringLiteral(specifier) && isPackage(specifier.text)) {
      names.push(specifier.text.split('/', specifier.text.startsWith('@') ? 2 : 1).join('/'));
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return names;
}

const isPackage = (module: string): boolean => !module.startsWith('.') && !isBuiltin(module);

/** The modules of the project that a file imports or exports from, and the names that it takes from each. */
function relativeModules(
  source: ts.SourceFile,
): readonly { readonly module: string; readonly names: readonly string[] }[] {
  return source.statements.flatMap((statement) => {
    if (!ts.isImportDeclaration(statement) && !ts.isExportDeclaration(statement)) return [];
    const module = moduleOf(source, statement);
    if (module === undefined) return [];
    const names = ts.isImportDeclaration(statement)
      ? importedBy(statement)
      : namesIn(statement.exportClause);
    return [{ module, names }];
  });
}

/** The path of a relative module; undefined for a package, and for an export of the file itself. */
function moduleOf(
  { fileName }: ts.SourceFile,
  { moduleSpecifier }: ts.ImportDeclaration | ts.ExportDeclaration,
): string | undefined {
  if (moduleSpecifier === undefined || !ts.isStringLiteral(moduleSpecifier)) return undefined;
  const { text } = moduleSpecifier;
  return text.startsWith('.') ? path.posix.join(path.posix.dirname(fileName), text) : undefined;
}

const importedBy = ({ importClause }: ts.ImportDeclaration): string[] => [
  ...(importClause?.name === undefined ? [] : ['default']),
  ...namesIn(importClause?.namedBindings),
];

const namesIn = (bindings: ts.NamedImportBindings | ts.NamedExportBindings | undefined): string[] =>
  bindings !== undefined && (ts.isNamedImports(bindings) || ts.isNamedExports(bindings))
    ? bindings.elements.map(({ name, propertyName }) => (propertyName ?? name).text)
    : [];

/** The names that a file exports. @param exportsOf gives those of another file, for `export *`. */
function exportedBy(
  source: ts.SourceFile,
  exportsOf: (file: string) => ReadonlySet<string>,
): ReadonlySet<string> {
  return new Set(
    source.statements.flatMap((statement): readonly string[] => {
      if (ts.isExportAssignment(statement)) return ['default'];
      if (ts.isExportDeclaration(statement)) {
        const { exportClause } = statement;
        if (exportClause === undefined) {
          const module = moduleOf(source, statement);
          return module === undefined ? [] : [...exportsOf(module)];
        }
        return ts.isNamedExports(exportClause)
          ? exportClause.elements.map(({ name }) => name.text)
          : [exportClause.name.text];
      }
      const modifiers = ts.canHaveModifiers(statement) ? (ts.getModifiers(statement) ?? []) : [];
      const has = (kind: ts.SyntaxKind): boolean => modifiers.some((one) => one.kind === kind);
      if (!has(ts.SyntaxKind.ExportKeyword)) return [];
      if (has(ts.SyntaxKind.DefaultKeyword)) return ['default'];
      if (ts.isVariableStatement(statement)) {
        return statement.declarationList.declarations.flatMap(({ name }) => boundBy(name));
      }
      const { name } = statement as ts.DeclarationStatement;
      return name === undefined ? [] : [name.text];
    }),
  );
}

const boundBy = (name: ts.BindingName): string[] =>
  ts.isIdentifier(name)
    ? [name.text]
    : name.elements.flatMap((one) => (ts.isBindingElement(one) ? boundBy(one.name) : []));

/** The names that files import and do not use. */
function unusedImports(files: Files): readonly string[] {
  return [...files.keys()]
    .filter((file) => file.endsWith('.ts'))
    .flatMap((file) => {
      const used = new Set<string>();
      const visit = (node: ts.Node): void => {
        if (ts.isIdentifier(node)) used.add(node.text);
        if (!ts.isImportDeclaration(node)) ts.forEachChild(node, visit);
      };
      const source = parse(file, files);
      visit(source);
      return source.statements
        .filter(ts.isImportDeclaration)
        .flatMap(({ importClause }) => localNames(importClause))
        .filter((name) => !used.has(name))
        .map((name) => `${file}: ${name}`);
    });
}

/** The resources of collections that files use, and neither import nor declare. */
function unknownResources(files: Files): readonly string[] {
  return [...files.keys()]
    .filter((file) => file.endsWith('.ts'))
    .flatMap((file) => {
      const source = parse(file, files);
      const used = new Set<string>();
      const bound = new Set<string>();
      const visit = (node: ts.Node): void => {
        if (ts.isIdentifier(node) && node.text.endsWith('_RESOURCE')) used.add(node.text);
        if (ts.isVariableDeclaration(node)) for (const name of boundBy(node.name)) bound.add(name);
        if (ts.isImportDeclaration(node)) {
          for (const name of localNames(node.importClause)) bound.add(name);
        } else ts.forEachChild(node, visit);
      };
      visit(source);
      return [...used].filter((name) => !bound.has(name)).map((name) => `${file}: ${name}`);
    });
}

/** The names that an import binds. */
function localNames(clause: ts.ImportClause | undefined): string[] {
  const { name, namedBindings } = clause ?? {};
  return [
    ...(name === undefined ? [] : [name.text]),
    ...(namedBindings === undefined
      ? []
      : ts.isNamespaceImport(namedBindings)
        ? [namedBindings.name.text]
        : namedBindings.elements.map((one) => one.name.text)),
  ];
}

test.each([
  'examples/bookshop.yaml',
  'examples/scans.yaml',
  'examples/atlas/definitions',
  'test/cases/minimal/definitions.yaml',
  'test/definitions/everything',
  'test/cases/versions/definitions.yaml',
  'test/cases/permissions/definitions.yaml',
  'test/cases/hostile/definitions.json',
  'test/cases/accept-only/definitions.yaml',
  'test/e2e/definitions/every-input.yaml',
])('files made of %s import only what is exported', async (definitions) => {
  const files = await render(sourcesIn(definitions), { tool: '0.0.0' });
  const byPath = new Map(files.map((file) => [file.path, file.text]));
  expect(byPath.size).toBeGreaterThan(100);
  expect(missingExports(byPath)).toEqual([]);
  expect(unusedImports(byPath)).toEqual([]);
  expect(unknownResources(byPath)).toEqual([]);
  expect(undeclaredPackages(byPath)).toEqual([]);
});

test.each(['nested: true', 'required: false'])(
  'a collection that refers to itself imports its own resource where versions differ (%s)',
  async (option) => {
    const text = `
name: shelf
versions: { 1: {}, 2: {} }
collections:
  parts:
    fields:
      name: { type: string, required: true, name_in: { 1: title } }
      parent_id: { type: reference, to: parts, ${option} }`;
    const files = await render({ path: 'shelf.yaml', text }, { tool: '0.0.0' });
    const byPath = new Map(files.map((file) => [file.path, file.text]));
    expect(byPath.get('src/collections/parts/routes.ts')).toContain('PART_RESOURCE');
    expect(unknownResources(byPath)).toEqual([]);
    expect(unusedImports(byPath)).toEqual([]);
  },
);

test('nor do they import permissions because those of another collection end in the same name', async () => {
  const text = `
name: shelf
collections:
  textbooks: { fields: { title: { type: string } }, permissions: { read: owner } }
  books:
    fields: { title: { type: string }, textbook_id: { type: reference, to: textbooks, nested: true } }
    permissions: { read: public, create: public, update: public, delete: public }`;
  const files = await render({ path: 'shelf.yaml', text }, { tool: '0.0.0' });
  expect(unusedImports(new Map(files.map((file) => [file.path, file.text])))).toEqual([]);
});

test.each(['path', 'accept'])(
  'tests that have no items to send import nothing for them (%s)',
  async (way) => {
    const text = `
name: desk
versioning: ${way}
collections:
  doors: { fields: { open: { type: boolean, required: true, unique: true } } }`;
    const files = await render({ path: 'desk.yaml', text }, { tool: '0.0.0' });
    expect(unusedImports(new Map(files.map((file) => [file.path, file.text])))).toEqual([]);
  },
);

test('the test of other spellings imports what it expects of a default in an object', async () => {
  const text = `
name: shelf
collections:
  books:
    fields:
      loan:
        type: object
        required: true
        properties: { day: { type: date, default: today }, copy: { type: uuid, required: true } }`;
  const files = await render({ path: 'shelf.yaml', text }, { tool: '0.0.0' });
  const books = files.find(({ path: file }) => file === 'test/collections/books.test.ts');
  expect(books?.text).toContain('{ ...full.loan, day: A_DAY, copy: full.loan.copy }');
  expect(books?.text).toContain("import { A_DAY, AN_ID, NO_ID } from '../support/expected.ts'");
});

test('a package that is not declared is found', () => {
  const text = `import fs from 'node:fs';
import { one } from '@scope/one/part';
export * from 'two/part';
await import('three');
import './four.ts';
import 'five';`;
  const files = new Map([
    ['a.ts', text],
    ['package.json', '{ "dependencies": { "five": "1.0.0" }, "devDependencies": {} }'],
  ]);
  expect(undeclaredPackages(files)).toEqual(['a.ts: @scope/one', 'a.ts: two', 'a.ts: three']);
});

test('an import that is not used is found', () => {
  const text = `import one, { two as three, four, type Five } from './x.ts';
import * as six from './y.ts';
const two: Five = four;`;
  expect(unusedImports(new Map([['a.ts', text]]))).toEqual([
    'a.ts: one',
    'a.ts: three',
    'a.ts: six',
  ]);
});

const OTHER = `
export const one = 1, { two } = three;
export function four() {}
export interface Five {}
const six = 6;
export { six as seven };
export * from './more.ts';
export default six;`;

test.each([
  [`import { one, two, four, type Five, seven, eight } from './other.ts';`, []],
  [`import other, { seven as six } from './other.ts'; import * as all from './other.ts';`, []],
  [`import { join } from 'node:path'; import './other.ts';`, []],
  [`import { six } from './other.ts';`, ['a/file.ts: a/other.ts does not export six']],
  [`import type { Six } from './other.ts';`, ['a/file.ts: a/other.ts does not export Six']],
  [`export { six as one } from './other.ts';`, ['a/file.ts: a/other.ts does not export six']],
  [`import more from './more.ts';`, ['a/file.ts: a/more.ts does not export default']],
  [`import { one } from '../other.ts';`, ['a/file.ts: there is no other.ts']],
])('%s', (text, missing) => {
  const files = new Map([
    ['a/file.ts', text],
    ['a/other.ts', OTHER],
    ['a/more.ts', 'export class eight {}'],
  ]);
  expect(missingExports(files)).toEqual(missing);
});
