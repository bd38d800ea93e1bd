/**
 * Writes what is made from the table of keys in src/definition/keys.ts anew: the JSON Schemas in
 * schema/, and docs/definitions.md. Run it after a change of that table, or of a type: npm run reference
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';

import { build } from 'esbuild';
import { format, resolveConfig } from 'prettier';

const path = (name) => fileURLToPath(new URL(`../${name}`, import.meta.url));

const { schemas } = await load('src/definition/schema.ts');
const { definitionReference } = await load('src/definition/reference.ts');
// Editors read them, and people docs/definitions.md: laid out they would be a tenth of the package.
for (const [name, schema] of schemas()) {
  writeFileSync(path(`schema/${name}`), `${JSON.stringify(schema)}\n`);
}
await write('docs/definitions.md', definitionReference());

/** A module of the tool, as it runs. */
async function load(name) {
  const result = await build({
    entryPoints: [path(name)],
    bundle: true,
    format: 'esm',
    platform: 'node',
    write: false,
  });
  const code = Buffer.from(result.outputFiles[0].contents).toString('base64');
  return import(`data:text/javascript;base64,${code}`);
}

/** Writes a file in the style of this repository. */
async function write(name, text) {
  const filepath = path(name);
  const options = { ...(await resolveConfig(filepath)), filepath };
  mkdirSync(dirname(filepath), { recursive: true });
  writeFileSync(filepath, await format(text, options));
}
