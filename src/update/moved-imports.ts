/**
 * Imports of files that this run moves: `importRewriter` makes the function that lets a text import
 * them from where they are now.
 */
import path from 'node:path';

import { isImportingFile } from '../shared/imports.ts';
import { inStyleOf } from './resolve-file.ts';
import type { ResolveTools, Write } from './resolve-file.ts';
import { hashOf } from './text.ts';
import type { DiskFile, ManifestEntry, Outcome, RewriteImports } from './types.ts';

/**
 * @param moves new paths of files by their old ones, relative to the project.
 * @returns undefined where nothing moves. The parser is loaded only where something does.
 */
export async function importRewriter(
  moves: ReadonlyMap<string, string>,
): Promise<RewriteImports | undefined> {
  if (moves.size === 0) return undefined;
  const { ts } = await import('ts-morph');
  return (text, from, to = from) => {
    if (!isImportingFile(from) || !/['"]\.{1,2}\//.test(text)) return text;
    const { importedFiles } = ts.preProcessFile(text, true, true);
    let rewritten = '';
    let end = 0;
    for (const { fileName, pos } of importedFiles.toSorted((one, other) => one.pos - other.pos)) {
      // The position is that of the quote. An escape within makes the text another one.
      const start = pos + 1;
      const isPlain = text.slice(start, start + fileName.length) === fileName;
      if (!isPlain || start < end) continue;
      rewritten += text.slice(end, start) + moved(fileName, from, to, moves);
      end = start + fileName.length;
    }
    return rewritten + text.slice(end);
  };
}

/** What an import says now. */
function moved(
  specifier: string,
  from: string,
  to: string,
  moves: ReadonlyMap<string, string>,
): string {
  if (!/^\.{1,2}\//.test(specifier)) return specifier;
  const target = path.posix.join(path.posix.dirname(from), specifier);
  const now = moves.get(target) ?? target;
  if (from === to && now === target) return specifier;
  const relative = path.posix.relative(path.posix.dirname(to), now);
  return relative.startsWith('.') ? relative : `./${relative}`;
}

/** The files of a project that are the team's own, and how to write them. */
interface TeamFiles {
  /** Their paths, relative to the project. */
  readonly paths: readonly string[];
  readonly diskFile: (path: string) => DiskFile;
  readonly tools: ResolveTools;
}

/** Files of the team whose imports this run rewrites. */
interface TeamImports {
  readonly outcomes: readonly Outcome[];
  readonly writes: readonly Write[];
}

/** Rewrites the imports in files of the team that import a file which this run moves. */
export async function rewriteTeamImports({
  paths,
  diskFile,
  tools,
}: TeamFiles): Promise<TeamImports> {
  const outcomes: Outcome[] = [];
  const writes: Write[] = [];
  for (const file of paths) {
    const there = isImportingFile(file) ? diskFile(file) : undefined;
    if (there?.kind !== 'text') continue;
    const { text: before, form } = there;
    const rewritten = tools.rewriteImports?.(before, file) ?? before;
    if (rewritten === before) continue;
    const text = await inStyleOf(before, { path: file, text: rewritten }, tools);
    outcomes.push({ path: file, action: 'imports', before, after: text });
    writes.push({ path: file, text, form });
  }
  return { outcomes, writes };
}

/** The manifest's entries, with the new hash of each file that nobody had edited but this run. */
export const entriesAfter = (
  known: readonly ManifestEntry[],
  { outcomes }: TeamImports,
): readonly ManifestEntry[] => {
  const texts = new Map(outcomes.map((one) => [one.path, one]));
  return known.map((entry) => {
    const { before, after } = texts.get(entry.path) ?? {};
    const isUntouched = before !== undefined && entry.hashes.includes(hashOf(before));
    return isUntouched && after !== undefined
      ? { ...entry, hashes: [...entry.hashes, hashOf(after)] }
      : entry;
  });
};
