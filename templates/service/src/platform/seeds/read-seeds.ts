/** `readSeeds` reads the files `seeds/<collection>.yaml`: items by name, with their places. */
import { readdir, readFile } from 'node:fs/promises';

import { isAlias, isMap, isNode, isScalar, LineCounter, parseDocument } from 'yaml';
import type { Document, Pair } from 'yaml';

import { isUuid } from '../http/uuid.ts';
import { InvalidSeeds, seedId } from './seed.ts';
import type { Place, Seed, SeedProblem } from './seed.ts';

/** The maximum size of a file, in bytes. */
const MAX_SIZE = 1_048_576;
/** How often the aliases of a value may be expanded. */
const MAX_ALIASES = 100;
/** How deep the values of a seed may be nested, as in a request. */
const MAX_DEPTH = 64;
const NAME = /^[\p{L}\p{N}](?:[\p{L}\p{N}._ -]{0,98}[\p{L}\p{N}])?$/u;

/** Adds a problem at an offset of the file. */
type Report = (offset: number, text: string) => void;

/**
 * Reads all seeds of a folder.
 * @param folder its name in messages too. Without it there are no seeds.
 * @param collections the names that a file may have.
 * @throws `InvalidSeeds` for files that cannot be read.
 */
export async function readSeeds(folder: string, collections: readonly string[]): Promise<Seed[]> {
  const problems: SeedProblem[] = [];
  const seeds: Seed[] = [];
  for (const name of await filesIn(folder)) {
    const file = `${folder}/${name}`;
    const collection = name.replace(/\.ya?ml$/, '');
    if (name.endsWith('.yml') || !collections.includes(collection)) {
      const text = collections.includes(collection)
        ? `the file is not read, because its name ends in .yml: rename it to ${collection}.yaml.`
        : `there is no collection "${collection}": name the file after one of ${collections.join(', ')}.`;
      problems.push({ place: { file, line: 1, column: 1 }, text });
      continue;
    }
    const bytes = await readFile(file).catch(({ code }: NodeJS.ErrnoException) => {
      const text = `this cannot be read as a file (${code}): put a file with seeds here, or remove it.`;
      problems.push({ place: { file, line: 1, column: 1 }, text });
    });
    if (bytes !== undefined) seeds.push(...seedsIn({ file, collection, bytes }, problems));
  }
  if (problems.length > 0) throw new InvalidSeeds(problems);
  return seeds;
}

async function filesIn(folder: string): Promise<string[]> {
  try {
    return (await readdir(folder)).filter((name) => /\.ya?ml$/.test(name)).toSorted();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

interface SeedFile {
  readonly file: string;
  readonly collection: string;
  readonly bytes: Buffer;
}

/** The seeds of a file. */
function seedsIn({ file, collection, bytes }: SeedFile, problems: SeedProblem[]): Seed[] {
  const lines = new LineCounter();
  const placeAt = (offset: number): Place => {
    const { line, col } = lines.linePos(offset);
    return { file, line: Math.max(line, 1), column: Math.max(col, 1) };
  };
  const report: Report = (offset, text) => problems.push({ place: placeAt(offset), text });
  const document = parse(bytes, lines, report);
  if (document === undefined || isNothing(document.contents)) return [];
  if (!isMap(document.contents)) {
    report(0, 'the file holds no map: write each item as its name, a colon, and its members.');
    return [];
  }
  return document.contents.items.flatMap((pair) => {
    const name = nameOf(pair, document);
    if (!NAME.test(name) || isUuid(name)) {
      const text =
        `${JSON.stringify(name)} is no name of a seed: write up to 100 letters and digits, ` +
        'with ".", "-", "_" or blanks between them, and no UUID.';
      report(startOf(pair.key), text);
      return [];
    }
    const node = isAlias(pair.value) ? pair.value.resolve(document) : pair.value;
    const members = membersOf(node, document, (text) => report(startOf(pair.value), text));
    if (members === undefined) return [];
    const pairs = new Map(isMap(node) ? node.items.map((one) => [nameOf(one, document), one]) : []);
    const start = startOf(pair.key);
    return {
      collection,
      name,
      id: seedId(collection, name),
      members,
      textOf: (member) => {
        const value = members[member];
        return typeof value === 'string' ? value : textOf(pairs.get(member)?.value, document);
      },
      place: placeAt(start),
      placeOf: (member) => {
        const own = pairs.get(member);
        return placeAt(own === undefined ? start : startOf(own.value ?? own.key));
      },
    };
  });
}

/** Parses a file as YAML 1.2, in which `no` is a text and a date too. */
function parse(bytes: Buffer, lineCounter: LineCounter, report: Report): Document | undefined {
  if (bytes.length > MAX_SIZE) {
    report(0, 'the file has more than 1 MiB: seeds are for a first look. Load more by a script.');
    return undefined;
  }
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    report(0, 'the file is not encoded in UTF-8: save it as UTF-8.');
    return undefined;
  }
  const document = parseDocument(text, {
    schema: 'core',
    resolveKnownTags: false,
    intAsBigInt: true,
    merge: true,
    prettyErrors: false,
    lineCounter,
  });
  // Later problems mostly follow from the first.
  const [first] = [...document.errors, ...document.warnings];
  if (first === undefined) return document;
  report(first.pos[0], `this is not valid YAML: ${first.message.replace(/\.?$/, '.')}`);
  return undefined;
}

/** The members of a seed as plain values; undefined after a problem. */
function membersOf(
  node: unknown,
  document: Document,
  report: (text: string) => void,
): Seed['members'] | undefined {
  // A name without anything is an item of defaults.
  if (isNothing(node)) return {};
  if (!isMap(node)) {
    report('a seed is a map: write its members as "{ title: A title }", or one a line.');
    return undefined;
  }
  try {
    const members = node.toJS(document, { maxAliasCount: MAX_ALIASES }) as Seed['members'];
    if (!isTooDeep(members)) return members;
    report(`this seed is nested deeper than ${MAX_DEPTH} levels, or an alias contains itself.`);
    return undefined;
  } catch (error) {
    report(
      `the aliases of this seed cannot be expanded (${(error as Error).message}): write them out.`,
    );
    return undefined;
  }
}

const isNothing = (node: unknown): boolean =>
  node === null || (isScalar(node) && node.value === null);

const isTooDeep = (value: unknown, depth = 1): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (depth > MAX_DEPTH || Object.values(value).some((one) => isTooDeep(one, depth + 1)));

function textOf(node: unknown, document: Document): string | undefined {
  const own = isAlias(node) ? node.resolve(document) : node;
  if (!isScalar(own)) return undefined;
  return typeof own.value === 'string' ? own.value : own.source;
}

const nameOf = ({ key }: Pair, document: Document): string => textOf(key, document) ?? '';

const startOf = (node: unknown): number => (isNode(node) ? (node.range?.[0] ?? 0) : 0);
