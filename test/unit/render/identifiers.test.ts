/**
 * Collections and references may have any name: what is made of it never stands for anything that
 * the same file declares, imports or takes from the language.
 */
import { ts } from 'ts-morph';
import { beforeAll, expect, test } from 'vitest';

import { renderProject } from '../../../src/project/render-project.ts';
import { namesOf } from '../../../src/model/names.ts';
import { NPM } from '../../../src/shared/package-manager.ts';
import { lines, single } from '../definition/support.ts';

const SERVICE = `
name: savanna
roles: [keeper]
versions: [1, 2]
collections:
  quaggas: { fields: { name: { type: string, unique: true } }, sort: [name], permissions: { read: owner } }
  zebras:
    fields:
      name: { type: string, required: true, unique: true, immutable: true, name_in: { 1: title } }
      stripes: { type: integer, type_in: { 1: { type: list, of: { type: string } } } }
      born_at: { type: timestamp, default: now }
      place: { type: object, properties: { at: { type: list, of: integer } } }
      quagga_id: { type: reference, to: quaggas, required: true, nested: true, on_delete: cascade }
      keeper_id: { type: reference, to: users, nested: true, on_delete: clear }
    sort: [name, born_at]
    filter: [name, quagga_id]
    search: [name]
    include: [quagga_id]
    unique: [[name, stripes]]
    create: background
    require_if_match: true
    permissions: { read: owner, create: [keeper], update: [keeper, owner] }
`;

/** The same over an existing table, whose ids consist of the values of fields. */
const EXISTING = `
name: savanna
schema: service
versions: [1, 2]
collections:
  quaggas: { table: quagga, history: {}, soft_delete: { column: gone }, fields: { name: { type: string } } }
  zebras:
    table: zebra
    events: true
    history: {}
    key: { fields: [quagga_id, name] }
    soft_delete: { column: gone }
    fields:
      quagga_id: { type: reference, to: quaggas, required: true, immutable: true, nested: true }
      name: { type: string, required: true, immutable: true, name_in: { 1: title } }
      born_at: { type: timestamp }
    include: [quagga_id]
`;

/** The TypeScript files of a service, parsed. */
async function parsed(text: string): Promise<readonly ts.SourceFile[]> {
  const definitions = await single(text);
  if (!definitions.ok) throw new Error(lines(definitions).join('\n'));
  const files = await renderProject(definitions, { tool: '0.0.0', manager: NPM });
  return files
    .filter((file) => /^(?:src|test)\/.*\.ts$/.test(file.path))
    .map((file) => ts.createSourceFile(file.path, file.text, ts.ScriptTarget.Latest, true));
}

/** All names that a file binds or refers to, without those of members. */
function identifiersIn(file: ts.SourceFile): ReadonlySet<string> {
  const found = new Set<string>();
  const visit = (node: ts.Node): void => {
    if (ts.isIdentifier(node) && !isMember(node)) found.add(node.text);
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

function isMember(node: ts.Identifier): boolean {
  const { parent } = node;
  if (ts.isBindingElement(parent)) return parent.propertyName === node;
  const named =
    ts.isPropertyAccessExpression(parent) ||
    ts.isPropertyAssignment(parent) ||
    ts.isPropertySignature(parent) ||
    ts.isMethodSignature(parent) ||
    ts.isMethodDeclaration(parent);
  return named && parent.name === node;
}

const snakeCase = (name: string): string =>
  name
    .replace(/^[A-Z]/, (letter) => letter.toLowerCase())
    .replace(/[A-Z]/g, '_$&')
    .toLowerCase();

let files: readonly ts.SourceFile[];
beforeAll(async () => {
  files = await parsed(SERVICE);
}, 60_000);

test('no type or function of a collection has the name of another one', async () => {
  // `createZebra` beside `createOnce`: then a collection of the singular `once` needs another type.
  const words = new Set<string>();
  for (const file of [...files, ...(await parsed(EXISTING))]) {
    const all = [...identifiersIn(file)];
    for (const own of all.filter((name) => name.includes('Zebra'))) {
      const form = new RegExp(`^${own.replace('Zebra', '([A-Z][A-Za-z0-9]*)')}$`);
      for (const name of all) words.add(form.exec(name)?.[1] ?? 'Zebra');
    }
  }
  // Nobody may call a collection `users` or `jobs`, or spells one `a_p_i`.
  const isAllowed = (word: string): boolean =>
    !/zebra|quagga|^User$|^Job$/i.test(word) && !/^[A-Z]{2}/.test(word);
  const names = [...words].filter(isAllowed);
  expect(names.length).toBeGreaterThan(20);
  const free = names.filter((word) => {
    const singular = snakeCase(word);
    return namesOf(`${singular}s`, singular).type === word;
  });
  expect(free).toEqual([]);
});

/** The words that are no names of variables in a module. */
const RESERVED = Array.from(
  { length: ts.SyntaxKind.LastFutureReservedWord - ts.SyntaxKind.FirstReservedWord + 1 },
  (_, at) => ts.tokenToString(ts.SyntaxKind.FirstReservedWord + at)!,
).filter((word) => !['null', 'true', 'false'].includes(word));

test('an item may be called like a word of the language, or like what is done with it', async () => {
  const verbs = new Set(
    files.flatMap((file) =>
      [...identifiersIn(file)].flatMap((name) => /^([a-z]+)Zebras?$/.exec(name)?.[1] ?? []),
    ),
  );
  expect([...verbs]).toEqual(expect.arrayContaining(['create', 'find', 'list', 'update']));
  const words = new Set([...RESERVED, 'await', 'arguments', 'eval', ...verbs]);
  const collections = Array.from(words, (word) => {
    const fields = 'fields: { name: { type: string, name_in: { 1: title } } }';
    return `  ${word}s: { singular: ${word}, events: true, ${fields}, sort: [name] }`;
  });
  for (const versions of ['[1]', '[1, 2]']) {
    const service = [`name: verbs`, `versions: ${versions}`, 'collections:', ...collections];
    const text = service.join('\n');
    const named = versions === '[1]' ? text.replaceAll(', name_in: { 1: title }', '') : text;
    for (const file of await parsed(named)) {
      const bound = boundIn(file);
      const twice = bound.filter((name, at) => bound.indexOf(name) !== at);
      expect([file.fileName, ...twice]).toEqual([file.fileName]);
    }
  }
});

/** The names that a file imports, and those of its functions and constants. */
function boundIn({ statements }: ts.SourceFile): string[] {
  return statements.flatMap((statement): string[] => {
    if (ts.isImportDeclaration(statement)) {
      const bindings = statement.importClause?.namedBindings;
      return bindings !== undefined && ts.isNamedImports(bindings)
        ? bindings.elements.map((element) => element.name.text)
        : [];
    }
    if (ts.isFunctionDeclaration(statement)) return statement.body ? [statement.name!.text] : [];
    if (!ts.isVariableStatement(statement)) return [];
    return statement.declarationList.declarations.flatMap(({ name }) =>
      ts.isIdentifier(name) ? [name.text] : [],
    );
  });
}
