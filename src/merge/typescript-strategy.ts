/**
 * The way of TypeScript: by lines, then by structure. What lines yield is looked at without the
 * compiler first, which is loaded where that leaves a doubt.
 */
import { diffIndices } from 'node-diff3';

import { tryFormat } from './syntax.ts';
import { mergeLines, GIT_RULES } from './merge-lines.ts';
import type { MergeResult, MergeSides } from './types.ts';

/** Merges the three texts of a TypeScript or JavaScript file. */
export async function mergeTypeScript(versions: MergeSides, path: string): Promise<MergeResult> {
  if (versions.prefers !== undefined) {
    const { mergeStructure } = await structure();
    const preferred = mergeStructure(path, versions);
    return preferred.kind === 'merged' ? preferred : mergeLines(versions, GIT_RULES);
  }
  const result = mergeLines(versions, GIT_RULES);
  const isSafe = result.kind === 'merged' && !areBothReshaped(versions) && !removeOneLine(versions);
  if (isSafe && (await tryFormat(path, result.text)) !== undefined) {
    if (!isDoubtful(result.text, versions)) return result;
    const { checkMerged } = await structure();
    const checked = checkMerged(path, result.text, versions);
    if (checked.kind === 'merged') return checked;
  }
  const { mergeStructure } = await structure();
  return mergeStructure(path, versions);
}

/** Loaded lazily: it takes a quarter of a second. */
const structure = async () => import('./typescript/index.ts');

/**
 * Whether lines of both sides may say something twice, or use a name whose import went: what both
 * sides added has a name in common, or an import of either side is missing and its name is there.
 */
function isDoubtful(text: string, { base, theirs, ours }: MergeSides): boolean {
  const addedByUs = namesIn(added(base, ours));
  const isTwice = [...namesIn(added(base, theirs))].some((name) => addedByUs.has(name));
  if (isTwice) return true;
  const imported = importsOf(text);
  const code = text
    .split(IMPORTS)
    .map((part) => part.replace(IMPORT, ''))
    .join('');
  return [...importsOf(ours), ...importsOf(theirs)].some(
    (name) => !imported.has(name) && new RegExp(`(?<![\\w$.])${escape(name)}(?![\\w$])`).test(code),
  );
}

/**
 * Whether both sides open brackets in one place and close them in another: their lines may go
 * together, and mean what neither side meant.
 */
const areBothReshaped = ({ base, theirs, ours }: MergeSides): boolean =>
  reshapes(base, ours) && reshapes(base, theirs);

/**
 * Whether both sides remove one line: one of them may have moved or rewritten it, and lines alone
 * would bring it back where the other side deleted it.
 */
function removeOneLine({ base, theirs, ours }: MergeSides): boolean {
  const lines = base.split('\n');
  const removedBy = (side: string): Set<number> =>
    new Set(
      diffIndices(lines, side.split('\n')).flatMap(({ buffer1: [start, length] }) =>
        Array.from({ length }, (_, index) => start + index),
      ),
    );
  const removedByUs = removedBy(ours);
  return [...removedBy(theirs)].some(
    (index) => removedByUs.has(index) && lines[index]?.trim() !== '',
  );
}

/** Whether a change opens a bracket that it does not close, or the other way round. */
const reshapes = (base: string, side: string): boolean =>
  diffIndices(base.split('\n'), side.split('\n')).some(
    ({ buffer1Content, buffer2Content }) => depth(buffer1Content) !== depth(buffer2Content),
  );

const depth = (lines: readonly string[]): number => {
  const text = lines.join('\n');
  return (text.match(/[{([]/g)?.length ?? 0) - (text.match(/[})\]]/g)?.length ?? 0);
};

/** The lines of a side that the base has not, or has less often. */
function added(base: string, side: string): string {
  const known = new Map<string, number>();
  for (const line of base.split('\n')) known.set(line, (known.get(line) ?? 0) + 1);
  const lines = side.split('\n').filter((line) => {
    const count = known.get(line) ?? 0;
    known.set(line, count - 1);
    return count <= 0;
  });
  return lines.join('\n');
}

const IMPORT = /^import\b[^;'"]*(?:'[^'"\n]*'|"[^'"\n]*");?/;
/** Where a statement of this kind may begin. */
const IMPORTS = /^(?=import\b)/m;
const MODIFIERS =
  /\b(?:export|default|declare|async|abstract|static|readonly|public|private|protected|override|const|let|var|function|class|interface|type|enum|get|set)\s+/g;
const NAME =
  /(?:^|[{(,])[^\S\n]*(?:\.\.\.)?(['"]?)([\w$-]+)\1(?:[^\S\n]*\*)?(?=[?!]?[^\S\n]*(?:[:=(<,{};]|$)|[^\S\n]+(?:as|extends|implements)\b)/gm;
const PATH = /(?:\(|\bfrom)\s*(['"])([./][^'"\n]*)\1/g;

/** What lines seem to declare: names of declarations, members, specifiers; paths of routes and of modules. */
function namesIn(lines: string): Set<string> {
  const text = lines.replaceAll(MODIFIERS, '\n').replaceAll(/^import\s+/gm, '');
  const names = [...text.matchAll(NAME)].map((match) => match[2] ?? '');
  const paths = [...lines.matchAll(PATH)].map((match) => match[2] ?? '');
  return new Set([...names, ...paths]);
}

/** The names that a text imports. */
function importsOf(text: string): Set<string> {
  const names = new Set<string>();
  for (const part of text.split(IMPORTS)) {
    const statement = IMPORT.exec(part)?.[0] ?? '';
    const [clause = ''] = statement.replace(/^import\s+(type\s+)?/, '').split(/['"]/, 1);
    for (const specifier of clause.replace(/\bfrom\s*$/, '').split(/[{},]/)) {
      const name = specifier
        .trim()
        .split(/[^\w$]/)
        .at(-1);
      if (name !== undefined && name !== '') names.add(name);
    }
  }
  return names;
}

const escape = (text: string): string => text.replaceAll('$', '\\$');
