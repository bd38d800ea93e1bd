/** What `explain` prints. */

import path from 'node:path';

import { describe, expect, test } from 'vitest';

import { BOOKSHOP, cli, firstLine, ROOT, usePlace } from './support.ts';

const place = usePlace();

describe('explain', () => {
  test('prints a table, a document or a diagram', async () => {
    const table = await cli(place, ['explain', '--from', BOOKSHOP]);
    expect(table.stdout).toMatch(/^GET +\/authors\/\{id\}\/books +public +200 404 410 414$/m);
    // A row is as wide as it is; sentences fit the narrowest terminal that most have.
    const sentences = table.stdout.split('\n').filter((line) => /\w[.;]$/.test(line));
    expect(sentences.length).toBeGreaterThan(1);
    for (const line of sentences) expect(line.length).toBeLessThanOrEqual(80);
    const { stdout } = await cli(place, ['explain', '--from', BOOKSHOP, '--json']);
    expect(JSON.parse(stdout)).toMatchObject({
      ok: true,
      service: { name: 'bookshop', versions: [1] },
      endpoints: expect.arrayContaining([
        {
          method: 'PATCH',
          path: '/reviews/{id}',
          collection: 'reviews',
          permission: ['admin', 'owner'],
          needsRead: false,
          statuses: [200, 403, 404, 410, 412, 413, 415, 422],
        },
      ]),
    });
    const diagram = await cli(place, ['explain', '--from', BOOKSHOP, '--format', 'mermaid']);
    expect(diagram.stdout).toContain('  authors ||--o{ books : author_id\n');
    const states = await cli(place, ['explain', '--from', BOOKSHOP, '--format', 'states']);
    expect(states.stdout).toBe('No field has transitions.\n');
  });

  test('draws the steps between the values of each field', async () => {
    const from = path.join(ROOT, 'test/definitions/everything');
    const { stdout } = await cli(place, ['explain', '--from', from, '--format', 'states']);
    expect(stdout).toContain('# rentals.status\n\n```mermaid\nstateDiagram-v2\n');
    expect(stdout.match(/^```$/gm)).toHaveLength(stdout.match(/^# /gm)?.length ?? 0);
  });

  test('says which values are unique, and among which items', async () => {
    const from = path.join(ROOT, 'test/definitions/everything');
    const { stdout } = await cli(place, ['explain', '--from', from]);
    const text = stdout.split('Values that another item has already are refused (409):\n')[1];
    expect(text?.split('\n\n')[0]?.split('\n')).toEqual(
      expect.arrayContaining([
        '  constructors: function',
        '  team_members: team_id and person_id',
        "  team_members: person_id where role = 'guest'",
      ]),
    );
    const document = JSON.parse((await cli(place, ['explain', '--from', from, '--json'])).stdout);
    expect(document).toMatchObject({
      unique: expect.arrayContaining([
        { collection: 'constructors', members: ['function'] },
        { collection: 'team_members', members: ['person_id'], where: "role = 'guest'" },
      ]) as unknown,
    });
  });

  test('says which other items a deletion changes', async () => {
    const from = path.join(ROOT, 'test/definitions/everything');
    const { stdout } = await cli(place, ['explain', '--from', BOOKSHOP]);
    const lines = [
      'Deletions change other items, whose hooks do not run:',
      '  books: deletes the reviews that refer to the item (book_id)',
    ];
    expect(stdout.endsWith(`\n\n${lines.join('\n')}\n`)).toBe(true);
    const document = JSON.parse((await cli(place, ['explain', '--from', from, '--json'])).stdout);
    expect(document).toMatchObject({
      deletions: expect.arrayContaining([
        { deleted: 'folders', collection: 'files', field: 'folder_id', effect: 'cascade' },
        { deleted: 'users', collection: 'comments', field: 'author_id', effect: 'clear' },
      ]) as unknown,
    });
    const minimal = path.join(ROOT, 'examples/minimal.yaml');
    const { stdout: alone } = await cli(place, ['explain', '--from', minimal]);
    expect(alone).not.toContain('Deletions');
  });

  test('says what older versions have otherwise', async () => {
    const from = path.join(ROOT, 'test/cases/versions/definitions.yaml');
    const { stdout } = await cli(place, ['explain', '--from', from]);
    expect(stdout).toMatch(/^GET +\/people\/\{id\}\/books +public /m);
    expect(stdout).toContain('\nVersion 1 has these paths:\n  /books\n  /books/{id}\n');
    expect(stdout).toContain('\n  people.name: full_name -> name\n');
    expect(stdout).toContain('\n  /loans: exists -> removed\n');
    const document = JSON.parse((await cli(place, ['explain', '--from', from, '--json'])).stdout);
    expect(document).toMatchObject({
      older: [
        { version: 2, next: 3 },
        {
          version: 1,
          next: 2,
          changes: expect.arrayContaining([
            { what: 'books.isbn', before: '`ean`', now: '`isbn`' },
          ]) as unknown,
        },
      ],
    });
  });

  test('needs definitions', async () => {
    const { exitCode, stderr } = await cli(place, ['explain']);
    expect({ exitCode, message: firstLine(stderr) }).toEqual({
      exitCode: 2,
      message: 'error there are no definitions in .',
    });
  });
});
