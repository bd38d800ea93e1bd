/**
 * Writes the JSON Schemas in schema/ anew, from the table of keys in src/definition/keys.ts.
 * Run it after a change of that table: node scripts/write-schema.mjs
 */
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import { build } from 'esbuild';
import { format, resolveConfig } from 'prettier';

const path = (name) => fileURLToPath(new URL(`../${name}`, import.meta.url));

const result = await build({
  entryPoints: [path('src/definition/schema.ts')],
  bundle: true,
  format: 'esm',
  platform: 'node',
  write: false,
});
const code = Buffer.from(result.outputFiles[0].contents).toString('base64');
const { schemas } = await import(`data:text/javascript;base64,${code}`);
for (const [name, schema] of schemas()) {
  const filepath = path(`schema/${name}`);
  const options = { ...(await resolveConfig(filepath)), filepath };
  writeFileSync(filepath, await format(JSON.stringify(schema), options));
}
