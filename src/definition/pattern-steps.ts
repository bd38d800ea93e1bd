/**
 * An upper bound for the steps of a pattern that is a plain row of characters and classes, each
 * with or without a quantifier. Such a row has no more ways to match than the product of the
 * choices of its quantifiers, so that no analysis is needed.
 */

/** One character, class, escape or assertion, and perhaps a quantifier after it. */
const ATOM = new RegExp(
  [
    // A class; \[ and \] inside it are escapes.
    '(?<class>\\[(?:\\\\[^]|[^\\]\\\\])*\\])',
    // Escapes of several characters before those of one; \1 and \k are references.
    '(?<escape>\\\\(?:u\\{[0-9A-Fa-f]+\\}|u[0-9A-Fa-f]{4}|x[0-9A-Fa-f]{2}|[pP]\\{[^}]*\\}|c[A-Za-z]|[^1-9k]))',
    '(?<assertion>[$^])',
    '(?<plain>[^\\\\^$.*+?()[\\]{}|]|\\.)',
  ].join('|'),
  'uy',
);
const QUANTIFIER = /(?:[*+?]|\{([0-9]+)(?:(,)([0-9]*))?\})\??/uy;

/** How many steps a match can take on a text of a length; undefined where that is not plain. */
export function boundSteps(pattern: string, length: number): number | undefined {
  let choices = pattern.startsWith('^') ? 1 : length;
  let width = 1;
  let index = 0;
  while (index < pattern.length) {
    ATOM.lastIndex = index;
    const atom = ATOM.exec(pattern);
    if (atom === null) return undefined;
    index = ATOM.lastIndex;
    QUANTIFIER.lastIndex = index;
    const quantifier = QUANTIFIER.exec(pattern);
    if (quantifier === null) {
      width += 1;
      continue;
    }
    index = QUANTIFIER.lastIndex;
    const [least, most] = rangeOf(quantifier, length);
    choices *= Math.min(most, length) - Math.min(least, length) + 1;
    width += Math.min(least, length);
  }
  // After each choice the rest of the row may be walked once.
  return choices * width;
}

function rangeOf(quantifier: RegExpExecArray, length: number): readonly [number, number] {
  const [whole, least, comma, most] = quantifier;
  if (least === undefined) return whole.startsWith('?') ? [0, 1] : [0, length];
  if (comma === undefined) return [Number(least), Number(least)];
  return [Number(least), most === '' ? length : Number(most)];
}

const BOUNDED = /(\((?:\?(?:[:=!]|<[=!]?))?)|(\))|(\|)|\?\??|\{([0-9]+)(?:,([0-9]+))?\}\??/g;

/**
 * How many ways alternatives and quantifiers with an upper bound have together, as a power of
 * two: what an analysis of growth does not see, as it stops growing at some length. Estimated
 * from above: a group that repeats is taken to repeat everything.
 */
export function boundedChoices(pattern: string): number {
  const plain = pattern.replace(/\\[^]|\[(?:\\[^]|[^\]\\])*\]?/g, 'x');
  const alternatives = [1];
  let power = 0;
  let repeats = 1;
  for (const { index, ...match } of plain.matchAll(BOUNDED)) {
    const { 0: token, 1: opening, 2: closing, 3: bar, 4: least, 5: most } = match;
    if (opening !== undefined) alternatives.push(1);
    else if (closing !== undefined) power += Math.log2(alternatives.pop() ?? 1);
    else if (bar !== undefined) alternatives.push((alternatives.pop() ?? 1) + 1);
    else if (token.startsWith('?')) power += 1;
    else {
      power += Math.log2(Number(most ?? least) - Number(least) + 1);
      if (plain[index - 1] === ')') repeats *= Math.max(1, Number(most ?? least));
    }
  }
  return (power + Math.log2(alternatives.pop() ?? 1)) * repeats;
}
