/** Example texts: of a length, a form and a pattern. */
import { hasFormat } from './formats.ts';
import type { StringFormat } from './formats.ts';
import { matchingTexts } from './pattern-samples.ts';
import type { StringOrText } from './text.ts';

/** How many characters a text has, as people count them. */
export const characterCount = (text: string): number => [...text].length;

/** Whether a field of this type takes the text. */
export function acceptsText(type: StringOrText, text: string): boolean {
  if (!text.isWellFormed() || text.includes('\0')) return false;
  const length = characterCount(text);
  if (length > (type.maxLength ?? Infinity)) return false;
  if (type.type === 'text') return true;
  return (
    length >= (type.minLength ?? 0) &&
    (type.pattern === undefined || compilePattern(type.pattern).test(text)) &&
    (type.format === undefined || hasFormat(text, type.format))
  );
}

/** To compile a pattern takes longer than to try it. */
const compiledPatterns = new Map<string, RegExp>();

function compilePattern(pattern: string): RegExp {
  const expression = compiledPatterns.get(pattern) ?? new RegExp(pattern, 'u');
  compiledPatterns.set(pattern, expression);
  return expression;
}

/** Different texts that a type takes, the plainest first. `name` is what plain ones are called. */
export function differentTexts(
  type: StringOrText,
  count: number,
  name: string,
  given: readonly string[] = [],
): string[] {
  const found = new Set(given.filter((text) => acceptsText(type, text)));
  const add = (texts: Iterable<string>): void => {
    for (const text of texts) {
      if (found.size >= count) return;
      if (acceptsText(type, text)) found.add(text);
    }
  };
  if (type.type === 'string' && type.format !== undefined) add(formattedTexts(type.format, type));
  if (type.type === 'text' || (type.format === undefined && type.pattern === undefined)) {
    add(plainTexts(type, name));
  }
  if (type.type === 'string' && type.pattern !== undefined) {
    add(numberedTexts([...found].slice(0, 1), count));
    if (found.size < count) {
      const matching = cachedMatchingTexts(type, type.pattern, count);
      add(numberedTexts(matching.slice(0, 1), count));
      add(matching);
    }
    add(plainTexts(type, name));
  }
  if (found.size < count) add(shortestTexts());
  return [...found];
}

/** The collections of a service have patterns in common, and to think of texts for one takes long. */
const matchingByKey = new Map<string, readonly string[]>();

function cachedMatchingTexts(
  type: StringOrText,
  pattern: string,
  count: number,
): readonly string[] {
  const key = JSON.stringify([count, type]);
  const matching =
    matchingByKey.get(key) ?? matchingTexts(pattern, count, (text) => acceptsText(type, text));
  matchingByKey.set(key, matching);
  return matching;
}

function* formattedTexts(format: StringFormat, type: StringOrText): Generator<string> {
  const minLength = type.type === 'string' ? (type.minLength ?? 0) : 0;
  for (let n = 1; n <= 60; n++) {
    const pad = (text: string, length: number): string =>
      text + 'x'.repeat(Math.max(0, minLength - length));
    switch (format) {
      case 'email':
        yield pad(`reader-${n}@example.org`, 24 + String(n).length);
        yield `reader-${n}@${'mail.'.repeat(Math.ceil(minLength / 5))}example.org`;
        yield `${n.toString(36)}@a.io`;
        break;
      case 'uri':
        yield pad(`https://example.org/${n}`, 20 + String(n).length);
        yield `a:${n.toString(36)}`;
        break;
      case 'hostname':
        yield `host-${n}.example.org`;
        yield `host-${n}.${'sub.'.repeat(Math.ceil(minLength / 4))}example.org`;
        yield `h${n.toString(36)}`;
        break;
      case 'ipv4':
        yield `192.0.2.${n}`;
        yield `198.51.100.${100 + n}`;
        yield `1.1.1.${n % 10}`;
        break;
      case 'ipv6':
        yield `2001:db8::${n.toString(16)}`;
        yield `2001:db8:1111:2222:3333:4444:5555:${(0x1000 + n).toString(16)}`;
        yield `::${n.toString(16)}`;
        break;
      case 'slug':
        yield pad(`sample-${n}`, 7 + String(n).length);
        yield n.toString(36);
        break;
    }
  }
}

function* plainTexts(type: StringOrText, name: string): Generator<string> {
  const words = name.replaceAll('_', ' ');
  const minLength = type.type === 'string' ? (type.minLength ?? 0) : 0;
  for (let n = 1; n <= 60; n++) {
    const text = `${words.charAt(0).toUpperCase()}${words.slice(1)} ${n}`;
    yield text + 'x'.repeat(Math.max(0, minLength - characterCount(text)));
  }
}

function* shortestTexts(): Generator<string> {
  for (const text of '123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0') yield text;
  for (let n = 0; n < 60; n++) yield n.toString(36).padStart(2, '0');
  yield '';
}

/** The same text with other numbers in it, where it has a run of digits. */
function* numberedTexts(texts: readonly string[], count: number): Generator<string> {
  for (const text of texts) {
    const run = /[0-9]{2}(?=[^0-9]*$)/.exec(text);
    if (run === null) continue;
    const { index } = run;
    for (let n = 1; n <= count; n++)
      yield `${text.slice(0, index)}${String(n).padStart(2, '0')}${text.slice(index + 2)}`;
  }
}
