/** How many bytes the values of a text can take, by their length, format and pattern. */
import { RegExpParser } from '@eslint-community/regexpp';
import type { AST } from '@eslint-community/regexpp';

import type { StringFormat } from './formats.ts';
import type { StringType } from './string.ts';

/** What is known of the texts of a type, in UTF-8. */
interface TextBounds {
  /** Bytes of the whole text. */
  readonly bytes: number;
  /** Bytes of each of its characters. */
  readonly widest: number;
}

/** The bytes of a character: four beyond the basic plane. */
const WIDEST = 4;
const UNBOUNDED: TextBounds = { bytes: Infinity, widest: WIDEST };
const ASCII: TextBounds = { bytes: Infinity, widest: 1 };

/** The emitted `src/platform/http/values.ts` holds values to these. */
const FORMATS: Readonly<Record<StringFormat, TextBounds>> = {
  // At most 254 units of UTF-16, of up to three bytes each.
  email: { bytes: 254 * 3, widest: WIDEST },
  hostname: { bytes: 253, widest: 1 },
  ipv4: { bytes: 15, widest: 1 },
  ipv6: { bytes: 45, widest: 1 },
  slug: ASCII,
  uri: ASCII,
};

/** The bytes that the texts of a type take at most; infinite without a bound. */
export function mostTextBytes({
  format,
  pattern,
  maxLength = Infinity,
}: Omit<StringType, 'type'>): number {
  const bounds = [
    format === undefined ? UNBOUNDED : FORMATS[format],
    pattern === undefined ? UNBOUNDED : patternBounds(pattern),
  ];
  const widest = Math.min(...bounds.map((bound) => bound.widest));
  return Math.min(...bounds.map(({ bytes }) => bytes), maxLength * widest);
}

/** @param pattern one that compiles with the flag `u` */
function patternBounds(pattern: string): TextBounds {
  const { alternatives } = new RegExpParser().parsePattern(pattern, 0, pattern.length, {
    unicode: true,
  });
  // Without an anchor on both sides there may be anything around a match.
  return alternatives.every(isAnchored) ? widestOf(alternatives.map(rowBounds)) : UNBOUNDED;
}

function isAnchored({ elements }: AST.Alternative): boolean {
  const [first, last] = [elements[0], elements.at(-1)];
  return (
    first?.type === 'Assertion' &&
    first.kind === 'start' &&
    last?.type === 'Assertion' &&
    last.kind === 'end'
  );
}

const NOTHING: TextBounds = { bytes: 0, widest: 0 };

const widestOf = (bounds: readonly TextBounds[]): TextBounds => ({
  bytes: Math.max(...bounds.map(({ bytes }) => bytes)),
  widest: Math.max(...bounds.map(({ widest }) => widest)),
});

function rowBounds({ elements }: AST.Alternative): TextBounds {
  const bounds = elements.map(elementBounds);
  return {
    bytes: bounds.reduce((sum, { bytes }) => sum + bytes, 0),
    widest: Math.max(0, ...bounds.map(({ widest }) => widest)),
  };
}

function elementBounds(element: AST.Element): TextBounds {
  switch (element.type) {
    case 'Assertion':
      return NOTHING;
    case 'Group':
    case 'CapturingGroup':
      return widestOf(element.alternatives.map(rowBounds));
    case 'Quantifier': {
      const { bytes, widest } = elementBounds(element.element);
      return { bytes: bytes === 0 || element.max === 0 ? 0 : bytes * element.max, widest };
    }
    case 'Backreference':
      // What it repeats is of the characters that the pattern has elsewhere.
      return { bytes: Infinity, widest: 0 };
    case 'Character':
      return character(element.value);
    case 'CharacterSet':
      return setBounds(element);
    case 'CharacterClass':
      return element.negate
        ? character(Infinity)
        : widestOf([NOTHING, ...element.elements.map(classElementBounds)]);
    default:
      return UNBOUNDED;
  }
}

function classElementBounds(element: AST.CharacterClassElement): TextBounds {
  switch (element.type) {
    case 'Character':
      return character(element.value);
    case 'CharacterClassRange':
      return character(element.max.value);
    case 'CharacterSet':
      return setBounds(element);
    default:
      return character(Infinity);
  }
}

/** `\d` and `\w` are of ASCII; all other sets are taken to have any character. */
const setBounds = (set: AST.CharacterSet): TextBounds =>
  (set.kind === 'digit' || set.kind === 'word') && !set.negate ? character(0) : character(Infinity);

/** @param code the highest code point that it can be */
function character(code: number): TextBounds {
  const widest = code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : WIDEST;
  return { bytes: widest, widest };
}
