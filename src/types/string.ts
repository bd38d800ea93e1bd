/** The type `string`: text of one line or a few, with a length, a pattern or a format. */
import { key } from '../reading/common-keys.ts';
import { counted, quote } from '../reading/quote.ts';
import type { Keys, Reading } from '../reading/records.ts';
import { text, word } from '../reading/shapes.ts';
import { call, optionsCode } from './code.ts';
import { sqlRange } from './bounds.ts';
import { hasFormat } from './formats.ts';
import type { StringFormat } from './formats.ts';
import { checkLengthOrder, lengthShape } from './lengths.ts';
import { writtenOptions } from './written-options.ts';
import { mostTextBytes } from './text-bounds.ts';
import { jsonTextBytes, indexTextBytes, readText, TEXT_STORAGE } from './text-storage.ts';
import { isWiderText, textLimits, textTests, tooLong } from './text.ts';
import { unchanged } from './sql-conversion.ts';
import { characterCount } from './text-samples.ts';
import type { TypeSpec } from './type.ts';
import { SAME_VALUE, TEAM_CONVERSION } from './version-conversion.ts';

export interface StringType {
  readonly type: 'string';
  /** Lengths count code points. */
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly format?: StringFormat;
}

/** What is wrong with a pattern. */
interface PatternProblem {
  readonly code: 'bad-pattern' | 'slow-pattern';
  readonly message: string;
}

/** Judges a pattern of a string that is at most so long; undefined means that it is fine. */
export type PatternJudge = (pattern: string, maxLength?: number) => PatternProblem | undefined;

const keys = {
  min_length: key(lengthShape(0), 'The fewest characters, counted by code points.'),
  max_length: key(lengthShape(1), 'The most characters, counted by code points.'),
  pattern: key(
    text(),
    'A regular expression of ECMAScript with the u flag; it is not anchored by itself. The service checks it; the database checks only the lengths.',
    { examples: ['^97[89][0-9]{10}$'] },
  ),
  format: key(
    word(['email', 'uri', 'hostname', 'ipv4', 'ipv6', 'slug'] satisfies StringFormat[], {
      url: 'uri',
      host: 'hostname',
      ip: 'ipv4',
    }),
    'A form that the text has.',
  ),
} satisfies Keys;

export const stringSpec: TypeSpec<StringType> = {
  description: 'Text of one line or a few.',
  example:
    'isbn: { type: string, required: true, unique: true, max_length: 13, pattern: "^97[89][0-9]{10}$" }',
  synonyms: ['char', 'str', 'varchar'],
  keys,
  jsonSchemaType: 'string',
  isComparable: true,
  comparison: { with: ['string', 'text'], isOrdered: false, literal: 'text' },
  isSearchable: true,
  read(options: Reading<typeof keys>, _tree, { issues, judge }) {
    const { min_length: minLength, max_length: maxLength, pattern, format } = options;
    const ordered = checkLengthOrder('length', minLength, maxLength, issues);
    const problem = pattern && judge(pattern.value, maxLength?.value);
    if (pattern && problem) issues.add(pattern.at, problem.code, problem.message);
    return {
      type: 'string',
      ...(minLength && ordered && { minLength: minLength.value }),
      ...(maxLength && ordered && { maxLength: maxLength.value }),
      // A pattern that is refused is never run.
      ...(pattern && !problem && { pattern: pattern.value }),
      ...(format && { format: format.value }),
    };
  },
  write: (type) => writtenOptions(type, keys),
  readValue: ({ minLength, maxLength, pattern, format }, tree, what, issues) =>
    readText(tree, what, issues, (value, refuse) => {
      const characters = characterCount(value);
      if (maxLength !== undefined && characters > maxLength) {
        return tooLong(characters, maxLength, refuse);
      }
      if (minLength !== undefined && characters < minLength) {
        const many = `${counted(minLength, 'character')} or more`;
        return refuse(`has ${counted(characters, 'character')}: min_length is ${minLength}`, many);
      }
      if (pattern !== undefined && !new RegExp(pattern, 'u').test(value)) {
        return refuse(`does not match the pattern ${quote(pattern)}`, 'one that does');
      }
      if (format !== undefined && !hasFormat(value, format)) {
        return refuse(`does not have the format ${format}`, 'one that does');
      }
      return value;
    }),

  ...TEXT_STORAGE,
  check: ({ minLength, maxLength }, value) =>
    sqlRange(`char_length(${value})`, minLength?.toString(), maxLength?.toString()),
  maxCharacters: ({ maxLength }) => maxLength ?? Infinity,
  textBytes: mostTextBytes,
  indexBytes: (type) => indexTextBytes(mostTextBytes(type)),
  jsonBytes: ({ maxLength }) => jsonTextBytes(maxLength),

  shape: ({ minLength, maxLength, pattern, format }) =>
    call(
      'string',
      optionsCode({
        minLength,
        maxLength,
        pattern,
        format: format === 'email' ? 'idn-email' : format,
      }),
    ),
  filter: () => call('byString'),
  typescript: () => 'string',
  documentation: ({ format }) => format ?? 'string',

  ...textTests,
  listTests: { isOrdered: true, canBeEmpty: true },

  limits: textLimits,
  readableAs: [],

  nameInMessages: () => 'string',
  fromText: () => unchanged(),
  versionConversion: (stored, older) => (isWiderText(stored, older) ? SAME_VALUE : TEAM_CONVERSION),
};
