/** The words of a search in emitted services. */
import { expect, test } from 'vitest';

import { searchWords } from '../../../templates/service/src/platform/http/search-words.ts';

test.each([
  ['The Left-Hand of  Darkness!', ['the', 'left', 'hand', 'of', 'darkness']],
  ['café CAFÉ cafe', ['café', 'cafe']],
  ['cafe\u0301', ['café']],
  ['Straße STRASSE', ['strasse']],
  ['ΟΔΟΣ οδός Οδοσ', ['οδος', 'οδός']],
  ['ẞx ßX', ['ssx']],
  ['İstanbul i̇STANBUL', ['i', 'stanbul']],
  ['foo_bar foo.bar@x', ['foo', 'bar', 'x']],
  ['第1章 ٣', ['第1章', '٣']],
  ['the the', ['the']],
  ['!?%_*', []],
  ['', []],
])('the words of %j are %j', (text, words) => {
  expect(searchWords(text)).toEqual(words);
});

test('several texts give their words together, and what is empty none', () => {
  expect(searchWords('a b', null, 'b c')).toEqual(['a', 'b', 'c']);
});

test('words too long for an index are still told apart whole', () => {
  const long = 'x'.repeat(10_000);
  const [word] = searchWords(long);
  expect(word?.length).toBeLessThan(100);
  expect(searchWords(`${long}y`)).not.toEqual([word]);
  expect(searchWords(long.toUpperCase())).toEqual([word]);
});

test('a letter with more marks than any writing has takes no time', () => {
  // Put in order one by one, so many marks would take minutes.
  expect(searchWords(`a${'\u0301\u0316'.repeat(250_000)}b`)).toHaveLength(2);
});

test('of each text the first 10,000 different words count', () => {
  const numbers = Array.from({ length: 20_000 }, (_, at) => `w${at}`);
  const long = numbers.join(' ');
  expect(searchWords(long)).toEqual(numbers.slice(0, 10_000));
  // A word that stands twice counts once, and one long text takes nothing from another.
  expect(searchWords(`w0 w0 ${long}`)).toEqual(numbers.slice(0, 10_000));
  expect(searchWords(long, 'other')).toEqual([...numbers.slice(0, 10_000), 'other']);
});
