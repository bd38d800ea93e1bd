/** Definitions as one file: the keys of the service, and `collections:` with a map of them. */
import { readKeys } from '../reading/records.ts';
import { areKnown, checkParts, failedResult, readFile } from './check.ts';
import type { ParseOptions } from './folder.ts';
import { deepFreeze } from './deep-freeze.ts';
import { Issues } from '../reading/issues.ts';
import { SINGLE_KEYS } from './keys.ts';
import type { Part } from './part.ts';
import { plainDefinitions } from './plain-definitions.ts';
import { checkSeeds } from './seeds.ts';
import { splitFile } from './split.ts';
import type { DefinitionResult } from './types.ts';
import type { SourceFile } from '../reading/position.ts';

/** Reads a whole service from one file, YAML or JSON, and splits it into the folder layout. */
export async function parseSingleFile(
  file: SourceFile,
  options: ParseOptions,
): Promise<DefinitionResult> {
  const issues = new Issues();
  const read = readFile(file, 'collections:', issues);
  if (read === undefined) return failedResult(issues);
  const { seeds, ...keys } = readKeys(read.tree, SINGLE_KEYS, 'the service', issues);
  const service = { ...keys, ...(seeds && { seeds: { ...seeds, value: true } }) };
  const collections = (service.collections?.value ?? []).map(({ name, at, value }): Part => ({
    outer: { value: name, at },
    tree: value,
    inMap: true,
  }));
  const checked = await checkParts(
    {
      service,
      collections,
      complete: true,
      rolesKnown: areKnown(read.tree, service, 'roles'),
      versionsKnown: areKnown(read.tree, service, 'versions', 'retired'),
      ...options,
    },
    issues,
  );
  if (checked !== undefined) checkSeeds(seeds?.value ?? [], checked, issues);
  if (checked === undefined || issues.count > 0) return failedResult(issues);
  const { files, seeds: seedFiles } = splitFile(read.source, checked.name);
  const plain = plainDefinitions(read.tree, collections);
  return deepFreeze({ ok: true, service: checked, files, seeds: seedFiles, plain });
}
