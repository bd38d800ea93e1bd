/** What `explain` prints. */

import { describe, expect, test } from 'vitest';

import { BOOKSHOP, cli, firstLine, usePlace } from './support.ts';

const place = usePlace();

describe('explain', () => {
  test('prints a table, a document or a diagram', async () => {
    const table = await cli(place, ['explain', '--from', BOOKSHOP]);
    expect(table.stdout).toMatch(/^GET +\/authors\/\{id\}\/books +public +200 404 410$/m);
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
  });

  test('needs definitions', async () => {
    const { exitCode, stderr } = await cli(place, ['explain']);
    expect({ exitCode, message: firstLine(stderr) }).toEqual({
      exitCode: 2,
      message: 'error there are no definitions in .',
    });
  });
});
