/** Definitions of this repository, read as the tool reads them. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { formatIssue, parseFolder, parseSingleFile } from '../../../src/definition/index.ts';
import type { ServiceDefinition } from '../../../src/definition/types.ts';
import type { SourceFile } from '../../../src/reading/position.ts';
import { ROOT } from './project.ts';

/** Reads a file or folder of definitions that are known to be right. */
export async function readDefinitions(from: string): Promise<ServiceDefinition> {
  const path = join(ROOT, from);
  const source = (file: string): SourceFile => ({ path: file, bytes: readFileSync(file) });
  const folder = join(path, 'collections');
  const options = { fallbackName: 'service' };
  const result = existsSync(folder)
    ? await parseFolder(
        [
          source(join(path, 'service.yaml')),
          ...readdirSync(folder).map((name) => source(join(folder, name))),
        ],
        options,
      )
    : await parseSingleFile(source(path), options);
  if (!result.ok) throw new Error(result.issues.map(formatIssue).join('\n'));
  return result.service;
}
