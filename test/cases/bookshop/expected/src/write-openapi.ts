/**
 * Writes the OpenAPI document to `openapi.json`, to generate clients from it or to review its
 * changes.
 */
import { writeFile } from 'node:fs/promises';

import { buildClosedApp } from './app.ts';
import { loadConfig } from './config.ts';
import { openDatabase } from './platform/database/open.ts';
import { CURRENT_VERSION, VERSIONS } from './platform/service.ts';
import { errorText } from './platform/log.ts';
import { documentOf } from './platform/openapi/documents.ts';

/** The document depends on no database, so none is connected to. */
const OVERRIDES = {
  DATABASE_URL: 'postgresql://localhost',
  LOG_LEVEL: 'silent',
};

try {
  const config = loadConfig(OVERRIDES);
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
} catch (error) {
  console.error(`No document was written. ${errorText(error)}`);
  process.exitCode = 1;
}
