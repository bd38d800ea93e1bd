/** The type `text`: long text, and what it shares with `string`, which is the same to clients. */
import { key } from '../reading/common-keys.ts';
import { counted } from '../reading/quote.ts';
import type { Keys, Reading } from '../reading/records.ts';
import type { JsonValue } from '../shared/json.ts';
import { sqlRange } from './bounds.ts';
import { call, optionsCode } from './code.ts';
import { hasFormat } from './formats.ts';
import { lengthShape } from './lengths.ts';
import { writtenOptions } from './written-options.ts';
import type { FieldType } from './registry.ts';
import { unchanged } from './sql-conversion.ts';
import type { StringType } from './string.ts';
import { mostTextBytes } from './text-bounds.ts';
import { acceptsText, differentTexts, characterCount } from './text-samples.ts';
import { indexTextBytes, jsonTextBytes, readText, TEXT_STORAGE } from './text-storage.ts';
import type { Refuse } from './text-storage.ts';
import type { LabelledValues, Limit, SampleMember, TypeSpec } from './type.ts';
import { SAME_VALUE, TEAM_CONVERSION } from './version-conversion.ts';

export interface TextType {
  readonly type: 'text';
  /** Counted in code points. */
  readonly maxLength?: number;
}

/** The two types of free text, which are the same to clients. */
export type StringOrText = StringType | TextType;

export const isStringOrText = (type: FieldType): type is StringOrText =>
  type.type === 'string' || type.type === 'text';

/** Texts longer than this are not made: a body has its limit too. */
const LONGEST = 100_000;

/** Refuses a text for its length. */
export const tooLong = (characters: number, maxLength: number, refuse: Refuse): undefined =>
  refuse(
    `has ${counted(characters, 'character')}: max_length is ${maxLength}`,
    `${counted(maxLength, 'character')} or fewer`,
  );

/** The bounds of a text's length. */
export const textLimits = (type: StringOrText): readonly Limit[] => [
  { key: 'min_length', side: 'minimum', value: minLengthOf(type) || undefined },
  { key: 'max_length', side: 'maximum', value: type.maxLength },
];

const minLengthOf = (type: StringOrText): number =>
  type.type === 'string' ? (type.minLength ?? 0) : 0;

/** Whether any text at all is a value of the type. */
export const isUnboundedText = (type: FieldType): boolean =>
  (type.type === 'text' && type.maxLength === undefined) ||
  (type.type === 'string' && Object.keys(type).length === 1);

/** Whether each text of a type is a value of an older one. */
export function isWiderText(stored: StringOrText, older: FieldType): boolean {
  if (!isStringOrText(older)) return false;
  const own: StringType = { ...stored, type: 'string' };
  const wide: StringType = { ...older, type: 'string' };
  return (
    (wide.minLength ?? 0) <= (own.minLength ?? 0) &&
    (wide.maxLength ?? Infinity) >= (own.maxLength ?? Infinity) &&
    (wide.pattern === undefined || wide.pattern === own.pattern) &&
    (wide.format === undefined || wide.format === own.format)
  );
}

/** Texts that sort, filter and search in telling ways. */
const TELLING = [
  'Quiet River',
  'quiet',
  'say "yes", twice',
  'Élan Straße 7',
  '\uff5a wide',
  '😀 beyond',
];
const SHORT = ['b', 'B', ',', 'é', '\uff5a', '😀'];

/** What emitted tests send of texts. */
export const textTests = {
  values: (type: StringOrText, count: number, { name, given = [] }: SampleMember): JsonValue[] =>
    differentTexts(type, count, name, given as string[]),
  listValues(type: StringOrText, _plain: unknown, { name }: SampleMember): JsonValue[] {
    const telling = TELLING.filter((text) => acceptsText(type, text));
    const texts = telling.length > 2 ? telling : SHORT.filter((text) => acceptsText(type, text));
    return texts.length > 2 ? texts : differentTexts(type, 4, name);
  },
  refused: (type: StringOrText, sample: JsonValue | undefined): LabelledValues =>
    refusedTexts(type, String(sample ?? 'x')),
  accepted(type: StringOrText): LabelledValues {
    const minLength = minLengthOf(type);
    const blank = ' '.repeat(Math.max(minLength - 1, 0));
    const { maxLength = LONGEST } = type;
    const candidates: LabelledValues = [
      ['the shortest', minLength === 0 ? '' : `${blank}😀`],
      // Characters beyond the basic plane count once, though they take two units in UTF-16.
      ...(maxLength < LONGEST ? [['the longest', '😀'.repeat(maxLength)] as const] : []),
      ['with blanks around', ' a '],
      ['with quotes and backslashes', `'"\\%_`],
    ];
    return candidates.filter(([, text]) => acceptsText(type, String(text)));
  },
} as const;

function refusedTexts(type: StringOrText, sample: string): LabelledValues {
  const pairs: [string, JsonValue][] = [
    ['a number', 5],
    ['with a NUL character', `${sample}\0`],
    ['with half of a surrogate pair', `${sample}\ud800`],
  ];
  const { maxLength } = type;
  if (maxLength !== undefined && maxLength < LONGEST) {
    pairs.push(['too long', paddedTo(sample, maxLength + 1)]);
  }
  if (type.type === 'text') return pairs;
  const { minLength = 0, pattern, format } = type;
  if (minLength > 0 && minLength < LONGEST) {
    pairs.push(['too short', [...paddedTo(sample, minLength)].slice(1).join('')]);
  }
  const wrong = ['', 'x', '!', '?x?', '12', `${sample}!`, `!${sample}`, 'ß', ' ', '%'];
  if (pattern !== undefined) {
    const expression = new RegExp(pattern, 'u');
    const found = wrong.find((text) => !expression.test(text));
    if (found !== undefined) pairs.push(['not of its pattern', found]);
  }
  if (format !== undefined) {
    const found = ['nothing of the kind', ...wrong].find((text) => !hasFormat(text, format));
    if (found !== undefined) pairs.push([`no ${format}`, found]);
  }
  return pairs;
}

/** The text with more at its end, so that it has this many characters. */
const paddedTo = (text: string, characters: number): string =>
  characterCount(text) >= characters
    ? [...text].slice(0, characters).join('')
    : text + 'x'.repeat(characters - characterCount(text));

const keys = {
  max_length: key(lengthShape(1), 'The most characters, counted by code points.'),
} satisfies Keys;

export const textSpec: TypeSpec<TextType> = {
  description: 'Long text.',
  example: 'summary: { type: text, max_length: 20000 }',
  synonyms: [],
  keys,
  jsonSchemaType: 'string',
  isComparable: false,
  comparison: { with: ['string', 'text'], isOrdered: false, literal: 'text' },
  isSearchable: true,
  read({ max_length: maxLength }: Reading<typeof keys>) {
    return { type: 'text', ...(maxLength && { maxLength: maxLength.value }) };
  },
  write: (type) => writtenOptions(type, keys),
  readValue: ({ maxLength }, tree, what, issues) =>
    readText(tree, what, issues, (value, refuse) => {
      const characters = maxLength === undefined ? 0 : characterCount(value);
      return maxLength !== undefined && characters > maxLength
        ? tooLong(characters, maxLength, refuse)
        : value;
    }),

  ...TEXT_STORAGE,
  check: ({ maxLength }, value) =>
    sqlRange(`char_length(${value})`, undefined, maxLength?.toString()),
  maxCharacters: ({ maxLength }) => maxLength ?? Infinity,
  textBytes: mostTextBytes,
  indexBytes: (type) => indexTextBytes(mostTextBytes(type)),
  jsonBytes: ({ maxLength }) => jsonTextBytes(maxLength),

  shape: ({ maxLength }) => call('string', optionsCode({ maxLength })),
  typescript: () => 'string',
  documentation: () => 'string',

  ...textTests,

  limits: textLimits,
  readableAs: [],

  nameInMessages: () => 'text',
  fromText: () => unchanged(),
  versionConversion: (stored, older) => (isWiderText(stored, older) ? SAME_VALUE : TEAM_CONVERSION),
};
