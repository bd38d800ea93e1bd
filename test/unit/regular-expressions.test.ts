/**
 * Every regular expression of the generator and of emitted services takes time that is linear in its
 * input, or its input has a bound that is stated here. Two judges look at each: the ambiguity check
 * that definitions go through, and recheck.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import { RegExpParser, visitRegExpAST } from '@eslint-community/regexpp';
import recheck from 'recheck/lib/browser.js';
import { ts } from 'ts-morph';
import { expect, test } from 'vitest';

import { ambiguityOf } from '../../src/definition/regex-ambiguity/index.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** A bound of the input may allow this many steps: some milliseconds. */
const MOST_STEPS = 1e6;

/** Expressions that may take more than linear time, with the longest input that reaches them. */
const BOUNDED: readonly (readonly [place: string, longest: number, why: string])[] = [
  ['src/definition/names.ts /[_-]+$/', 63, 'cut to the longest name before'],
  ['src/reading/source.ts /[.\\s]+$/', 200, 'cut to 200 characters before'],
  ['src/migration/migration-name.ts /_+$/', 63, 'cut to the longest name before'],
];

/** Constructions from a pattern that is not a constant. */
const DYNAMIC: readonly (readonly [place: string, why: string])[] = [
  ['src/definition/pattern.ts pattern', 'only compiled, then judged'],
  ['src/reading/shapes.ts pattern', 'a constant of the tables of keys, on 40 characters at most'],
  ['src/types/pattern-samples.ts pattern', 'judged with the definition'],
  ['src/types/string.ts pattern', 'judged with the definition'],
  ['src/types/text-samples.ts pattern', 'judged with the definition'],
  ['src/types/text.ts pattern', 'judged with the definition'],
  ['templates/service/src/platform/http/shapes.ts pattern', 'judged with the definition'],
];

interface Expression {
  /** The file and the expression, as the source has it. */
  readonly place: string;
  /** Absent where the pattern is not a constant. */
  readonly pattern?: string;
  readonly flags: string;
}

const files = execFileSync('git', ['ls-files', 'src', 'templates'], { cwd: ROOT, encoding: 'utf8' })
  .split('\n')
  .filter((file) => /\.(?:ts|js)(?:\.hbs)?$/.test(file));

/** The code of a template in all of its branches; a value that is filled in is an identifier. */
const withoutTags = (text: string): string =>
  text.replaceAll(/\{\{(?:[#/!~]|else)[^{}]*\}\}/g, '').replaceAll(/\{\{\{?[^{}]*\}?\}\}/g, 'x');

function expressionsIn(file: string): Expression[] {
  const text = readFileSync(ROOT + file, 'utf8');
  const source = ts.createSourceFile(
    file.replace(/\.hbs$/, ''),
    file.endsWith('.hbs') ? withoutTags(text) : text,
    ts.ScriptTarget.Latest,
    true,
  );
  const constants = new Map<string, ts.Expression>();
  const found: Expression[] = [];

  /** The text of a constant expression. A part of a longer one that is not constant counts as `x`. */
  const valueOf = (node: ts.Expression, isPart = false): string | undefined => {
    if (ts.isStringLiteralLike(node)) return node.text;
    if (ts.isTaggedTemplateExpression(node)) {
      return node.template
        .getText()
        .slice(1, -1)
        .replaceAll(/\$\{(\w+)\}/g, (_, name: string) => {
          const constant = constants.get(name);
          return (constant && valueOf(constant, true)) ?? 'x';
        });
    }
    if (ts.isTemplateExpression(node)) {
      const parts = node.templateSpans.map(
        ({ expression, literal }) => valueOf(expression, true) + literal.text,
      );
      return node.head.text + parts.join('');
    }
    if (ts.isIdentifier(node)) {
      const constant = constants.get(node.text);
      if (constant !== undefined) return valueOf(constant, isPart);
    }
    if (ts.isCallExpression(node) && ts.isPropertyAccessExpression(node.expression)) {
      const { expression: list } = node.expression;
      if (node.expression.name.text === 'join' && ts.isArrayLiteralExpression(list)) {
        const [separator] = node.arguments;
        const parts = list.elements.map((element) => valueOf(element, true));
        return parts.join(separator === undefined ? ',' : valueOf(separator));
      }
    }
    return isPart ? 'x' : undefined;
  };

  const visit = (node: ts.Node): void => {
    if (ts.isVariableDeclaration(node) && ts.isIdentifier(node.name) && node.initializer) {
      constants.set(node.name.text, node.initializer);
    }
    if (ts.isRegularExpressionLiteral(node)) {
      const end = node.text.lastIndexOf('/');
      const [pattern, flags] = [node.text.slice(1, end), node.text.slice(end + 1)];
      found.push({ place: `${file} ${node.text}`, pattern, flags });
    }
    const isConstruction = ts.isNewExpression(node) || ts.isCallExpression(node);
    if (isConstruction && node.expression.getText() === 'RegExp') {
      const [first, second] = node.arguments ?? [];
      const pattern = first && valueOf(first);
      const flags = (second && valueOf(second)) ?? '';
      const place = `${file} ${first?.getText()}`;
      found.push({ place, flags, ...(pattern !== undefined && { pattern }) });
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

/**
 * What our judge has to be told of flags, which patterns of definitions do not have: a sticky search
 * begins at one place, and with `m` the anchors do not bind the whole.
 */
function asSearched({ pattern = '', flags }: Expression): string {
  if (flags.includes('y')) return `^(?:${pattern})`;
  if (!flags.includes('m')) return pattern;
  let result = pattern;
  const anchors: { start: number; end: number; kind: string }[] = [];
  const tree = new RegExpParser().parsePattern(pattern, 0, pattern.length, { unicode: true });
  visitRegExpAST(tree, {
    onAssertionEnter({ start, end, kind }) {
      if (kind === 'start' || kind === 'end') anchors.push({ start, end, kind });
    },
  });
  for (const { start, end, kind } of anchors.toReversed()) {
    const instead = kind === 'start' ? '(?:^|\\n)' : '(?=\\n|$)';
    result = result.slice(0, start) + instead + result.slice(end);
  }
  return result;
}

/** The power of the length that the steps grow with, as far as our judge can prove. */
function ours(expression: Expression): number {
  const growth = ambiguityOf(asSearched(expression));
  return growth.kind === 'polynomial' ? growth.degree : Infinity;
}

/** The same by recheck, which is exact where it comes to an end; else undefined. */
function theirs(expression: Expression, timeout: number): number | undefined {
  const { flags } = expression;
  const [searched, known] = flags.includes('y')
    ? [asSearched(expression), flags.replace('y', '')]
    : [expression.pattern ?? '', flags];
  const result = recheck.checkSync(searched, known, { checker: 'automaton', timeout });
  if (result.status === 'unknown') return undefined;
  if (result.status === 'safe') return 1;
  return result.complexity.type === 'polynomial' ? result.complexity.degree : Infinity;
}

/** The power that an expression is known to grow with, at most. */
function degreeOf(expression: Expression): number {
  const first = ours(expression);
  // Of what ours proves to be fast recheck is asked for its opinion, and of the rest for a proof.
  const second = theirs(expression, first === 1 ? 100 : 20_000);
  return second ?? first;
}

const expressions = files.flatMap(expressionsIn);

test('the expressions of both codebases are found', () => {
  const places = expressions.map(({ place }) => place);
  expect(places).toContain(
    'templates/service/src/platform/http/values.ts /^(\\d{4})-(\\d{2})-(\\d{2})$/',
  );
  expect(places).toContain(
    'templates/service/src/platform/http/versions.ts /\\.v([1-9][0-9]*)\\+json$/',
  );
  const email = expressions.find(({ place }) => place.includes('shapes.ts `^${ATOM}'));
  expect(email?.pattern).toMatch(/^\^\[\\p\{L\}.*@\[\\p\{L\}/);
  expect(expressions.length).toBeGreaterThan(250);
});

test.each([
  ['/0+$/', 2],
  ['/^\\s*x/m', 2],
  ['/(a+)+$/', Infinity],
  ['/a*b/y', 1],
  ['/-{3,}/', 1],
  ['/^(?:a|b)*$/', 1],
])('%s grows with the power %d', (text, degree) => {
  const end = text.lastIndexOf('/');
  const flags = text.slice(end + 1);
  expect(degreeOf({ place: '', pattern: text.slice(1, end), flags })).toBe(degree);
});

test('every expression takes linear time, or its input has a bound', () => {
  const bounds = new Map(BOUNDED.map(([place, longest]) => [place, longest]));
  const slow = new Map<string, number>();
  const seen = new Map<string, number>();
  for (const expression of expressions) {
    const { place, pattern, flags } = expression;
    if (pattern === undefined) continue;
    const key = `${pattern}/${flags}`;
    const degree = seen.get(key) ?? degreeOf(expression);
    seen.set(key, degree);
    if (degree > 1) slow.set(place, degree);
  }
  const unbounded = [...slow].filter(
    ([place, degree]) => (bounds.get(place) ?? Infinity) ** degree > MOST_STEPS,
  );
  expect(Object.fromEntries(unbounded)).toEqual({});
  expect(BOUNDED.map(([place]) => place).filter((place) => !slow.has(place))).toEqual([]);
});

test('every pattern is a constant, or is judged elsewhere', () => {
  const dynamic = expressions
    .filter(({ pattern }) => pattern === undefined)
    .map(({ place }) => place);
  expect([...new Set(dynamic)].toSorted()).toEqual(DYNAMIC.map(([place]) => place).toSorted());
});
