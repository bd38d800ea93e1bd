/**
 * Writes the OpenAPI document to `openapi.json`, to generate clients from it or to review its
 * changes.
 */
import { writeFile } from 'node:fs/promises';

import { buildClosedApp } from './app.ts';
import { readConfig } from './config.ts';
import { openDatabase } from './platform/database/open.ts';
import { CURRENT_VERSION, VERSIONS } from './platform/http/versions.ts';
import { documentOf } from './platform/openapi/documents.ts';

// Nothing is asked of the database, so none has to run.
const config = readConfig({
  ...process.env,
  DATABASE_URL: 'postgresql://localhost',
  REDIS_URL: undefined,
  LOG_LEVEL: 'silent',
});
const database = await openDatabase(config);
const app = await buildClosedApp(config, database);
await app.ready();
for (const version of VERSIONS) {
  const file = version === CURRENT_VERSION ? 'openapi.json' : `openapi.v${version}.json`;
  const document = documentOf(app, `/api/v${version}`, version);
  await writeFile(file, `${JSON.stringify(document, undefined, 2)}\n`);
  console.error(`Wrote ${file}.`);
}
await app.close();
await database.close();
