/**
 * Writes the OpenAPI document to `openapi.json`, for those who generate clients from it or review
 * what changes; that of an older version to `openapi.v1.json` and the like.
 */
import { writeFile } from 'node:fs/promises';

import { CURRENT_VERSION, VERSIONS } from '../http/versions.ts';
import { documentOf } from './document.ts';

for (const version of VERSIONS) {
  const file = version === CURRENT_VERSION ? 'openapi.json' : `openapi.v${version}.json`;
  const document = documentOf({
    version,
    base: `/api/v${version}`,
    publicUrl: process.env['PUBLIC_URL'] ?? '',
  });
  await writeFile(file, `${JSON.stringify(document, undefined, 2)}\n`);
  console.error(`Wrote ${file}.`);
}
