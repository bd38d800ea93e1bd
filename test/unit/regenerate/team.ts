/**
 * A team at work in an emitted project: edits at random, each of which leaves a file that parses and
 * compiles, and carries a word that is nowhere else.
 */
import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';

import { format } from 'prettier';

import type { Dice } from './growth.ts';
import type { TestProject } from './support.ts';

/** One thing that a team does; false where there was nothing to do it to. */
type Edit = (team: Team, mark: string) => boolean | Promise<boolean>;

/** The files that stand in the project, but for its record, definitions and migrations. */
export function filesOf(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)))
    .filter((file) => !/^(\.create-service|definitions|migrations|node_modules)\//.test(file))
    .toSorted();
}

/** Whether a file is one that teams edit most. */
const isFavourite = (file: string): boolean =>
  /^src\/(app|collections\/.*)\.ts$|^test\/(collections|fixtures|permissions)\//.test(file);

export class Team {
  readonly project: TestProject;
  readonly dice: Dice;
  private made = 0;

  constructor(project: TestProject, dice: Dice) {
    this.project = project;
    this.dice = dice;
  }

  /** Makes some edits. */
  async work(most: number): Promise<void> {
    for (let left = 1 + this.dice.roll(most); left > 0; left--) {
      this.made++;
      await this.dice.pick([...EDITS.values()])(this, `mark${this.made}x`);
    }
  }

  /** One of the files, more often of those that matter; undefined where there is none. */
  choose(pattern: RegExp): string | undefined {
    const files = filesOf(this.project.folder).filter((file) => pattern.test(file));
    const favourites = files.filter(isFavourite);
    const from = favourites.length > 0 && this.dice.roll(8) > 0 ? favourites : files;
    return from.length === 0 ? undefined : this.dice.pick(from);
  }

  /** Changes the text of a file, whatever its line ends. */
  change(file: string, change: (text: string) => string | undefined): boolean {
    if (!filesOf(this.project.folder).includes(file)) return false;
    const before = this.project.read(file);
    const isWide = before.includes('\r\n');
    const text = change(before.replaceAll('\r\n', '\n'));
    if (text === undefined) return false;
    this.project.write(file, isWide ? text.replaceAll('\n', '\r\n') : text);
    return true;
  }

  /** Changes one of the lines of a TypeScript file that a pattern finds, outside of literals. */
  changeLine(pattern: RegExp, change: (line: string) => string): boolean {
    const file = this.choose(/\.ts$/);
    if (file === undefined) return false;
    return this.change(file, (text) => {
      const lines = text.split('\n');
      let isLiteral = false;
      const places = lines.flatMap((line, at) => {
        const starts = isLiteral;
        if ((line.match(/(?<!\\)`/g)?.length ?? 0) % 2 === 1) isLiteral = !isLiteral;
        const isStart = at === 0 || /[{;}]$|^$/.test(lines[at - 1]?.trimEnd() ?? '');
        return !starts && !isLiteral && isStart && pattern.test(line) ? [at] : [];
      });
      if (places.length === 0) return undefined;
      const at = this.dice.pick(places);
      lines[at] = change(lines[at] ?? '');
      return lines.join('\n');
    });
  }
}

const indentOf = (line: string): string => /^\s*/.exec(line)?.[0] ?? '';

/** A statement of one line within a function. */
const STATEMENT = /^ {2,}(const \w+ = .*|await .*|refuseParameters\(.*|return\b.*|expect\(.*);$/;

const functionOf = (mark: string): string =>
  `/** Of the team: ${mark}. */\nexport function ${mark}(): string {\n  return 'the ${mark}';\n}\n`;

const EDITS: ReadonlyMap<string, Edit> = new Map<string, Edit>([
  [
    'a function at the end',
    (team, mark) => {
      const file = team.choose(/\.ts$/);
      return file !== undefined && team.change(file, (text) => `${text}\n${functionOf(mark)}`);
    },
  ],
  [
    'a function in the middle',
    (team, mark) => {
      const file = team.choose(/\.ts$/);
      if (file === undefined) return false;
      return team.change(file, (text) => {
        const places = [...text.matchAll(/^\n(?=\/\*\* |(?:export )?(?:async )?function )/gm)];
        const place = team.dice.pick([undefined, ...places]);
        if (place === undefined) return undefined;
        return `${text.slice(0, place.index)}\n${functionOf(mark)}${text.slice(place.index)}`;
      });
    },
  ],
  [
    'an import and what uses it',
    (team, mark) => {
      const file = team.choose(/\.ts$/);
      if (file === undefined) return false;
      return team.change(file, (text) => {
        const places = [...text.matchAll(/^import .*;\n/gm)].map(
          ({ index, 0: line }) => index + line.length,
        );
        if (places.length === 0) return undefined;
        const place = team.dice.pick(places);
        return `${text.slice(0, place)}import { sep as ${mark} } from 'node:path';\n${text.slice(place)}
/** Of the team. */
export const SEPARATOR_${mark} = ${mark};
`;
      });
    },
  ],
  [
    'a statement before another',
    (team, mark) =>
      team.changeLine(STATEMENT, (line) => `${indentOf(line)}void '${mark}';\n${line}`),
  ],
  [
    'a comment at the end of a line',
    (team, mark) => team.changeLine(STATEMENT, (line) => `${line} // ${mark}`),
  ],
  [
    'a comment above a line',
    (team, mark) =>
      team.changeLine(STATEMENT, (line) => `${indentOf(line)}// Of the team: ${mark}.\n${line}`),
  ],
  [
    'a comment above a declaration',
    (team, mark) =>
      team.changeLine(/^(export )?(const|interface|type) /, (line) => `// ${mark}\n${line}`),
  ],
  ['a comment taken out', (team) => team.changeLine(/^\s*\/\/ /, () => '')],
  [
    'hooks',
    (team, mark) => {
      const file = team.choose(/\/hooks\.ts$/);
      if (file === undefined) return false;
      return team.change(file, (text) =>
        text.includes('= {};')
          ? text.replace(
              '= {};',
              `= {\n  beforeCreate(values) {\n    void '${mark}';\n    return values;\n  },\n};`,
            )
          : undefined,
      );
    },
  ],
  [
    'a route in the list of collections',
    (team, mark) =>
      team.change('src/collections/index.ts', (text) =>
        text.replace(
          /\n\];\n/,
          () => `\n  (app) => void app.get('/${mark}', async () => '${mark}'),\n];\n`,
        ),
      ),
  ],
  [
    'a route of a collection',
    (team, mark) => {
      const file = team.choose(/\/routes\.ts$/);
      if (file === undefined) return false;
      return team.change(file, (text) => {
        const places = [...text.matchAll(/\n(?=\n {2}app\.\w+\()/g)];
        const route = `\n\n  app.get('/${mark}', async () => '${mark}');`;
        const place = team.dice.pick(places)?.index;
        return place === undefined
          ? undefined
          : `${text.slice(0, place)}${route}${text.slice(place)}`;
      });
    },
  ],
  [
    'a test',
    (team, mark) => {
      const file = team.choose(/^test\/.*\.test\.ts$/);
      if (
        file === undefined ||
        !/import \{.*\btest\b.*\} from 'vitest'/.test(team.project.read(file))
      ) {
        return false;
      }
      return team.change(
        file,
        (text) => `${text}\ntest('${mark}', () => {\n  void '${mark}';\n});\n`,
      );
    },
  ],
  [
    'another style',
    async (team) => {
      const file = team.choose(/^(src|test)\/.*\.ts$/);
      if (file === undefined) return false;
      const style = { tabWidth: 4, semi: team.dice.roll(2) === 0, printWidth: 140 };
      const text = await format(team.project.read(file), { parser: 'typescript', ...style });
      return team.change(file, () => text);
    },
  ],
  [
    'CRLF',
    (team) => {
      const file = team.choose(/\.(ts|md|json|yaml)$/);
      if (file === undefined) return false;
      team.project.edit(file, (text) => text.replaceAll(/\r?\n/g, '\r\n'));
      return true;
    },
  ],
  [
    'a new file',
    (team, mark) => {
      const beside = team.choose(/^src\/.*\.ts$/);
      team.project.write(
        `${path.posix.dirname(beside ?? 'src/x')}/${mark}.ts`,
        `/** Of the team. */\n${functionOf(mark)}`,
      );
      return true;
    },
  ],
  [
    'a file deleted',
    (team) => {
      const file = team.choose(
        /^(Dockerfile|compose\.yaml|\.vscode\/.*|AGENTS\.md|test\/(collections|permissions)\/.*)$/,
      );
      if (file === undefined) return false;
      team.project.write(file, undefined);
      return true;
    },
  ],
  [
    'code moved to a new file',
    (team, mark) => {
      const target = `src/path-of-${mark}.ts`;
      return team.change('src/app.ts', (text) => {
        const start = text.search(/\/\*\* The path of a request target/);
        const body = /\nfunction pathOf\([^]*?\n\}\n/.exec(text.slice(Math.max(start, 0)));
        if (start === -1 || body === null) return undefined;
        const end = start + body.index + body[0].length;
        team.project.write(
          target,
          text.slice(start, end).replace('function pathOf', 'export function pathOf'),
        );
        return `${text.slice(0, start).trimEnd()}\n${text.slice(end)}`.replace(
          /^import \{ makeLog \}.*\n/m,
          (line) => `${line}import { pathOf } from './path-of-${mark}.ts';\n`,
        );
      });
    },
  ],
  [
    'a script and a dependency',
    (team, mark) =>
      team.change('package.json', (text) =>
        text
          .replace(/("scripts": \{\n)/, `$1    "${mark}": "node ${mark}.js",\n`)
          .replace(/("dependencies": \{\n)/, `$1    "${mark}": "1.0.0",\n`),
      ),
  ],
  [
    'a dependency raised',
    (team) =>
      team.change('package.json', (text) => text.replace(/"pino": ".*"/, '"pino": "99.0.1"')),
  ],
  [
    'a paragraph of the README',
    (team, mark) =>
      team.change('README.md', (text) => {
        const places = [...text.matchAll(/\n\n(?=## |### )/g)].map(({ index }) => index);
        const place = team.dice.pick(places);
        return `${text.slice(0, place)}\n\nOf the team: ${mark}.${text.slice(place)}`;
      }),
  ],
  [
    'a row of a table of the README',
    (team, mark) =>
      team.change('README.md', (text) => {
        const rows = [...text.matchAll(/^\| GET .*\|\n/gm)];
        const row = team.dice.pick(rows);
        if (row === undefined) return undefined;
        const place = row.index + row[0].length;
        return `${text.slice(0, place)}| GET | \`/${mark}\` | 200 |\n${text.slice(place)}`;
      }),
  ],
  [
    'a service of compose.yaml',
    (team, mark) =>
      existsSync(path.join(team.project.folder, 'compose.yaml')) &&
      team.change('compose.yaml', (text) =>
        text
          .replace('\nservices:\n', `\nservices:\n  ${mark}:\n    image: busybox\n\n`)
          .replace('    environment:\n', `    environment:\n      ${mark.toUpperCase()}: yes\n`),
      ),
  ],
  [
    'a line of an ignore file',
    (team, mark) => team.change('.gitignore', (text) => `${text}${mark}/\n`),
  ],
]);
