/** `generate` and `check` as one uses them: what they print, write and answer. */
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';

import { describe, expect, test } from 'vitest';

import { cli, FAST, filesIn, firstLine, ROOT, usePlace } from './support.ts';
import type { Ended } from './support.ts';

const place = usePlace();

const at = (file: string): string => path.join(place.path, 'shop', file);
const read = (file: string): string => readFileSync(at(file), 'utf8');
const edit = (file: string, change: (text: string) => string): void =>
  writeFileSync(at(file), change(read(file)));
const all = (): Record<string, string> => filesIn(path.join(place.path, 'shop'));
const within = (...typed: string[]): Promise<Ended> => cli(place, ['--cwd', 'shop', ...typed]);

const DEFINITION = 'definitions/collections/notes.yaml';
const ROUTES = 'src/collections/notes/routes.ts';
const SHAPES = 'src/collections/notes/schema.ts';

/** The smallest service. */
async function make(): Promise<void> {
  const from = path.join(ROOT, 'examples/minimal.yaml');
  await cli(place, ['shop', '--from', from, '--quiet', ...FAST]);
}

/** What a change of the description of a collection touches is text alone. */
const describeNotes = (): void =>
  edit(DEFINITION, (text) =>
    text.replace(/^description: .*$/m, 'description: What one jots down.'),
  );

describe('generate', () => {
  test('does nothing to a new service, nor the second time', async () => {
    await make();
    const before = all();
    const { exitCode, stdout, stderr } = await within('generate');
    expect({ exitCode, stdout, stderr }).toEqual({
      exitCode: 0,
      stdout: '',
      stderr: 'shop is up to date: nothing to do.\n',
    });
    expect(all()).toEqual(before);
  });

  test('brings files up to date, with edits, and says which', async () => {
    await make();
    edit(ROUTES, (text) => `${text}\n// ours\n`);
    describeNotes();

    const dry = await within('generate', '--dry-run', '--diff');
    expect(dry.exitCode).toBe(0);
    expect(dry.stdout).toContain('+ * What one jots down.');
    expect(dry.stderr).toMatch(/Nothing was written\.\n$/);
    expect(read('README.md')).not.toContain('jots');

    const { exitCode, stderr } = await within('generate');
    expect(exitCode).toBe(0);
    expect(stderr).toMatch(/^\d files? updated\n {2}README\.md\n/);
    expect(stderr).toMatch(/shop is up to date\.\n$/);
    expect(read('README.md')).toContain('What one jots down.');
    expect(read(ROUTES)).toContain('// ours');
    const after = all();
    expect((await within('generate')).stderr).toBe('shop is up to date: nothing to do.\n');
    expect(all()).toEqual(after);
  });

  test('asks nobody: there is no git, npm or network where it runs', async () => {
    await make();
    edit(ROUTES, (text) => `${text}\n// ours\n`);
    describeNotes();
    const alone = { env: { PATH: place.path, HTTPS_PROXY: 'http://127.0.0.1:1' } };
    const { exitCode, stderr } = await cli(place, ['--cwd', 'shop', 'generate'], alone);
    expect(exitCode, stderr).toBe(0);
    expect(read(ROUTES)).toContain('// ours');
    expect((await cli(place, ['--cwd', 'shop', 'check'], alone)).exitCode).toBe(0);
  });

  test('names the files of the team where a collection was that has another name, or is gone', async () => {
    await make();
    const own = 'src/collections/notes/prices/of-today.ts';
    mkdirSync(path.dirname(at(own)));
    writeFileSync(at(own), 'export const PRICES = [];\n');
    writeFileSync(
      at('src/collections/notes/rates.ts'),
      "import { findNote } from './repository.ts';\n\nexport const RATES = [findNote];\n",
    );
    writeFileSync(
      at('definitions/collections/jottings.yaml'),
      read(DEFINITION).replace('name: notes', 'name: jottings\nrenamed_from: notes'),
    );
    rmSync(at(DEFINITION));
    const renamed = await within('generate');
    expect(renamed.exitCode, renamed.stderr).toBe(0);
    expect(renamed.stderr).toContain(`
2 files of yours are in the folder of a removed or renamed collection
  ${own}
  src/collections/notes/rates.ts
`);
    expect(renamed.stderr).toContain(`
2 lines of yours still use a removed or changed name
  src/collections/notes/rates.ts:1 findNote, now findJotting
  src/collections/notes/rates.ts:3 findNote, now findJotting
`);
    expect(existsSync(at(own))).toBe(true);
    // It is told once.
    expect((await within('generate')).stderr).not.toContain('of yours');

    rmSync(at('src/collections/notes'), { recursive: true });
    writeFileSync(at('src/collections/jottings/rates.ts'), 'export const RATES = [];\n');
    rmSync(at('definitions/collections/jottings.yaml'));
    writeFileSync(at('definitions/collections/tags.yaml'), 'fields: { name: { type: text } }\n');
    const removed = await within('generate', '--allow-data-loss', '--json');
    expect(JSON.parse(removed.stdout)).toMatchObject({
      strays: ['src/collections/jottings/rates.ts'],
    });
  });

  test('defines a collection, and generates it', async () => {
    await make();
    const { exitCode } = await within('generate', 'collection', 'tags', 'label:string:required');
    expect(exitCode).toBe(0);
    expect(read('definitions/collections/tags.yaml')).toContain(
      '\nname: tags\nfields:\n  label: { type: string, required: true }\n',
    );
    expect(read('src/collections/index.ts')).toContain('tagsRoutes');
    expect((await within('check')).exitCode).toBe(0);

    const again = await within('generate', 'collection', 'tags', 'label:string');
    expect(again.exitCode).toBe(1);
    expect(firstLine(again.stderr)).toBe(
      'error the collection tags exists already, in definitions/collections/tags.yaml',
    );
  });

  test('writes nothing where one word of a collection is wrong and all others are right', async () => {
    await make();
    const before = all();
    const { exitCode, stderr } = await within(
      'generate',
      'collection',
      'tags',
      'label:string',
      'x',
    );
    expect(exitCode).toBe(2);
    expect(stderr).toContain('1 problem. Nothing was written.');
    expect(all()).toEqual(before);
  });

  test('tells all that is wrong with a collection at once, and writes nothing', async () => {
    await make();
    const before = all();
    const { exitCode, stderr } = await within(
      'generate',
      'collection',
      'tag',
      'a:strng',
      'id:text',
      'price:decimal:scale=2',
    );
    expect(exitCode).toBe(2);
    expect(stderr.split('\n').slice(0, 5)).toEqual([
      'error "a:strng": there is no type "strng". Write "string".',
      'error "tag": name "tag" is singular: collections are plural. Write "tags".',
      'error "id:text": field "id" is there already: every item has it. Remove it.',
      expect.stringMatching(/^error "price:decimal:scale=2": .* Write "precision=10", /),
      '4 problems. Nothing was written.',
    ]);
    const json = await within('generate', 'collection', 'tag', 'a:strng', '--json');
    expect(JSON.parse(json.stdout)).toEqual({
      ok: false,
      issues: [
        { code: 'usage', message: '"a:strng": there is no type "strng". Write "string".' },
        {
          code: 'name-plural',
          message: '"tag": name "tag" is singular: collections are plural. Write "tags".',
        },
      ],
    });
    expect(all()).toEqual(before);
  });

  test('leaves a conflict to the team, and goes on once it is resolved', async () => {
    await make();
    edit(SHAPES, (text) => text.replace('A short text that somebody wants to keep.', 'Ours.'));
    describeNotes();
    const { exitCode, stderr } = await within('generate');
    expect(exitCode).toBe(1);
    expect(stderr).toMatch(new RegExp(`^ {2}${SHAPES}:\\d+ `, 'm'));
    expect(stderr).toContain(`the merge is in ${SHAPES}.new, with both sides between markers`);
    expect(stderr).toContain(`Decide at each marker in ${SHAPES}.new, move it over ${SHAPES}, and`);
    expect(read(SHAPES)).toContain('Ours.');
    const marked = read(`${SHAPES}.new`);
    expect(marked).toMatch(
      /<<<<<<< on disk\n.*Ours\..*\n=======\n.*What one jots down\..*\n>>>>>>> generated\n/,
    );

    const open = await within('check');
    expect(open.exitCode).toBe(1);
    expect(open.stdout).toContain(
      `${SHAPES} conflict-open the conflict is open: the merge is in ${SHAPES}.new, with both sides between markers`,
    );
    const before = all();
    expect((await within('generate')).exitCode).toBe(1);
    expect(all()).toEqual(before);

    // It is moved over the file, but not decided.
    rmSync(at(`${SHAPES}.new`));
    edit(SHAPES, () => marked);
    const undecided = await within('generate');
    expect(undecided.exitCode).toBe(1);
    expect(undecided.stderr).toContain('the file has conflict markers');
    expect(read(SHAPES)).toBe(marked);

    const decided = marked.replace(/<<<<<<< .*\n/, '').replace(/=======\n[^>]*>>>>>>> .*\n/, '');
    edit(SHAPES, () => decided);
    expect((await within('generate')).exitCode).toBe(0);
    // The comment is the team's; the schema, which did not conflict, has the new description.
    expect(read(SHAPES)).toBe(decided);
    expect(decided).toMatch(/^ \* Ours\.$/m);
    expect(decided.match(/.*What one jots down\..*/g)).toEqual([
      expect.stringContaining("itemShape('Note', 'What one jots down.'"),
    ]);
    expect((await within('check')).exitCode).toBe(0);
  });

  test('is told as one document', async () => {
    await make();
    describeNotes();
    const { exitCode, stdout, stderr } = await within('generate', '--json');
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    expect(JSON.parse(stdout)).toMatchObject({
      ok: true,
      service: 'shop',
      dryRun: false,
      files: expect.arrayContaining([{ path: 'README.md', action: 'updated' }]) as unknown,
      migration: null,
    });
  });

  test('loses no data unless it is told to', async () => {
    await make();
    edit(DEFINITION, (text) =>
      text.replace(/^ +body: .*\n/m, '').replace('search: [title, body]', 'search: [title]'),
    );
    // A conflict beside: the refused run writes no new text, and so it names none.
    edit(SHAPES, (text) => text.replace('body: optional(string({', 'body: optional(ours({'));
    const before = all();
    for (const typed of [[], ['--dry-run'], ['--json']]) {
      const { stdout, stderr } = await within('generate', ...typed);
      expect(stdout + stderr).toMatch(typed[0] === '--json' ? '"conflict"' : '1 conflict');
      expect(stdout + stderr).not.toContain('.new');
    }
    expect(all()).toEqual(before);
    edit(SHAPES, (text) => text.replace('body: optional(ours({', 'body: optional(string({'));
    const refused = await within('generate');
    expect(refused.exitCode).toBe(1);
    expect(refused.stderr).toMatch(
      /^This migration loses data \(1 definition\):\n {2}\S+:\d+ .*body.*\nNothing was written\. .* add --allow-data-loss; .*\n$/,
    );
    expect((await within('check')).stdout).toContain(' migration-not-written ');

    const done = await within('generate', '--allow-data-loss');
    expect(done.exitCode).toBe(0);
    const migrations = Object.keys(all()).filter((file) => file.startsWith('migrations/'));
    expect(migrations.map((file) => file.replace(/.*_(\w+)\.sql/, '$1'))).toEqual([
      'initial',
      'search',
      'fill',
      'contract',
    ]);
    expect((await within('check')).exitCode).toBe(0);
  });

  test('takes nothing from a service that a newer version made', async () => {
    await make();
    // It may write lines that this version does not know.
    edit('.create-service/manifest', (text) =>
      text.replace(/^generator .*/m, 'generator 99.0.0\nnews of the future'),
    );
    for (const command of ['generate', 'check']) {
      const { exitCode, stderr } = await within(command);
      expect(exitCode).toBe(1);
      expect(firstLine(stderr)).toMatch(
        /^error this service was generated by create-service 99\.0\.0, and this is /,
      );
    }
  });

  test('says where it has to be run', async () => {
    const { exitCode, stderr } = await cli(place, ['generate']);
    expect({ exitCode, first: firstLine(stderr) }).toEqual({
      exitCode: 2,
      first: 'error there is no service in . or above: no .create-service folder',
    });
  });

  test('refuses definitions that are wrong, and writes nothing', async () => {
    await make();
    edit(DEFINITION, (text) => `${text}sort: [colour]\n`);
    const before = all();
    const { exitCode, stderr } = await within('generate');
    expect(exitCode).toBe(1);
    expect(stderr).toContain('definitions/collections/notes.yaml:');
    expect(all()).toEqual(before);
  });
});

describe('check', () => {
  test('passes where only the team has edited', async () => {
    await make();
    edit(ROUTES, (text) => `${text}\n// ours\n`);
    const before = all();
    const { exitCode, stdout, stderr } = await within('check');
    expect({ exitCode, stdout, stderr }).toEqual({
      exitCode: 0,
      stdout: '',
      stderr:
        'The schema of the migrations was not compared: @electric-sql/pglite is not installed in this project.\n' +
        'Code, migrations and definitions agree. 1 file with your edits.\n',
    });
    expect(all()).toEqual(before);
  });

  test('and generate name what an edit removed, until it is restored; they bring nothing back', async () => {
    await make();
    const lines = /^ {2}body: .*\n/m;
    const generated = read(SHAPES);
    const comment = (text: string): string => `${text}// ours\n`;
    edit(SHAPES, (text) => comment(text.replace(lines, '')));
    const removed = read(SHAPES);
    const line = generated.slice(0, generated.search(lines)).split('\n').length - 1;
    const told = `1 file lacks generated code that edits removed
  ${SHAPES}:${line} \`body\` in \`NoteBody\`
If this is a mistake, run create-service generate --restore FILE.
`;
    const generate = await within('generate');
    expect([generate.exitCode, generate.stderr]).toEqual([
      0,
      `${told}shop is up to date: nothing to do.\n`,
    ]);
    const found = await within('check');
    // A team may not want it.
    expect(found.exitCode).toBe(0);
    expect(found.stderr).toContain(
      `${told}Code, migrations and definitions agree, except for 1 file that lacks generated code.`,
    );
    expect(read(SHAPES)).toBe(removed);

    const restored = await within('generate', '--restore', SHAPES);
    expect(restored.stderr).toContain(`Restored in ${SHAPES}\n  \`body\` in \`NoteBody\`\n`);
    expect(read(SHAPES)).toBe(comment(generated));
    expect((await within('check')).stderr).toContain('Code, migrations and definitions agree. 1');

    const again = await within('generate', '--restore', SHAPES);
    expect([again.exitCode, firstLine(again.stderr)]).toEqual([
      2,
      `error --restore: nothing can be restored in ${SHAPES}`,
    ]);
    rmSync(at(SHAPES));
    expect((await within('generate', '--restore', SHAPES)).exitCode).toBe(0);
    expect(read(SHAPES)).toBe(generated);
  });

  test('fails with a difference where definitions have changed, and writes nothing', async () => {
    await make();
    describeNotes();
    const before = all();
    const { exitCode, stdout } = await within('check');
    expect(exitCode).toBe(1);
    expect(stdout).toContain('--- a/README.md\n+++ b/README.md\n@@ ');
    expect(stdout).toContain('+What one jots down.\n');
    expect(stdout).toMatch(/not-generated the definitions have changed since the last run/);
    expect(all()).toEqual(before);
    const { issues } = JSON.parse((await within('check', '--json')).stdout) as {
      issues: { code: string }[];
    };
    expect(issues.map(({ code }) => code)).toEqual(['not-generated']);
  });

  test('passes where a definition has another comment', async () => {
    await make();
    edit(DEFINITION, (text) => `${text}# for later\n`);
    expect((await within('check')).exitCode).toBe(0);
  });

  test.each([
    ['migration-altered', 'migrations/0001_initial.sql', '-- ours\n'],
    ['migration-missing', 'migrations/0001_initial.sql', undefined],
    ['base-missing', '.create-service/base/src/app.ts.base', undefined],
    ['manifest-missing', '.create-service/manifest', undefined],
    ['manifest-damaged', '.create-service/manifest', 'something else\n'],
  ])('finds %s', async (code, file, added) => {
    await make();
    if (added === undefined) rmSync(at(file));
    else edit(file, (text) => `${text}${added}`);
    const { exitCode, stdout } = await within('check');
    expect(exitCode).toBe(1);
    expect(stdout).toMatch(new RegExp(`^\\S+ ${code} `));
  });

  /** Shows clients of version 1 the members of version 2. */
  const OWN_ENDPOINT = `import { NoteShape } from './collections/notes/schema.ts';\n`;

  test('finds a conversion that only the team can write, until it is there', async () => {
    await make();
    edit(DEFINITION, (text) =>
      text.replace(
        /^ {2}body:.*$/m,
        '  body: { type: text, max_length: 10000, type_in: { 1: { type: integer } } }',
      ),
    );
    edit('definitions/service.yaml', (text) => `${text}versions: [1, 2]\n`);
    writeFileSync(at('src/reports.ts'), OWN_ENDPOINT);
    const generated = await within('generate', '--allow-breaking');
    expect(generated.exitCode).toBe(0);
    expect(generated.stderr).toContain('reports.ts:1 NoteShape: use views.notes(version).shape');
    const before = await within('check');
    expect(before.stdout).toMatch(/^\S+reports\.ts:1 newest-shape NoteShape is the form /m);
    rmSync(at('src/reports.ts'));
    const { exitCode, stdout } = await within('check');
    expect(exitCode).toBe(1);
    expect(stdout).toMatch(
      /^\S+versions\.ts conversion-missing older versions need the conversion bodyInV1, not written yet/,
    );
    edit('src/collections/notes/versions.ts', (text) =>
      text.replace('{};', '{ bodyInV1: { show: Number, read: String } };'),
    );
    expect((await within('check')).exitCode).toBe(0);
  });

  test('finds a generator that differs', async () => {
    await make();
    edit('.create-service/manifest', (text) => text.replace(/^generator .*/m, 'generator 0.0.1'));
    const { exitCode, stdout } = await within('check');
    expect(exitCode).toBe(1);
    expect(stdout).toMatch(/^generator-differs create-service 0\.0\.1 generated this, and /);
    expect((await within('generate')).exitCode).toBe(0);
    expect((await within('check')).exitCode).toBe(0);
  });

  test('finds what a killed run left, which the next run brings to its end', async () => {
    await make();
    describeNotes();
    const journal = [{ path: 'src/half.ts', kind: 'write', before: null }];
    const run = '.create-service/run';
    mkdirSync(at(`${run}/new`), { recursive: true });
    writeFileSync(at(`${run}/new/0`), 'whole\n');
    writeFileSync(at(`${run}/journal.json`), JSON.stringify(journal));
    const { exitCode, stdout } = await within('check');
    expect({ exitCode, stdout }).toMatchObject({
      exitCode: 1,
      stdout: expect.stringMatching(
        /^broken-off a run was killed while it wrote files\n/,
      ) as unknown,
    });
    const { stderr } = await within('generate');
    expect(firstLine(stderr)).toBe('A run that was killed was completed first.');
    expect(read('src/half.ts')).toBe('whole\n');
    expect(existsSync(at(run))).toBe(false);
  });
});
