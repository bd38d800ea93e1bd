/** Parses `Accept` headers and weighs media types against them (RFC 9110, section 12.5.1). */

/** One media range of an `Accept` header. */
interface MediaRange {
  /** Lower case: `application/json`, `application/*` or `*` with `/*`. */
  readonly type: string;
  readonly parameters: ReadonlyMap<string, string>;
  /** The weight, from 0 (not acceptable) to 1. */
  readonly q: number;
}

/** A parsed `Accept` header. */
export type Accept = readonly MediaRange[];

const TOKEN = String.raw`[!#$%&'*+.^_\x60|~0-9A-Za-z-]+`;
const TYPE = new RegExp(`^(${TOKEN}/${TOKEN})$`);
const PARAMETER = new RegExp(String.raw`^(${TOKEN})=(?:(${TOKEN})|"((?:[^"\\]|\\.)*)")$`, 's');
/** The zero before the point may be missing: `HttpURLConnection` of Java 8 to 18 sends `q=.2`. */
const WEIGHT = /^(?:0(?:\.\d{0,3})?|\.\d{1,3}|1(?:\.0{0,3})?)$/;
/** `utf8` is the label that many clients send; the registered name of the charset is `UTF-8`. */
const UTF_8_LABEL = /^utf-?8$/i;

/**
 * Parses an `Accept` header. Malformed ranges are ignored. A missing or empty header accepts
 * everything.
 */
export function parseAccept(header: string | undefined): Accept {
  if (header === undefined || header.trim() === '') {
    return [{ type: '*/*', parameters: new Map(), q: 1 }];
  }
  return splitOutsideQuotes(header, ',').flatMap((part) => parseMediaType(part) ?? []);
}

/**
 * The weight of a media type: that of the most specific range that matches it, or 0 for none.
 * @param parameters those that the type has, and that a range may name. Without them, the parameters
 * of ranges are ignored: of `application/json`, clients send `profile`, `odata.metadata` and others.
 */
export function weightOf(
  accept: Accept,
  type: string,
  parameters?: ReadonlyMap<string, string>,
): number {
  let weight = 0;
  let closest = -1;
  for (const range of accept) {
    const specificity = specificityFor(range, type, parameters);
    if (specificity < 0) continue;
    if (specificity > closest || (specificity === closest && range.q > weight)) {
      closest = specificity;
      weight = range.q;
    }
  }
  return weight;
}

/** How specifically a range matches the type; -1 if it does not match. */
function specificityFor(
  range: MediaRange,
  type: string,
  parameters: ReadonlyMap<string, string> | undefined,
): number {
  if (range.type === '*/*') return 0;
  if (range.type.endsWith('/*')) return type.startsWith(range.type.slice(0, -1)) ? 1 : -1;
  if (range.type !== type) return -1;
  if (parameters === undefined) return 2;
  for (const [name, value] of range.parameters) {
    if (parameters.get(name)?.toLowerCase() !== value.toLowerCase()) return -1;
  }
  return 2 + range.parameters.size;
}

/** Parses a media type or range with its parameters; undefined if it is malformed. */
export function parseMediaType(text: string): MediaRange | undefined {
  const [head = '', ...rest] = splitOutsideQuotes(text, ';');
  const type = TYPE.exec(head.trim())?.[1]?.toLowerCase();
  if (type === undefined) return undefined;
  const parameters = new Map<string, string>();
  for (const part of rest) {
    if (part.trim() === '') continue;
    const match = PARAMETER.exec(part.trim());
    if (match === null) return undefined;
    const name = (match[1] ?? '').toLowerCase();
    const value = match[2] ?? (match[3] ?? '').replace(/\\(.)/gs, '$1');
    if (name === 'q') {
      // Parameters after the weight are obsolete extensions (RFC 9110, section 12.5.1).
      return WEIGHT.test(value) ? { type, parameters, q: Number(value) } : undefined;
    }
    parameters.set(name, name === 'charset' && UTF_8_LABEL.test(value) ? 'utf-8' : value);
  }
  return { type, parameters, q: 1 };
}

function splitOutsideQuotes(text: string, separator: string): string[] {
  const parts: string[] = [];
  let start = 0;
  let quoted = false;
  for (let at = 0; at < text.length; at++) {
    const character = text[at];
    if (quoted && character === '\\') at++;
    else if (character === '"') quoted = !quoted;
    else if (!quoted && character === separator) {
      parts.push(text.slice(start, at));
      start = at + 1;
    }
  }
  parts.push(text.slice(start));
  return parts;
}
