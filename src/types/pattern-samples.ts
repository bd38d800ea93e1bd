/**
 * Texts that match a pattern, made from the pattern itself: each is put together by walking the
 * syntax tree, and kept only if the real engine agrees. The same pattern gives the same texts.
 */
import { RegExpParser } from '@eslint-community/regexpp';
import type { AST } from '@eslint-community/regexpp';

/** Characters that a class is tried with, the most readable first. */
const READABLE =
  'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_ .,:;!?@#$%&*+=/\'"()[]{}<>^~|`\\éßñλЖ中あ한😀\t\n';
/** What a dot stands for: something of every kind, so that look-aheads find what they want. */
const ANYTHING = 'aB3!cD4-eF5_g';
const MOST_ATTEMPTS = 3000;
const HIGHEST_CODE_POINT = 0x10ffff;

/**
 * Different texts that match the pattern and are accepted, the plainest first; fewer than asked
 * for where no more were found.
 */
export function matchingTexts(
  pattern: string,
  count: number,
  accepts: (text: string) => boolean,
): string[] {
  const expression = new RegExp(pattern, 'u');
  const tree = new RegExpParser().parsePattern(pattern, 0, pattern.length, { unicode: true });
  const found = new Set<string>();
  for (let attempt = 0; attempt < MOST_ATTEMPTS && found.size < count; attempt++) {
    const writer = new Writer(attempt);
    writer.alternatives(tree.alternatives);
    // A pattern that is not anchored leaves room for more on both sides.
    for (const text of [writer.text, `${writer.text}${'x'.repeat(attempt % 60)}`]) {
      if (found.size < count && expression.test(text) && accepts(text)) found.add(text);
    }
  }
  return [...found];
}

/** Writes one text; the attempt decides every choice. */
class Writer {
  text = '';
  readonly #groups = new Map<AST.CapturingGroup, string>();
  readonly #attempt: number;
  #state: number;

  constructor(attempt: number) {
    this.#attempt = attempt;
    this.#state = attempt;
  }

  /** A number below the limit: 0 on the first attempt, any afterwards. */
  #choose(limit: number): number {
    if (this.#attempt === 0 || limit < 2) return 0;
    // mulberry32
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % limit;
  }

  alternatives(alternatives: readonly AST.Alternative[]): void {
    const chosen = alternatives[this.#choose(alternatives.length)];
    for (const element of chosen?.elements ?? []) this.#element(element);
  }

  #element(element: AST.Element): void {
    switch (element.type) {
      case 'Group':
        this.alternatives(element.alternatives);
        break;
      case 'CapturingGroup': {
        const start = this.text.length;
        this.alternatives(element.alternatives);
        this.#groups.set(element, this.text.slice(start));
        break;
      }
      case 'Quantifier':
        for (let left = this.#times(element); left > 0; left--) this.#element(element.element);
        break;
      case 'Backreference':
        if (!Array.isArray(element.resolved)) {
          this.text += this.#groups.get(element.resolved) ?? '';
        }
        break;
      case 'Character':
        this.text += String.fromCodePoint(element.value);
        break;
      case 'CharacterSet':
      case 'CharacterClass': {
        const characters = charactersOf(element);
        this.text += characters[this.#choose(characters.length)] ?? '';
        break;
      }
      case 'Assertion':
        // What looks around asks for may stand there already: the engine has the last word.
        if ('alternatives' in element && !element.negate && this.#attempt % 2 === 1) {
          this.alternatives(element.alternatives);
        }
        break;
      default:
        break;
    }
  }

  /** The fewest repetitions at first, then some more. */
  #times({ min, max }: AST.Quantifier): number {
    const room = Math.min(max - min, this.#attempt % 3 === 0 ? 2 : this.#attempt % 40);
    return min + this.#choose(room + 1);
  }
}

const charactersByClass = new Map<string, readonly string[]>();

/** Characters of a class, the readable ones alone where it has any. */
function charactersOf(element: AST.CharacterSet | AST.CharacterClass): readonly string[] {
  const cached = charactersByClass.get(element.raw);
  if (cached !== undefined) return cached;
  const characters = element.raw === '.' ? [...ANYTHING] : findCharacters(element);
  charactersByClass.set(element.raw, characters);
  return characters;
}

function findCharacters(element: AST.CharacterSet | AST.CharacterClass): readonly string[] {
  const expression = new RegExp(`^${element.raw}$`, 'u');
  const candidates = new Set([...READABLE, ...namedIn(element)]);
  const found = [...candidates].filter((character) => expression.test(character));
  if (found.length > 0) return found;
  for (let point = 1; point <= HIGHEST_CODE_POINT && found.length < 50; point++) {
    const character = String.fromCodePoint(point);
    if (character.isWellFormed() && expression.test(character)) found.push(character);
  }
  return found;
}

/** The characters that a class names, and the first ones of its ranges. */
function namedIn(element: AST.CharacterSet | AST.CharacterClass): readonly string[] {
  if (element.type !== 'CharacterClass') return [];
  const points = element.elements.flatMap((part) => {
    if (part.type === 'Character') return [part.value];
    if (part.type !== 'CharacterClassRange') return [];
    const length = Math.min(part.max.value - part.min.value + 1, 30);
    return Array.from({ length }, (_none, at) => part.min.value + at);
  });
  return points
    .filter((point) => point > 0)
    .map((point) => String.fromCodePoint(point))
    .filter((character) => character.isWellFormed());
}
