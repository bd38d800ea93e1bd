/** Bytes and syntax: encodings, sizes, nesting, anchors, and what YAML 1.2 makes of plain words. */
import { describe, expect, test } from 'vitest';
import { parseFolder, parseSingleFile } from '../../../src/definition/index.ts';
import { lines, OPTIONS, service, single, textOf, withoutPositions } from './support.ts';

const TEXT = 'name: shop\ncollections:\n  books:\n    fields: { title: { type: string } }\n';

/**
 * Milliseconds for what alone on a machine takes a hundred: a guard against what grows without end,
 * on a machine that has other things to do.
 */
const AT_ONCE = 60_000;

function bytesOf(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

async function linesOf(bytes: Uint8Array): Promise<readonly string[]> {
  return lines(await parseSingleFile({ path: 'shop.yaml', bytes }, OPTIONS));
}

describe('encodings', () => {
  test('a byte order mark and CRLF are fine, and gone from what is emitted', async () => {
    const crlf = TEXT.replaceAll('\n', '\r\n');
    const plain = await single(TEXT);
    for (const text of [crlf, `\ufeff${TEXT}`, `\ufeff${crlf}`, TEXT.replaceAll('\n', '\r')]) {
      const read = await single(text);
      expect(read).toEqual(plain);
    }
    const file = {
      path: 'definitions/collections/books.yaml',
      bytes: bytesOf('\ufefffields:\r\n  a: { type: json }\r\n'),
    };
    const read = await parseFolder([file], OPTIONS);
    expect(read.ok && textOf(read.files[1]!)).toBe(
      '# yaml-language-server: $schema=../../node_modules/create-service/schema/collection.schema.json\nfields:\n  a: { type: json }\n',
    );
  });

  test('positions are right behind a byte order mark, CRLF, and characters of several bytes', async () => {
    const text = '\ufeffname: shop\r\ntitle: "é😀"\r\ncollections: { "é": x, books: 5 }\r\n';
    expect(lines(await single(text))).toEqual([
      'shop.yaml:3:21 error collection "é" is text, not a map. Write "fields:" under it.',
      'shop.yaml:3:31 error collection "books" is a number, not a map. Write "fields:" under it.',
    ]);
    // A column counts UTF-16 units, as editors do.
    expect(
      lines(
        await single(
          '{ title: "😀", x: 1, collections: { books: { fields: { a: { type: json } } } } }',
        ),
      ),
    ).toEqual([expect.stringMatching(/^shop\.yaml:1:16 error key "x" is not known/)]);
  });

  test.each([
    ['latin-1', [...bytesOf('name: caf'), 0xe9, 0x0a], '1:10 error the byte 0xE9'],
    [
      'a character that is cut off',
      [...bytesOf('name: x\na: '), 0xf0, 0x9f, 0x98],
      '2:4 error the byte 0xF0',
    ],
    ['an overlong form', [0x61, 0xc0, 0x80], '1:2 error the byte 0xC0'],
    ['another overlong form', [0xe0, 0x80, 0x80], '1:1 error the byte 0xE0'],
    ['a surrogate', [0x0d, 0x0a, 0xc3, 0xa9, 0xed, 0xa0, 0x80], '2:2 error the byte 0xED'],
    ['a number beyond Unicode', [0xf4, 0x90, 0x80, 0x80], '1:1 error the byte 0xF4'],
    ['a byte that begins nothing', [0x61, 0x80], '1:2 error the byte 0x80'],
  ])('%s is refused', async (_, bytes, start) => {
    expect(await linesOf(Uint8Array.from(bytes))).toEqual([
      `shop.yaml:${start} is not UTF-8: definitions are UTF-8. Save the file as UTF-8.`,
    ]);
  });

  test('UTF-16 is refused by its name', async () => {
    const little = new Uint8Array(Buffer.from(`\ufeff${TEXT}`, 'utf16le'));
    const big = little.slice();
    new DataView(big.buffer).setUint16(0, 0xfeff);
    for (const bytes of [little, big]) {
      expect(await linesOf(bytes)).toEqual([
        'shop.yaml:1:1 error the file is UTF-16: definitions are UTF-8. Save it as UTF-8.',
      ]);
    }
  });

  test('a file of more than 1 MiB is refused, and one of 1 MiB is read', async () => {
    const filled = TEXT + '#'.repeat(1024 * 1024 - TEXT.length);
    expect(await linesOf(bytesOf(filled))).toEqual([]);
    expect(await linesOf(bytesOf(`${filled}#`))).toEqual([
      'shop.yaml:1:1 error the file has 1.0 MiB: a definition file holds at most 1 MiB. Split it.',
    ]);
  });

  test.each([0, 7, 0x0b, 0x1b])('the control character %i is refused', async (code) => {
    const hex = code.toString(16).toUpperCase().padStart(4, '0');
    expect(lines(await single(`name: shop\ntitle: "a${String.fromCharCode(code)}"`))).toEqual([
      `shop.yaml:2:10 error the control character U+${hex} may not stand in a file. Remove it.`,
    ]);
  });
});

/** A definition with a default of so many lists in each other. */
function nested(levels: number): string {
  return TEXT.replace('string', `json, default: ${'['.repeat(levels)}${']'.repeat(levels)}`);
}

describe('nesting', () => {
  const deep = 'error values are nested deeper than 64 levels: no definition needs that.';
  test.each([
    ['brackets', '['.repeat(500_000), '1:65'],
    ['closed brackets', '['.repeat(500_000) + ']'.repeat(500_000), '1:65'],
    ['braces', '{ a: '.repeat(200_000), '1:321'],
    ['dashes', '- '.repeat(500_000), '1:129'],
    ['questions', '? '.repeat(500_000), '1:129'],
    [
      'indentation',
      Array.from({ length: 1400 }, (_, i) => `${' '.repeat(i)}a:\n`).join(''),
      '66:66',
    ],
  ])('of %s is refused in no time', async (_, text, place) => {
    const start = performance.now();
    expect(lines(await single(text))).toEqual([`shop.yaml:${place} ${deep}`]);
    expect(performance.now() - start).toBeLessThan(AT_ONCE);
  });

  test('brackets in texts and comments are none', async () => {
    const text = `${TEXT}# ${'['.repeat(100)}\ntitle: "${'{'.repeat(100)}"\ndescription: |\n  ${'['.repeat(100)}\n  ${'- '.repeat(100)}\n`;
    expect(lines(await single(text))).toEqual([]);
  });

  test('64 levels are fine', async () => {
    expect(lines(await single(nested(60)))).toEqual([]);
    expect(lines(await single(nested(61)))).toHaveLength(1);
  });
});

describe('anchors', () => {
  test('aliases and merge keys work, within a collection and across', async () => {
    const text = [
      'collections:',
      '  books:',
      '    fields: &fields',
      '      title: &title { type: string, max_length: 5 }',
      '      subtitle: *title',
      '      isbn: { <<: *title, max_length: 13, unique: true }',
      '      note: { <<: [*title, { max_length: 9, required: true }] }',
      '    permissions: &open { read: public }',
      '  plays:',
      '    fields: { <<: *fields, title: { type: text } }',
      '    permissions: *open',
    ];
    const plain = [
      'collections:',
      '  books:',
      '    fields:',
      '      title: { type: string, max_length: 5 }',
      '      subtitle: { type: string, max_length: 5 }',
      '      isbn: { max_length: 13, unique: true, type: string }',
      '      note: { type: string, max_length: 5, required: true }',
      '    permissions: { read: public }',
      '  plays:',
      '    fields:',
      '      title: { type: text }',
      '      subtitle: { type: string, max_length: 5 }',
      '      isbn: { max_length: 13, unique: true, type: string }',
      '      note: { type: string, max_length: 5, required: true }',
      '    permissions: { read: public }',
    ];
    const read = await single(text.join('\n'));
    expect(withoutPositions(service(read))).toEqual(
      withoutPositions(service(await single(plain.join('\n')))),
    );
    const split = read.ok ? await parseFolder(read.files, OPTIONS) : read;
    expect(withoutPositions(service(split))).toEqual(withoutPositions(service(read)));
    expect(read.ok && textOf(read.files[2]!)).not.toMatch(/[&*]|<</);
  });

  test('an anchor may be set again', async () => {
    const fields = '{ a: &x { type: string }, b: *x, c: &x { type: text }, d: *x }';
    const read = service(await single(`collections: { books: { fields: ${fields} } }`));
    expect(read.collections[0]!.fields.map(({ type }) => type.type)).toEqual([
      'string',
      'string',
      'text',
      'text',
    ]);
  });

  test('merges that multiply are refused in no time', async () => {
    const map = Array.from({ length: 3000 }, (_, index) => `k${index}: 1`).join(', ');
    const text = `a: &a { ${map} }\n${Array.from({ length: 3000 }, (_, index) => `m${index}: { <<: *a }`).join('\n')}\n`;
    const start = performance.now();
    expect(lines(await single(text))).toEqual([
      expect.stringContaining('error the aliases of this file expand to more than 20000 values.'),
    ]);
    expect(performance.now() - start).toBeLessThan(AT_ONCE);
  });

  test('a map of very many keys is read in no time', async () => {
    const text = Array.from({ length: 60_000 }, (_, index) => `k${index}: 1`).join('\n');
    const start = performance.now();
    expect(lines(await single(text)).length).toBe(60_001);
    expect(performance.now() - start).toBeLessThan(AT_ONCE);
  });
});

describe('YAML 1.2', () => {
  test('yes, no, on and off are text, and so are dates', async () => {
    const text =
      'collections: { books: { fields: { a: { type: enum, values: [yes, no, on, off, y, 2026-01-01] } } } }';
    expect(service(await single(text)).collections[0]!.fields[0]!.type).toMatchObject({
      values: ['yes', 'no', 'on', 'off', 'y', '2026-01-01'],
    });
  });

  test('keys are names as they are written', async () => {
    const text =
      'collections: { books: { fields: { null: { type: json }, true: { type: json }, on: { type: json } } } }';
    expect(service(await single(text)).collections[0]!.fields.map(({ name }) => name)).toEqual([
      'null',
      'true',
      'on',
    ]);
  });

  test('tags of the core, a directive of 1.2 and markers of the document are fine', async () => {
    const text = `%YAML 1.2\n---\n${TEXT.replace('shop', '!!str shop')}...\n`;
    expect(lines(await single(text))).toEqual([]);
  });

  test('JSON with tabs and escapes is read', async () => {
    const text =
      '{\n\t"title": "a\\/\\u00e9\\ud83d\\ude00",\n\t"collections": {\n\t\t"books": {"fields": {"a": {"type": "json"}}}\n\t}\n}\n';
    expect(service(await single(text, 'shop.json')).title).toBe('a/é😀');
  });
});
