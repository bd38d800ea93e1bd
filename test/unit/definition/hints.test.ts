/**
 * Whoever does what a message says is rid of the problem. Each refusal of refusals.txt that says what
 * to write is tried: the hint is written into the definition, which then has no such issue, and no
 * other one that it did not have.
 */
import { readFileSync } from 'node:fs';

import { expect, test } from 'vitest';
import { Document, isMap, isPair, isSeq, parse, parseDocument, visit } from 'yaml';
import type { Node, Pair } from 'yaml';

import type { DefinitionResult } from '../../../src/definition/types.ts';
import type { Issue } from '../../../src/reading/position.ts';
import { folder, single } from './support.ts';

type Files = Readonly<Record<string, string>>;

const BOOKS = 'name: books\nfields: { title: { type: string } }\n';
const AUTHORS = 'fields: { name: { type: string } }\n';

/** The files of a case, by their names in messages. */
function filesOf(kind: string, text: string): Files {
  if (kind === 'single') return { 'shop.yaml': text };
  const fields = text.trimEnd().replaceAll(/^/gm, '  ');
  const books = kind === 'field' ? `name: books\nfields:\n${fields}\n` : BOOKS;
  return {
    'definitions/service.yaml': kind === 'service' ? text : 'roles: [editor]\nschema: shop\n',
    'definitions/collections/authors.yaml': AUTHORS,
    'definitions/collections/books.yaml': kind === 'collection' ? text : books,
  };
}

function read(files: Files): Promise<DefinitionResult> {
  const alone = files['shop.yaml'];
  if (alone !== undefined) return single(alone);
  return folder(
    Object.fromEntries(
      Object.entries(files).map(([path, text]) => [path.replace('definitions/', ''), text]),
    ),
  );
}

const issuesOf = async (files: Files): Promise<readonly Issue[]> => {
  const result = await read(files);
  return result.ok ? [] : result.issues;
};

/** What a hint says to write: a value or name in place of what stands there, or a key beside it. */
type Fix = { readonly put: unknown } | { readonly add: Readonly<Record<string, unknown>> };

/** Hints that leave to the writer what to write. */
const PROSE =
  /^(?:another\b|at least one|a (?:path|field|plural noun|regular expression|nearer one|name_in|value|default|list|lower|word|number|map|cell)|an (?:older|alias)|one(?:$|,| that)|it without|lower-case|the (?:old|name)|each|up to|its members|text$|them out|what |that day|spaces|true or false|deprecated beside|public, authenticated|".*:"|"&|a whole number)/;

/** What a message says to write; undefined where that is for the writer to find. */
function fixesOf(message: string): readonly Fix[] | undefined {
  const hint = / Write (.*?)\.?$/.exec(message)?.[1]?.replace(/, or (?!["'[{]).*$/, '');
  if (hint === undefined || message.includes('…')) return undefined;
  const put = (text: string): Fix => ({ put: parse(text) as unknown });
  const such = /^(?:one|a day) such as (.*)$/.exec(hint)?.[1];
  if (such !== undefined) return [put(such)];
  const range = /^a number from (-?\d+) to (-?\d+)$/.exec(hint);
  if (range !== null) return [put(range[1]!), put(range[2]!)];
  const length = /^(\d+) characters?(?: or (?:more|fewer))?$/.exec(hint)?.[1];
  if (length !== undefined) return [{ put: 'a'.repeat(Number(length)) }];
  if (/ entries: (?:min|max)_items/.test(message)) return undefined;
  const key = /^a (since|max_length) of (\d+) or less/.exec(hint);
  if (key !== null) return [{ add: { [key[1]!]: Number(key[2]) } }];
  const limit = /^"?(.*?)"? or (?:less|more|fewer)(?:, .*)?$/.exec(hint)?.[1];
  if (limit !== undefined && !/^[a-z]/.test(limit))
    return [put(hint.startsWith('"') ? `'${limit}'` : limit)];
  if (/^\d+ or \d+$/.test(hint)) return hint.split(' or ').map(put);
  const among = /^one of (.*)$/.exec(hint)?.[1];
  if (among !== undefined) return among.split(/, | or /).map((one) => ({ put: one }));
  if (/^[[{'\d-]|^(?:true|false)$/.test(hint)) return [put(hint)];
  if (PROSE.test(hint)) return undefined;
  const words = Array.from(hint.matchAll(/"([^"]+)"/g), ([, word]) => word!);
  if (words.length === 0) throw new Error(`no fix is known for: ${message}`);
  return words.map((word): Fix => {
    if (!word.includes(': ')) return { put: word };
    return { add: parse(`{ ${word} }`) as Record<string, unknown> };
  });
}

interface Place {
  readonly node: Node;
  /** The pair that the node is the key or the value of, and the map that has it. */
  readonly pair?: Pair;
  readonly parent?: Node;
  /** What it stands in, from within. */
  readonly ancestors: readonly unknown[];
  /** The keys that lead to it. */
  readonly way: string;
}

/** All nodes that begin at a place: a map begins where its first key does. */
function nodesAt(document: Document, offset: number): readonly Place[] {
  const found: Place[] = [];
  visit(document, {
    Node: (key, node, path) => {
      if (node.range?.[0] !== offset) return;
      const parent = path.at(-1);
      const keys = path.flatMap((one) => (isPair(one) ? String(one.key) : []));
      found.push({
        node,
        ancestors: path.toReversed(),
        way: [...keys, ...(typeof key === 'number' ? [key] : [])].join('/'),
        ...(isPair(parent) && { pair: parent, parent: path.at(-2) as Node }),
        ...(isSeq(parent) && { parent }),
      });
    },
  });
  return found;
}

const parsed = (text: string): Document =>
  parseDocument(text, { strict: false, uniqueKeys: false, intAsBigInt: true });
const written = (document: Document): string => document.toString({ lineWidth: 0 });

function offsetOf(text: string, { line, column }: Issue['at']): number {
  const lines = text.split('\n').slice(0, line - 1);
  return lines.reduce((sum, one) => sum + one.length + 1, column - 1);
}

/** The keys that lead to the place of an issue. */
const wayTo = (files: Files, { at }: Issue): string => {
  const text = files[at.file] ?? '';
  return `${at.file} ${nodesAt(parsed(text), offsetOf(text, at)).at(-1)?.way}`;
};

/** The texts that a fix may mean: the place of an issue is that of a key, of its value, or a map. */
function applied(text: string, at: Issue['at'], fix: Fix): readonly string[] {
  const offset = offsetOf(text, at);
  const texts: string[] = [];
  const edit = (index: number, change: (place: Place, document: Document) => boolean): void => {
    const document = parsed(text);
    const place = nodesAt(document, offset)[index];
    if (place !== undefined && change(place, document)) texts.push(written(document));
  };
  if (!/^[^#]/m.test(text) || !isMap(parsed(text).contents)) {
    return 'add' in fix ? [written(new Document(fix.add))] : [];
  }
  for (const index of nodesAt(parsed(text), offset).keys()) {
    if ('put' in fix) {
      edit(index, ({ node, pair, parent }, document) => {
        const made = document.createNode(fix.put) as Node;
        if (pair?.key === node) pair.key = made;
        else if (pair !== undefined) pair.value = made;
        else if (isSeq(parent)) parent.items[parent.items.indexOf(node)] = made;
        else return false;
        return true;
      });
      edit(index, ({ node, pair }, document) => {
        if (pair?.key !== node) return false;
        pair.value = document.createNode(fix.put);
        return true;
      });
    } else {
      for (const depth of [0, 1, 2, 3, 4]) {
        edit(index, ({ node, pair, ancestors }, document) => {
          const map = [node, pair?.value, ...ancestors.filter(isMap)][depth];
          if (!isMap(map)) return false;
          for (const [key, value] of Object.entries(fix.add)) {
            map.set(key, document.createNode(value));
          }
          return true;
        });
      }
    }
  }
  return texts;
}

const CASES = readFileSync(new URL('refusals.txt', import.meta.url), 'utf8')
  .split(/^#### /m)
  .slice(1)
  .map((part) => {
    const [, kind = '', title = '', text = ''] = /^(\w+): (.*)\n([^]*)^====\n/m.exec(part) ?? [];
    return { title, files: filesOf(kind, text) };
  });

/** What a text of YAML is when its parts are written anew; one that is none stays. */
function plain(text: string): string {
  const document = parsed(text);
  const isWhole = document.errors.length === 0 && document.contents !== null;
  return isWhole && !/\*text/.test(text) ? written(document) : text;
}

test.each(CASES)('$title', async ({ files: given }) => {
  const files = Object.fromEntries(
    Object.entries(given).map(([path, text]) => [path, plain(text)] as const),
  );
  const before = await issuesOf(files);
  const wrong: unknown[] = [];
  for (const issue of before) {
    const text = files[issue.at.file] ?? '';
    // What is wrong with a rule is a part of its text.
    const fixes = (issue.code === 'bad-rule' ? undefined : fixesOf(issue.message)) ?? [];
    const left: (readonly string[])[] = [];
    for (const fixed of fixes.flatMap((fix) => applied(text, issue.at, fix))) {
      const now = { ...files, [issue.at.file]: fixed };
      left.push(stillWrong(issue, files, before, now, await issuesOf(now)));
    }
    const isDone = fixes.length === 0 || left.some((messages) => messages.length === 0);
    if (!isDone) wrong.push({ issue: issue.message, fixes, left });
  }
  expect(wrong).toEqual([]);
});

/**
 * What is still wrong with what a hint was for. Issues of other keys may show only now, and another
 * type has other keys.
 */
function stillWrong(
  tried: Issue,
  files: Files,
  before: readonly Issue[],
  now: Files,
  after: readonly Issue[],
): string[] {
  const old = before.filter((one) => one !== tried).map(({ message }) => message);
  const added = after.filter(({ message }) => {
    const at = old.indexOf(message);
    if (at >= 0) old.splice(at, 1);
    return at < 0;
  });
  const way = wayTo(files, tried);
  return added
    .filter((one) => one.message === tried.message || wayTo(now, one) === way)
    .filter(({ code }) => code === tried.code || !isFirstStep(tried.code, code))
    .map(({ message }) => message);
}

/** Whether it is another thing that is wrong then: a number is in range and still may not fit. */
const isFirstStep = (tried: string, code: string): boolean =>
  ['out-of-range', 'missing-key'].includes(tried) || code.endsWith('-key');
