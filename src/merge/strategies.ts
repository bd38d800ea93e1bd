/** Which strategy merges a file. */
import path from 'node:path';

import { mergeJson } from './json.ts';
import { mergeMarkdown } from './markdown.ts';
import { mergePackageJson } from './package-json.ts';
import { mergeLines } from './merge-lines.ts';
import type { LineRules } from './merge-lines.ts';
import { mergeTypeScript } from './typescript-strategy.ts';
import type { MergeResult, MergeSides } from './types.ts';
import { mergeYaml } from './yaml.ts';

/** Merges the texts of a file; the path is relative to the project. */
type MergeStrategy = (versions: MergeSides, path: string) => Promise<MergeResult>;

const lines =
  (rules: LineRules): MergeStrategy =>
  async (versions) =>
    mergeLines(versions, rules);

/** Lists of patterns: each line stands for itself. */
const patterns = lines({ neighbours: 'apart', additions: 'union' });

/** Everything else: Dockerfile, SQL, and files without a strategy of their own. */
const plainLines = lines({ neighbours: 'apart', additions: 'conflict' });

const JSON_LIKE = /^\.(json|jsonc|webmanifest)$/;
const YAML = /^\.ya?ml$/;
const TYPESCRIPT = /^\.[cm]?[jt]sx?$/;
const PATTERNS = /^\.[a-z]+ignore$/;

/** Whether a file is merged by the structure of TypeScript. */
export const isTypeScript = (file: string): boolean => TYPESCRIPT.test(path.posix.extname(file));

/** The merge strategy for a file, by its name. */
export function strategyOf(file: string): MergeStrategy {
  const name = path.posix.basename(file);
  const extension = path.posix.extname(name);
  if (PATTERNS.test(name)) return patterns;
  if (name === 'package.json') return mergePackageJson;
  if (JSON_LIKE.test(extension)) return mergeJson;
  if (YAML.test(extension)) return mergeYaml;
  if (extension === '.md') return mergeMarkdown;
  if (TYPESCRIPT.test(extension)) return mergeTypeScript;
  return plainLines;
}
