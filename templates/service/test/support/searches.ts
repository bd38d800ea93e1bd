/** Searches for words of items, and what they find. */

/** Searches for words of items, and the items that they find. @param members those that are searched. */
export function searchesOf<Listed extends object>(
  items: readonly Listed[],
  members: readonly (keyof Listed)[],
): [q: string, found: Listed[]][] {
  const texts = items.map((item) => wordsOf(members.map((member) => item[member] ?? '').join(' ')));
  const [first = 'nothing', second = first] =
    texts.find(({ length }) => length > 1) ?? texts.find(({ length }) => length > 0) ?? [];
  const searches = [
    first.toUpperCase(),
    `${second} -- ${first}`,
    `${first.slice(0, -1) || 'unheardof'}%`,
    `${first} unheardof`,
    'ÉLAN STRASSE',
    'elan',
  ];
  return searches.map((q) => {
    const wanted = wordsOf(q);
    return [q, items.filter((_, n) => wanted.every((word) => texts[n]?.includes(word)))];
  });
}

const wordsOf = (text: string): string[] =>
  (text.normalize('NFC').match(/[\p{L}\p{Nd}]+/gu) ?? []).map((word) =>
    word.toUpperCase().toLowerCase(),
  );
