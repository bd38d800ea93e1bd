/**
 * Bundles the command line and the library into dist/. What is not needed at start is a chunk of its own, loaded
 * when it is asked for: the time to start is the time to read and compile what is loaded.
 */
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync } from 'node:zlib';
import { build, transform } from 'esbuild';
import Handlebars from 'handlebars';

const root = fileURLToPath(new URL('..', import.meta.url));
const dist = path.join(root, 'dist');
/** With `--maps FOLDER`, only source maps are written, and into that folder. */
const MAPS = process.argv[2] === '--maps' ? path.resolve(process.argv[3]) : undefined;

/** Where in its text a part of a template stands, as Handlebars writes it. */
const POSITION = String.raw`\{"line":\d+,"column":\d+\}`;
const PLACE = String.raw`\{"start":${POSITION},"end":${POSITION}\}`;

/** Bundled CommonJS asks for Node's own modules with `require`, which an ES module lacks. */
const REQUIRE =
  "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);";

const { metafile, outputFiles } = await build({
  absWorkingDir: root,
  entryPoints: { cli: 'src/cli/main.ts', index: 'src/api.ts' },
  outdir: dist,
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node20.19',
  minify: true,
  // For `npm run trace`. They are made always, as the names of chunks depend on them.
  sourcemap: 'external',
  // Smaller than with escapes for what is not ASCII.
  charset: 'utf8',
  legalComments: 'none',
  metafile: true,
  write: false,
  chunkNames: '[name]-[hash]',
  plugins: [
    { name: 'precompiled', setup: precompileTemplates },
    { name: 'archived', setup: archiveTemplates },
    { name: 'locales', setup: correctLocales },
  ],
  // A native binding, and a compiler that is seldom needed; they stay dependencies.
  external: ['oxfmt', 'ts-morph'],
  alias: {
    // Without the compiler: templates are compiled ahead.
    handlebars: 'handlebars/dist/cjs/handlebars.runtime.js',
    // Its main file finds its parts in a way that cannot be bundled.
    'jsonc-parser': 'jsonc-parser/lib/esm/main.js',
    // ES modules, of which only what is used is bundled; its main file is CommonJS.
    yaml: path.join(root, 'node_modules/yaml/browser/index.js'),
    'string-width': './src/cli/text-width.ts',
    'human-signals': './src/cli/signal-names.ts',
  },
  banner: { js: REQUIRE },
});
const bundled = outputFiles.map(({ path: file, contents, text }) => ({
  name: path.basename(file),
  // Most files do not use it. An empty line keeps the lines of the source map.
  contents: text.match(/\brequire\b/g)?.length === 1 ? text.replace(REQUIRE, '') : contents,
}));
const isMap = ({ name }) => name.endsWith('.map');
if (MAPS !== undefined) {
  await mkdir(MAPS, { recursive: true });
  const maps = bundled.filter(isMap);
  await Promise.all(
    maps.map(async ({ name, contents }) => writeFile(path.join(MAPS, name), contents)),
  );
  process.exit();
}
const files = [
  ...bundled.filter((output) => !isMap(output)),
  { name: 'templates.br', contents: await templateArchive() },
  { name: 'index.d.ts', contents: await readFile(path.join(root, 'src/public.d.ts')) },
  { name: 'THIRD-PARTY-LICENSES.txt', contents: await licences(metafile) },
  // Only then a registry has this copy: see src/disk/tool-spec.ts.
  ...(process.env.npm_command === 'publish' ? [{ name: 'published', contents: '' }] : []),
];
await mkdir(dist, { recursive: true });
await Promise.all(files.map(replace));
// Chunks of earlier builds go last: a command line that runs meanwhile still finds its own.
const isStale = (name) => !name.startsWith('.') && files.every((file) => file.name !== name);
const stale = (await readdir(dist)).filter(isStale);
await Promise.all(stale.map(async (name) => rm(path.join(dist, name), { force: true })));

/** Has compiled templates read from an archive, in the place of src/render/precompiled.ts. */
function precompileTemplates({ onLoad }) {
  onLoad({ filter: /[/\\]render[/\\]precompiled\.ts$/ }, () => ({
    contents: `
      import { compileFunction } from 'node:vm';
      import { readArchive } from '../disk/templates.ts';

      const archive = {};
      export function compileTemplate(engine, template) {
        if (archive.table === undefined) compileFunction(readArchive()[1], ['archive'])(archive);
        return engine.template(archive.table[template]);
      }`,
    loader: 'js',
    resolveDir: path.join(root, 'src/render'),
  }));
}

/** All templates of Handlebars, compiled, by name: a script that puts them into `archive`. */
async function compiledTemplates() {
  const folder = path.join(root, 'templates');
  const names = await readdir(folder, { recursive: true });
  const entries = names
    .filter((name) => name.endsWith('.hbs'))
    .map(async (name) => {
      const source = await readFile(path.join(folder, name), 'utf8');
      const key = JSON.stringify(name.replaceAll(path.sep, '/'));
      return `${key}: ${precompile(source)}`;
    });
  const table = (await Promise.all(entries)).toSorted().join(',\n');
  const { code } = await transform(`archive.table = {${table}};`, {
    minifyWhitespace: true,
    minifyIdentifiers: true,
    minifySyntax: true,
    charset: 'utf8',
  });
  return code;
}

/** Has the texts of templates read from the archive. */
function archiveTemplates({ onLoad }) {
  onLoad({ filter: /[/\\]disk[/\\]templates\.ts$/ }, () => ({
    contents: `
      import { readFileSync } from 'node:fs';
      import path from 'node:path';
      import { brotliDecompressSync } from 'node:zlib';
      import { packageRoot } from './package.ts';

      let archive;
      export function readArchive() {
        const file = path.join(packageRoot, 'dist/templates.br');
        archive ??= brotliDecompressSync(readFileSync(file)).toString().split(/\\n(.*)/s);
        return archive;
      }
      let texts;
      export function readTemplate(template) {
        texts ??= JSON.parse(readArchive()[0]);
        return texts[template];
      }`,
    loader: 'js',
    resolveDir: path.join(root, 'src/disk'),
  }));
}

/**
 * All templates: the texts of those without Handlebars, by name, in the first line, and then those of Handlebars.
 * Together they are smaller than two archives, because they have much in common.
 */
async function templateArchive() {
  const folder = path.join(root, 'templates');
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const names = entries
    .filter((entry) => entry.isFile() && !entry.name.endsWith('.hbs'))
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)))
    // A stand-in for what its template yields is not emitted (test/cases/cases.test.ts).
    .filter((name) => !existsSync(path.join(folder, `${name}.hbs`)));
  const texts = names.toSorted().map(async (name) => {
    return [name.replaceAll(path.sep, '/'), await readFile(path.join(folder, name), 'utf8')];
  });
  const archive = JSON.stringify(Object.fromEntries(await Promise.all(texts)));
  return brotliCompressSync(`${archive}\n${await compiledTemplates()}`);
}

/** yargs looks for translations beside its own folder: from the bundle that is outside of the package. */
function correctLocales({ onLoad }) {
  onLoad({ filter: /[/\\]yargs[/\\].*[/\\]esm\.mjs$/ }, async ({ path: file }) => ({
    contents: (await readFile(file, 'utf8')).replace(`'../../../locales'`, `'../locales'`),
    loader: 'js',
  }));
}

/** A template as code, without what a third of it says: places in the text, names of helpers, and what old runtimes lack. */
function precompile(source) {
  // Declared as an object, it is the text of one.
  // oxlint-disable-next-line typescript/no-base-to-string
  return (
    String(Handlebars.precompile(source, { noEscape: true, strict: true }))
      .replaceAll(new RegExp(`,"loc":${PLACE}`, 'g'), '')
      .replaceAll(new RegExp(`, ${PLACE} \\)`, 'g'), ')')
      // Only the error for a helper that is not there would read its name.
      .replaceAll(/\{"name":"\w+","hash":/g, '{"hash":')
      // The runtime has one.
      .replaceAll('(container.nullContext || {})', 'container.nullContext')
      .replaceAll(/\) != null \? (?:stack1|helper) : ""\)/g, ') ?? "")')
      .replaceAll(
        /(lookupProperty = container\.lookupProperty) \|\| function[^]*?return undefined\s*\}/g,
        '$1',
      )
  );
}

/** Writes a file so that nobody reads half of it. */
async function replace({ name, contents }) {
  const temporary = path.join(dist, `.${name}.${process.pid}`);
  await writeFile(temporary, contents);
  await rename(temporary, path.join(dist, name));
}

/** The licence of every package that code was bundled of. */
async function licences({ outputs }) {
  const inputs = Object.values(outputs).flatMap((output) =>
    Object.entries(output.inputs).flatMap(([name, { bytesInOutput }]) =>
      bytesInOutput > 0 ? [name] : [],
    ),
  );
  const folders = new Set(
    inputs.flatMap((name) => /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(name)?.[1] ?? []),
  );
  const packages = await Promise.all([...folders].toSorted().map(licenceOf));
  // Many packages have one text, word for word but for its lines, after the notices of their authors.
  const terms = groupBy(packages, ({ text }) => termsOf(text).replaceAll(/\s+/g, ' '));
  const texts = Array.from(terms.values(), (ones) => {
    const notices = groupBy(ones, ({ text }) => text.slice(0, -termsOf(text).length).trim());
    const names = Array.from(notices, ([notice, own]) =>
      [...own.map(({ name }) => name), ...(notice === '' ? [] : ['', notice])].join('\n'),
    );
    const line = '-'.repeat(80);
    return `${line}\n${names.join('\n\n')}\n${line}\n\n${termsOf(ones[0].text)}\n`;
  });
  return `Parts of these packages are in the files beside this one.\n\n${texts.join('\n')}`;
}

/** What a licence says after its title and the notice of its authors: the whole text if it has no such form. */
function termsOf(text) {
  const begin = /^(?:Permission is hereby granted|Permission to use|Redistribution and use)/m;
  return text.slice(Math.max(text.search(begin), 0));
}

async function licenceOf(folder) {
  const { name, version, license } = JSON.parse(
    await readFile(path.join(root, folder, 'package.json'), 'utf8'),
  );
  const file = (await readdir(path.join(root, folder))).find((entry) =>
    /^(licen[cs]e|copying)(\.|-|$)/i.test(entry),
  );
  if (file === undefined) throw new Error(`${name} has no licence file`);
  const text = await readFile(path.join(root, folder, file), 'utf8');
  return { name: `${name} ${version} (${license})`, text: text.trim().replaceAll('\r\n', '\n') };
}

/** `Map.groupBy` of Node 21. */
function groupBy(items, keyOf) {
  const groups = new Map();
  for (const item of items) {
    const key = keyOf(item);
    groups.set(key, [...(groups.get(key) ?? []), item]);
  }
  return groups;
}
