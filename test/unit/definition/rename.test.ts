/** A service gets another name, and its definition keeps every other character. */
import { expect, test } from 'vitest';

import { renameService } from '../../../src/definition/rename-service.ts';

function renamed(text: string, name = 'reading-room'): string {
  const file = { path: 'service.yaml', bytes: new TextEncoder().encode(text) };
  return new TextDecoder().decode(renameService(file, name).bytes);
}

test.each([
  ['# a\nname: shop # b\ntitle: Shop\n', '# a\nname: reading-room # b\ntitle: Shop\n'],
  ['name: "shop"\n', 'name: reading-room\n'],
  ['name:\ntitle: Shop\n', 'name: reading-room\ntitle: Shop\n'],
  ['# a\ntitle: Shop\n', '# a\nname: reading-room\ntitle: Shop\n'],
  ['  title: Shop\n  roles: []\n', '  name: reading-room\n  title: Shop\n  roles: []\n'],
  ['{"title": "Shop"}', '{"name": "reading-room", "title": "Shop"}'],
  ['{"name": "shop"}', '{"name": "reading-room"}'],
  ['title: Shop\r\nname: shop\r\n', 'title: Shop\r\nname: reading-room\r\n'],
])('%j', (before, after) => {
  expect(renamed(before)).toBe(after);
});

test('a word that YAML reads as something else is quoted', () => {
  expect(renamed('name: shop\n', 'no')).toBe('name: "no"\n');
});

test.each([
  'name: reading-room\n',
  "name: 'reading-room'\n",
  'name: [shop]\n',
  '- a\n',
  'a: [\n',
  '',
])('%j stays as it is', (text) => {
  expect(renamed(text)).toBe(text);
});
