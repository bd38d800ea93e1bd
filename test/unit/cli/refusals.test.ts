/** What is refused: what is said of it, and the exit status. */
import { chmodSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';

import { describe, expect, test } from 'vitest';

import { BOOKSHOP, FAST, cli, firstLine, usePlace } from './support.ts';

const place = usePlace();

describe('refusals', () => {
  test('of definitions: a line each, how many, and nothing written', async () => {
    const broken = 'collections:\n  book:\n    fields: { get: { type: strng } }\n';
    writeFileSync(path.join(place.path, 'broken.yaml'), broken);
    const { exitCode, stdout, stderr } = await cli(place, [
      'my-api',
      '--from',
      'broken.yaml',
      ...FAST,
    ]);
    expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' });
    const lines = stderr.trimEnd().split('\n');
    expect(lines[0]).toBe(
      'broken.yaml:2:3 error name "book" is singular: collections are plural. Write "books".',
    );
    expect(lines.at(-1)).toBe(`${lines.length - 1} problems in 1 file.`);
    expect(readdirSync(place.path)).toEqual(['broken.yaml']);

    const json = await cli(place, ['my-api', '--from', 'broken.yaml', '--json', ...FAST]);
    expect({ exitCode: json.exitCode, stderr: json.stderr }).toEqual({ exitCode: 1, stderr: '' });
    expect(JSON.parse(json.stdout)).toMatchObject({
      ok: false,
      issues: expect.arrayContaining([
        expect.objectContaining({ file: 'broken.yaml', line: 2, column: 3 }),
      ]),
    });
  });

  test('of the command line: status 2', async () => {
    const { exitCode, stdout, stderr } = await cli(place, ['--frm', 'x']);
    expect({ exitCode, stdout, stderr }).toEqual({
      exitCode: 2,
      stdout: '',
      stderr: 'error there is no option --frm: did you mean --from?\nSee create-service --help.\n',
    });
    const json = await cli(place, ['--frm', 'x', '--json']);
    expect(JSON.parse(json.stdout)).toEqual({
      ok: false,
      issues: [
        {
          code: 'usage',
          message: 'there is no option --frm: did you mean --from?',
          hint: 'See create-service --help.',
        },
      ],
    });
  });

  test.each([
    ['a folder with something in it', 'taken', 2, 'taken is not empty: it holds a'],
    ['a file', 'taken/a', 2, 'taken/a is a file, and a service needs a folder'],
    [
      'a path through a file',
      'taken/a/b/c',
      2,
      'a part of the path taken/a/b/c is a file, not a folder',
    ],
  ])('of %s', async (_what, target, status, message) => {
    mkdirSync(path.join(place.path, 'taken'));
    writeFileSync(path.join(place.path, 'taken/a'), '');
    const { exitCode, stderr } = await cli(place, [target, ...FAST, '--from', BOOKSHOP]);
    expect({ exitCode, message: firstLine(stderr) }).toEqual({
      exitCode: status,
      message: `error ${message}`,
    });
    expect(readdirSync(place.path)).toEqual(['taken']);
  });

  test('of a folder that may not be written', async () => {
    chmodSync(place.path, 0o555);
    // The superuser may write anywhere, and is somebody else for this.
    const nobody = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
    const { exitCode, stderr } = await cli(place, ['my-api', ...FAST, '--from', BOOKSHOP], nobody);
    chmodSync(place.path, 0o700);
    expect({ exitCode, message: firstLine(stderr) }).toEqual({
      exitCode: 1,
      message: 'error permission denied: my-api',
    });
  });
});
