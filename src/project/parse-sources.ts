/** Parses definitions that a command was given, as one file or as a folder. */
import path from 'node:path';

import { parseFolder, parseSingleFile, withSeeds } from '../definition/index.ts';
import type { DefinitionResult } from '../definition/types.ts';
import { DEFINITIONS } from '../disk/definitions.ts';
import type { DefinitionSources } from '../disk/definitions.ts';

/** @param fallbackName names the service if its definitions do not. */
export const parseSources = async (
  sources: DefinitionSources,
  fallbackName: string,
): Promise<DefinitionResult> => {
  if (sources.kind === 'file') return parseSingleFile(sources.file, { fallbackName });
  const definitions = await parseFolder(sources.files, { fallbackName });
  return definitions.ok ? withSeeds(definitions, sources.seeds) : definitions;
};

/** The name of a file without its extension, or of a folder; of `definitions/`, that of its parent. */
export function nameFromPath(from: string): string {
  const { name, dir } = path.parse(from);
  return name === DEFINITIONS ? path.basename(dir) : name;
}
