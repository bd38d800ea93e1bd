/**
 * A collection on the command line: `reviews rating:integer:required book_id:reference:books`.
 *
 *     field   = name ":" type *( ":" option )
 *     option  = flag | key "=" value
 *
 * - `flag` is an option that is true or false, and means true: `required`, `unique`, `read_only`,
 *   `write_only`, `immutable`, `generated`, `database_default`, `unique_items`; and `nested`.
 * - `key=value` is any option of the type (definitions.md): `max_length=300`, `default=draft`.
 *   The entries of a list stand between commas or bars: `values=draft,published`. The default of
 *   a list, or of any JSON, is JSON.
 * - After `reference` a word that is no option is the collection it leads to: `reference:books`.
 * - A backslash before a colon, and in a list before a comma or a bar, takes its meaning away:
 *   `pattern=^a\:b$`. All other backslashes are themselves.
 */
import { Document, Pair, Scalar, visit, YAMLMap, YAMLSeq } from 'yaml';

import { SCALAR_NAMES, TYPE_NAMES, TYPE_SYNONYMS, specOf } from '../types/registry.ts';
import type { TypeName } from '../types/registry.ts';
import { FIELD_KEYS } from './keys.ts';
import { fileOf, modeline } from './layout.ts';
import { nearest } from '../reading/nearest.ts';
import { enumerate, quote } from '../reading/quote.ts';
import type { Keys } from '../reading/records.ts';
import { padAsExamples } from './split.ts';
import type { SourceFile } from '../reading/position.ts';

/** A definition made from words. */
export interface Shorthand {
  readonly file: SourceFile;
  /** The word that each line of the file was made from, by the line's number. */
  readonly words: ReadonlyMap<number, string>;
  /** What is wrong with words that are not in the file. */
  readonly problems: readonly string[];
}

/** The lines before the first field: the one for editors, the name, and `fields:`. */
const LINES_BEFORE = 3;

/** Makes a definition of a collection; what the words mean together the parser checks. */
export function collectionFrom(name: string, words: readonly string[]): Shorthand {
  const problems: string[] = [];
  if (words.length === 0) {
    problems.push(`a collection needs a field. Write ${quote(`${name} title:string:required`)}.`);
  }
  const fields = words.flatMap((word) => {
    const field = fieldFrom(word, (problem) => problems.push(problem));
    return field === undefined ? [] : [{ word, field }];
  });
  const top = new YAMLMap();
  const map = new YAMLMap();
  map.items = fields.map(({ field }) => field);
  // Where no word is right, the parser still says what it thinks of the name.
  if (fields.length === 0)
    map.items.push(new Pair('title', new Document({ type: 'text' }).contents));
  top.items = [new Pair('name', name), new Pair('fields', map)];
  visit(top, { Collection: (_, node) => padAsExamples(node) });
  const body = new Document(top).toString({ lineWidth: 0, singleQuote: true });
  return {
    file: fileOf('collection', name, `${modeline('collection')}\n${body}`),
    words: new Map([
      [2, name],
      ...fields.map(({ word }, index) => [LINES_BEFORE + 1 + index, word] as const),
    ]),
    problems,
  };
}

/** What the parser says of a word, with options as they are written on the command line. */
export const asOptions = (message: string): string =>
  message.replace(/"([a-z_]+):(?: ([^"]*))?"/g, (quoted, key: string, value = '') =>
    OPTIONS.has(key) ? `"${key}=${optionValue(value)}"` : quoted,
  );

const OPTIONS: ReadonlySet<string> = new Set(
  [FIELD_KEYS, ...TYPE_NAMES.map((type) => specOf({ type }).keys)].flatMap(Object.keys),
);

/** `[draft, published]` as `draft,published`; the type of a list's items by its name. */
const optionValue = (value: string): string =>
  value
    .replace(/^\[(.*)\]$/, '$1')
    .replace(/^\{ type: (\w+) \}$/, '$1')
    .replaceAll(', ', ',');

function fieldFrom(word: string, tell: (problem: string) => void): Pair | undefined {
  const [name = '', typed, ...options] = split(word, ':');
  const say = (problem: string): undefined => {
    tell(`${quote(word)}: ${problem}`);
    return undefined;
  };
  if (typed === undefined || typed === '') {
    return say(`it has no type. Write ${quote(`${name}:string`)}, or another type.`);
  }
  const type = TYPE_NAMES.find((known) => known === typed);
  if (type === undefined) {
    const meant = TYPE_SYNONYMS[typed] ?? nearest(typed, TYPE_NAMES);
    const instead =
      meant === undefined ? `Types are ${enumerate(TYPE_NAMES)}` : `Write ${quote(meant)}`;
    return say(`there is no type ${quote(typed)}. ${instead}.`);
  }
  if (type === 'object') {
    return say('the members of an object do not fit into a word. Add it to the definition then.');
  }
  const map = new YAMLMap();
  map.flow = true;
  map.items.push(new Pair('type', type));
  for (const option of options) {
    const problem = addOption(map, option, type);
    if (problem !== undefined) say(problem);
  }
  return new Pair(name, map);
}

/** Adds an option; answers what is wrong with it. */
function addOption(map: YAMLMap, option: string, type: TypeName): string | undefined {
  const keys: Keys = { ...FIELD_KEYS, ...specOf({ type }).keys };
  const equals = option.indexOf('=');
  const key = equals < 0 ? option : option.slice(0, equals);
  if (!Object.hasOwn(keys, key)) {
    if (equals < 0 && type === 'reference' && !map.has('to') && key !== '') {
      map.items.push(new Pair('to', key));
      return undefined;
    }
    const meant = nearest(key, Object.keys(keys));
    const instead =
      meant === undefined ? `Known are ${enumerate(Object.keys(keys))}` : `Write ${quote(meant)}`;
    return `a field of type ${type} has no option ${quote(key)}. ${instead}.`;
  }
  if (map.has(key)) return `${quote(key)} stands there twice. Remove one.`;
  const kind = kindOf(key, type, keys);
  if (equals < 0) {
    if (kind !== 'flag' && key !== 'nested') {
      return `${quote(key)} needs a value. Write ${quote(`${key}=${EXAMPLES[kind]}`)}.`;
    }
    map.items.push(new Pair(key, true));
    return undefined;
  }
  const text = option.slice(equals + 1);
  const isSequence = key === 'default' && text === 'sequence' && specOf({ type }).hasSequence;
  const value = isSequence === true ? text : valueOf(text, kind);
  if (value === undefined) {
    return `${key} is ${quote(text)}, not ${KINDS[kind]}. Write ${quote(`${key}=${EXAMPLES[kind]}`)}.`;
  }
  map.items.push(new Pair(key, value));
  return undefined;
}

type Kind = 'flag' | 'number' | 'text' | 'list' | 'type' | 'json';

const KINDS: Readonly<Record<Kind, string>> = {
  flag: 'true or false',
  number: 'a number',
  text: 'a text',
  list: 'a list',
  type: 'a type that a list can hold',
  json: 'a value in JSON',
};

const EXAMPLES: Readonly<Record<Kind, string>> = {
  flag: 'true',
  number: '10',
  text: 'text',
  list: 'draft,published',
  type: 'string',
  json: '[]',
};

/** What is written behind the equals sign of an option. */
function kindOf(key: string, type: TypeName, keys: Keys): Kind {
  if (key === 'of') return 'type';
  if (key === 'default' || key === 'example' || key === 'backfill')
    return VALUE_KINDS[specOf({ type }).jsonSchemaType ?? 'any'];
  const { anyOf: [first] = [], ...schema } = (keys[key]?.shape.schema ?? {}) as {
    readonly type?: string;
    readonly anyOf?: readonly { readonly type?: string }[];
  };
  // Of several forms the plainest comes first.
  switch (schema.type ?? (key === 'nested' ? undefined : first?.type)) {
    case 'boolean':
      return 'flag';
    case 'integer':
    case 'number':
      return 'number';
    case 'array':
      return 'list';
    default:
      return 'text';
  }
}

/** How the value of a field is written, by its type in JSON. */
const VALUE_KINDS = {
  any: 'json',
  array: 'json',
  boolean: 'flag',
  integer: 'number',
  number: 'number',
  // Fields that hold objects are not written on the command line.
  object: 'json',
  string: 'text',
} satisfies Readonly<Record<string, Kind>>;

/** A value as YAML has it; undefined where it is not of that kind. */
function valueOf(text: string, kind: Kind): unknown {
  switch (kind) {
    case 'flag':
      return text === 'true' || text === 'false' ? text === 'true' : undefined;
    case 'number':
      return numberOf(text);
    case 'text':
      return text;
    case 'list':
      return listOf(text);
    case 'type':
      return SCALAR_NAMES.some((name) => name === text) ? text : undefined;
    case 'json':
      return jsonOf(text);
  }
}

/** As it was written: a number of many digits stays what it is. */
function numberOf(text: string): Scalar | undefined {
  if (!/^-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?$/.test(text)) return undefined;
  return new Scalar(/^-?[0-9]+$/.test(text) ? BigInt(text) : Number(text));
}

function listOf(text: string): YAMLSeq {
  const list = new YAMLSeq();
  list.flow = true;
  list.items = text === '' ? [] : [...split(text, ',|')];
  return list;
}

function jsonOf(text: string): unknown {
  try {
    const node = new Document(JSON.parse(text) as unknown).contents;
    if (node instanceof YAMLMap || node instanceof YAMLSeq) node.flow = true;
    return node;
  } catch {
    return undefined;
  }
}

/** The parts of a text between any of these marks that no backslash stands before. */
function split(text: string, marks: string): readonly string[] {
  const parts = [''];
  for (let index = 0; index < text.length; index += 1) {
    const character = text.charAt(index);
    const next = text.charAt(index + 1);
    if (character === '\\' && next !== '' && marks.includes(next)) {
      parts.push(`${parts.pop() ?? ''}${next}`);
      index += 1;
    } else if (marks.includes(character)) parts.push('');
    else parts.push(`${parts.pop() ?? ''}${character}`);
  }
  return parts;
}
