/**
 * Texts of definitions mean only themselves, wherever they are written. One definition has a hostile text in each place that
 * takes one; each emitted file is parsed, or searched for the text where it must not be.
 */
import { parsers } from 'prettier/plugins/markdown';
import { ts } from 'ts-morph';
import { beforeAll, describe, expect, test } from 'vitest';
import { parse as parseYaml } from 'yaml';

import { render } from '../../../src/api.ts';
import { literal } from '../../../src/shared/sql.ts';

/** Ends or begins something in each language of emitted files. */
const HOSTILE = [
  '</title></script><script>x()</script><img src=x onerror=y()>',
  '<!-- --> ``` ` ${x()} ${value} {{x}} {{{x}}} {{/each}}',
  '*/ x(); /* // #{x} $(x) $$ $1 -- ; %s %%{init: {}}%% #quot;',
  `' " \\ \\' | [x](y) **b** &amp;`,
  '- a: b\u00a0c\u3000d\u2028e\u2029f\u202eg\u200bh\ufeffi\u0085j\tk\r\n*/',
].join('\n');

/** The hostile texts of the definition, each with a word that occurs nowhere else. */
const texts: string[] = [];
const hostile = (): string => {
  const text = `qz${texts.length}qz ${HOSTILE} qz${texts.length}zq`;
  texts.push(text);
  return text;
};
/** One without line breaks and other control characters. */
const hostileLine = (): string => {
  const text = hostile().replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]/gu, ' ');
  texts.splice(-1, 1, text);
  return text;
};
/** One of a single line, for names of things in databases. */
const hostileName = (): string => {
  const text = `qz${texts.length}qz "'\\ */ -- \${x} \`{{x}}\` $$ <b> \u00a0|`;
  texts.push(text);
  return text;
};
const [first, second, third, fourth] = [hostile(), hostile(), hostile(), hostile()];
/** A text in a rule, with its quotes doubled. */
const inRule = (text: string): string => `'${text.replaceAll("'", "''")}'`;

const DEFINITION = {
  name: 'hostile',
  title: hostile(),
  description: hostile(),
  schema: 'own',
  versions: { 1: { deprecated: '2026-11-01' }, 2: {} },
  roles: ['clerk'],
  seeds: {
    records: {
      one: { text: first, kind: first, code: first, tags: [first], extra: { [first]: second } },
    },
  },
  collections: {
    records: {
      description: hostile(),
      events: true,
      sort: ['text', 'kind'],
      filter: ['text', 'kind', 'state'],
      search: ['text', 'note'],
      include: ['parent_id'],
      permissions: { read: 'owner', update: ['clerk'] },
      fields: {
        text: { type: 'string', description: hostile(), default: hostile(), example: hostile() },
        note: {
          type: 'text',
          description: hostile(),
          default: hostile(),
          name_in: { 1: 'remark' },
        },
        code: { type: 'string', required: true, example: hostile(), description: hostile() },
        patterned: {
          type: 'string',
          pattern: '[<*/`\'"${}\\\\|\u00a0\u2028-]*',
          description: hostile(),
        },
        kind: {
          type: 'enum',
          description: hostile(),
          values: [first, second, { value: third, since: 2, as: first }],
          default: first,
          required: true,
        },
        renamed: {
          type: 'enum',
          values: [first, second],
          type_in: { 1: { type: 'enum', values: { [first]: hostile(), [second]: hostile() } } },
        },
        state: {
          type: 'enum',
          description: hostile(),
          values: [first, second, third],
          initial: [first],
          default: first,
          required: true,
          transitions: { [first]: [second], [second]: [{ to: third, by: ['clerk'] }], [third]: [] },
        },
        tags: {
          type: 'list',
          description: hostile(),
          of: { type: 'enum', values: [first, second, fourth] },
          default: [fourth],
        },
        words: { type: 'list', of: { type: 'string' }, default: [hostile()], example: [hostile()] },
        extra: { type: 'json', default: { [hostile()]: [hostile()] }, example: { a: hostile() } },
        inner: {
          type: 'object',
          description: hostile(),
          properties: {
            value: {
              type: 'string',
              description: hostile(),
              default: hostile(),
              example: hostile(),
            },
          },
        },
        later: {
          type: 'string',
          since: 2,
          required: true,
          default: hostile(),
          description: hostile(),
        },
        parent_id: { type: 'reference', to: 'records', description: hostile(), nested: 'parts' },
      },
      unique: [{ fields: ['code'], where: `text != ${inRule(hostile())}` }],
      checks: {
        first_rule: {
          rule: `text != ${inRule(hostile())} or kind = ${inRule(first)}`,
          message: hostileLine(),
        },
        second_rule: { rule: `kind not in (${inRule(second)}) or text = null` },
      },
    },
    jobs_done: {
      singular: 'job_done',
      description: hostile(),
      create: 'background',
      fields: { text: { type: 'string', description: hostile(), default: hostile() } },
    },
    films: {
      description: hostile(),
      table: hostileName(),
      key: { type: 'integer', column: hostileName(), name: hostileName() },
      history: { updated_at: hostileName() },
      soft_delete: { column: hostileName(), type: 'boolean' },
      fields: {
        title: {
          type: 'string',
          required: true,
          max_length: 40,
          column: hostileName(),
          description: hostile(),
        },
        rating: {
          type: 'enum',
          values: [first, second],
          stored: `public.${hostileName().replaceAll('.', ' ')}`,
          column: hostileName(),
        },
        code: { type: 'uuid', required: true, database_default: true, column: hostileName() },
        slug: { type: 'string', generated: true, column: hostileName() },
      },
      unique: [{ fields: ['title'], name: hostileName(), where: `title != ${inRule('a\'b"`c')}` }],
    },
  },
};

/** The files of the project, without those of `.create-service/`: bases are copies. */
let files: readonly { readonly path: string; readonly text: string }[] = [];
beforeAll(async () => {
  const source = { path: 'hostile.json', text: JSON.stringify(DEFINITION) };
  const all = await render(source, { tool: '0.0.0' });
  files = all.filter(({ path }) => !path.startsWith('.create-service/base/'));
});

const textOf = (path: string): string => files.find((file) => file.path === path)?.text ?? '';
const filesOf = (kind: RegExp): typeof files => files.filter(({ path }) => kind.test(path));

/** The beginning or the end of a hostile text. */
const MARK = /qz\d+(?:qz|zq)/;
const isMarked = ({ text }: { readonly text: string }): boolean => MARK.test(text);

test('are in no file but those that are examined here', () => {
  const kinds = [
    /\.ts$/,
    /\.sql$/,
    /\.md$/,
    /definitions\/.*\.yaml$/,
    /^seeds\//,
    /versions\/.*\.yaml$/,
  ];
  const rest = files.filter(({ path }) => !kinds.some((kind) => kind.test(path)));
  expect(rest.filter(isMarked).map(({ path }) => path)).toEqual(['package.json']);
  expect(JSON.parse(textOf('package.json'))).toMatchObject({ description: DEFINITION.description });
});

describe('TypeScript', () => {
  /** The hostile texts that a template literal has. In emitted code, these literals are SQL. */
  const textsIn = (node: ts.TemplateExpression): string[] =>
    texts.filter((_text, at) => node.getText().includes(`qz${at}qz`));
  /** What a template literal means, without what it interpolates. */
  const cooked = ({ head, templateSpans }: ts.TemplateExpression): string =>
    [head.text, ...templateSpans.map((span) => span.literal.text)].join('\0');

  /** What is code of a hostile text: a name, a call, or a template literal that does not mean the whole text. */
  function codeIn(node: ts.Node): string[] {
    if (ts.isStringLiteralLike(node)) return [];
    if (ts.isTemplateExpression(node)) {
      return textsIn(node).filter((text) => !cooked(node).includes(literal(text)));
    }
    const isCall = ts.isCallExpression(node) && node.expression.getText() === 'x';
    const isLeaf = node.getChildCount() === 0;
    if (isCall || (isLeaf && MARK.test(node.getText()))) return [node.getText()];
    const found: string[] = [];
    node.forEachChild((child) => void found.push(...codeIn(child)));
    return found;
  }

  test('has them in literals and in comments only', () => {
    const marked = filesOf(/\.ts$/).filter(isMarked);
    expect(marked.length).toBeGreaterThan(20);
    for (const { path, text } of marked) {
      const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
      const { parseDiagnostics } = source as unknown as { readonly parseDiagnostics: object[] };
      expect(parseDiagnostics, path).toEqual([]);
      expect(codeIn(source), path).toEqual([]);
    }
  });

  test('has literals that mean them', () => {
    const found = new Set<string>();
    for (const { path, text } of filesOf(/schema\.ts$|fixtures\/|platform\/service\.ts$/)) {
      const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest);
      const visit = (node: ts.Node): void => {
        if (ts.isStringLiteralLike(node)) found.add(node.text);
        node.forEachChild(visit);
      };
      visit(source);
    }
    const { title, description, collections } = DEFINITION;
    const { fields, checks } = collections.records;
    for (const text of [
      ...[title, description, collections.records.description, collections.films.description],
      ...[fields.text.description, fields.text.default, fields.text.example, fields.code.example],
      ...[
        fields.inner.properties.value.description,
        fields.later.default,
        first,
        second,
        third,
        fourth,
      ],
      ...[fields.patterned.pattern, checks.first_rule.message],
    ]) {
      expect(found).toContain(text);
    }
  });

  test('has no character that looks like nothing or like another, and that linters refuse', () => {
    const unseen = /[\p{Cf}\p{Zl}\p{Zp}]|(?! )\p{Zs}|(?!\n)\p{Cc}/u;
    const breaches = filesOf(/\.ts$/).filter(({ text }) => unseen.test(text));
    expect(breaches.map(({ path }) => path)).toEqual([]);
  });

  test('escapes the title of the page at /docs, which is HTML', () => {
    const page = /theme: \{\s*title: (\w+)\(/.exec(textOf('src/platform/openapi/routes.ts'));
    expect(page?.[1]).toBe('escapeHtml');
  });
});

/** A comment, or what PostgreSQL reads as one text or name. */
const SQL_TEXT = /--[^\r\n]*|\bE'(?:[^'\\]|\\[^]|'')*'|'(?:[^']|'')*'|"(?:[^"]|"")*"/g;

test.each(['migrations/0001_initial.sql', 'existing-tables.sql', 'views.sql'])(
  '%s has them in literals, names and comments only',
  (path) => {
    expect(textOf(path)).toMatch(MARK);
    expect(textOf(path).replaceAll(SQL_TEXT, '')).not.toMatch(/qz\d|\d(?:qz|zq)/);
  },
);

describe('Markdown', () => {
  interface MarkdownNode {
    readonly type: string;
    readonly lang?: string | null;
    readonly value?: string;
    readonly children?: readonly MarkdownNode[];
  }
  const parsed = new Map<string, MarkdownNode>();
  /** Parses a file, once. */
  const parse = (path: string): MarkdownNode => {
    const tree =
      parsed.get(path) ?? (parsers.markdown.parse(textOf(path), {} as never) as MarkdownNode);
    parsed.set(path, tree);
    return tree;
  };
  /** All nodes, each after those that it is in. */
  const nodesOf = (node: MarkdownNode): MarkdownNode[] => [
    node,
    ...(node.children ?? []).flatMap(nodesOf),
  ];
  /** What holds plain text. `{{x}}` means something in Liquid, and nothing in Markdown. */
  const PLAIN = [
    'root',
    'heading',
    'paragraph',
    'list',
    'listItem',
    'table',
    'tableRow',
    'tableCell',
    'text',
    'liquidNode',
  ];

  test.each(['README.md', 'AGENTS.md'])('%s has them as plain text', (path) => {
    const nodes = nodesOf(parse(path));
    const marked = nodes.filter((node) => MARK.test(JSON.stringify(node)));
    expect(marked.length).toBeGreaterThan(1);
    const others = marked.filter(({ type, lang }) => !PLAIN.includes(type) && lang !== 'mermaid');
    expect(others).toEqual([]);
    expect(nodes.filter(({ type }) => type === 'html')).toEqual([]);
    for (const table of nodes.filter(({ type }) => type === 'table')) {
      const [head, ...rows] = (table.children ?? []).map(({ children = [] }) => children.length);
      expect(rows.every((cells) => cells === head)).toBe(true);
    }
  });

  test('README.md has a heading that reads like the title', () => {
    const heading = parse('README.md').children?.[0] ?? { type: '' };
    const text = nodesOf(heading)
      .map(({ value = '' }) => value)
      .join('');
    expect(text).toBe(shown(DEFINITION.title));
  });

  const QUOTED = String.raw`"((?:[^"#;<>&\x60\\%]|#\d+;|%(?!%))*)"`;
  const STATE = String.raw`(?:\[\*\]|s\d+)`;
  /** Each line that a diagram may have. */
  const DIAGRAMS: Readonly<Record<string, RegExp>> = {
    erDiagram: new RegExp(
      String.raw`^(?:  \w+ \{|  \}|    \w+ \w+(?: (?:PK|FK|UK))*(?: ${QUOTED})?|  \w+ \S+ \w+ : (?:\w+|"[\w (),:.]+"))$`,
    ),
    'stateDiagram-v2': new RegExp(
      String.raw`^  (?:state ${QUOTED} as s\d+|${STATE} --> ${STATE}(?:: [\w, ]+)?)$`,
    ),
  };

  test('has diagrams in which they are labels', () => {
    const labels = new Set<string>();
    const diagrams = nodesOf(parse('README.md')).filter(({ lang }) => lang === 'mermaid');
    expect(diagrams).toHaveLength(2);
    for (const { value = '' } of diagrams) {
      const [kind = '', ...lines] = value.split('\n');
      const line = DIAGRAMS[kind] ?? /^$/;
      for (const text of lines) {
        expect(text).toMatch(line);
        const label = line.exec(text)?.[1] ?? '';
        labels.add(label.replaceAll(/#(\d+);/g, (_, code) => String.fromCharCode(Number(code))));
      }
    }
    const { fields } = DEFINITION.collections.records;
    for (const text of [
      fields.text.description,
      fields.parent_id.description,
      first,
      second,
      third,
    ]) {
      expect(labels).toContain(shown(text));
    }
  });
});

/** How a text reads on one line, without characters that no reader sees. */
const shown = (text: string): string =>
  text.replaceAll(/\s+/g, ' ').replaceAll(/[\p{Cc}\p{Cf}]/gu, '\ufffd');

test('YAML has values that are them', () => {
  const read = (path: string): unknown => parseYaml(textOf(path));
  const { collections, seeds, ...service } = DEFINITION;
  expect(read('definitions/service.yaml')).toEqual({ ...service, seeds: true });
  for (const [name, collection] of Object.entries(collections)) {
    expect(read(`definitions/collections/${name}.yaml`)).toEqual({ name, ...collection });
  }
  expect(read('seeds/records.yaml')).toEqual(seeds.records);
});
