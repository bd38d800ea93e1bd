/** Every name in a template is a member of its view or a helper, and every member of a view is used. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

import { Node, Project, SyntaxKind } from 'ts-morph';
import type { Type } from 'ts-morph';
import { expect, test } from 'vitest';

import { membersOf, templateNames } from '../../support/template-names.ts';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const TEMPLATES = path.join(ROOT, 'templates');

const project = new Project({
  tsConfigFilePath: path.join(ROOT, 'tsconfig.json'),
  skipAddingFilesFromTsConfig: true,
});
const outputs = project.addSourceFileAtPath(path.join(ROOT, 'src/plan/outputs.ts'));
const engine = project.addSourceFileAtPath(path.join(ROOT, 'src/render/handlebars.ts'));
const helpers = engine.getVariableDeclarationOrThrow('HELPERS').getType();

const read = (template: string): string => readFileSync(path.join(TEMPLATES, template), 'utf8');
const templates = readdirSync(TEMPLATES, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.hbs'))
  .map((name) => name.replaceAll(path.sep, '/'))
  .toSorted();

/** The types of views, by the names of templates in the rows of the plan. */
const viewByRow = new Map(
  outputs.getDescendantsOfKind(SyntaxKind.ArrayLiteralExpression).flatMap((row) => {
    const [name, ...rest] = row.getElements();
    if (!Node.isStringLiteral(name) || !name.getLiteralText().endsWith('.hbs')) return [];
    const views = rest.flatMap((one) => viewIn(one.getType()));
    return views.map((view) => [name.getLiteralText(), view] as const);
  }),
);

/** The type of the view of a content; none of what is no content. */
function viewIn(content: Type): Type[] {
  const view = content.getProperty('view')?.getTypeAtLocation(outputs);
  return view?.getCallSignatures().map((signature) => signature.getReturnType()) ?? [];
}

const viewOf = (template: string): Type | undefined =>
  viewByRow.get(template.replace(/^(?:service|collection)\//, ''));

test.each(templates)('%s names what its view has', (template) => {
  const view = viewOf(template);
  expect(view, 'a row of the plan').toBeDefined();
  if (view === undefined) return;
  expect(templateNames(read(template), view, helpers, outputs).breaches).toEqual([]);
});

test('each member of a view is used by some template', () => {
  const used = new Set<string>();
  const members = new Map<string, string>();
  const isOwn = (declaration: Node): boolean =>
    declaration.getSourceFile().getFilePath().includes('/src/render/views/');
  for (const template of templates) {
    const view = viewOf(template);
    if (view === undefined) continue;
    for (const key of templateNames(read(template), view, helpers, outputs).used) used.add(key);
    for (const [key, name] of membersOf(view, outputs, isOwn)) members.set(key, name);
  }
  expect([...members].flatMap(([key, name]) => (used.has(key) ? [] : [name]))).toEqual([]);
});

/** A view to try the check itself with. */
const sample = project.createSourceFile(
  path.join(ROOT, 'test/unit/render/sample-view.ts'),
  `
  interface View {
    readonly title: string;
    readonly count: number;
    readonly tags: readonly string[];
    readonly owner: { readonly name: string } | undefined;
    readonly items: readonly { readonly name: string; readonly parts: readonly { readonly size: number }[] }[];
    readonly statuses: Readonly<Record<string, { readonly text: string }>>;
    readonly unread: { readonly inner: string };
  }
  export const view = undefined as unknown as View;
  `,
);
const sampleView = sample.getVariableDeclarationOrThrow('view').getType();
const check = (template: string) => templateNames(template, sampleView, helpers, outputs);

test.each([
  ['{{title}} {{count}} {{owner.name}} {{tags.length}}'],
  [
    '{{#if owner}}{{owner.name}}{{else if tags}}{{title}}{{/if}}{{#unless tags}}{{title}}{{/unless}}',
  ],
  [
    '{{#each items}}{{name}} {{@index}} {{../title}}{{#each parts}}{{size}}{{../name}}{{../../title}}{{/each}}{{/each}}',
  ],
  ['{{#each tags}}{{this}}{{#if @first}}{{@last}}{{/if}}{{else}}{{title}}{{/each}}'],
  ['{{#each statuses}}{{@key}} {{text}}{{/each}}'],
  ['{{#with owner}}{{name}} {{this.name}} {{../title}}{{/with}}'],
  [
    '{{string title}} {{strings tags}} {{doc title (concat "a " count)}} {{#if (or tags owner)}}{{/if}}',
  ],
])('%s has no breach', (template) => {
  expect(check(template).breaches).toEqual([]);
});

test.each([
  ['{{titel}}', 'titel: View has no titel'],
  ['{{owner.nam}}', 'owner.nam: the object has no nam'],
  ['{{owner.name.first}}', 'owner.name.first: string has no first'],
  ['{{#if titel}}{{/if}}', 'titel: View has no titel'],
  ['{{#if title}}{{else if titel}}{{/if}}', 'titel: View has no titel'],
  ['{{#if title}}{{else}}{{titel}}{{/if}}', 'titel: View has no titel'],
  ['{{#unless owner.nam}}{{/unless}}', 'owner.nam: the object has no nam'],
  ['{{#each item}}{{/each}}', 'item: View has no item'],
  ['{{#each items}}{{title}}{{/each}}', 'title: the object has no title'],
  ['{{#each items}}{{../name}}{{/each}}', '../name: View has no name'],
  ['{{#each items}}{{else}}{{name}}{{/each}}', 'name: View has no name'],
  ['{{#each items}}{{#each parts}}{{name}}{{/each}}{{/each}}', 'name: the object has no name'],
  ['{{#each tags}}{{name}}{{/each}}', 'name: string has no name'],
  ['{{#each title}}{{/each}}', '#each of string, which is no list'],
  ['{{#with ownr}}{{/with}}', 'ownr: View has no ownr'],
  ['{{#with owner}}{{title}}{{/with}}', 'title: the object has no title'],
  ['{{../title}}', '../title leaves the template'],
  ['{{@first}}', '@first is not set here'],
  ['{{@root.title}}', '@root is not set here'],
  ['{{#each tags}}{{@rest}}{{/each}}', '@rest is not set here'],
  ['{{string titel}}', 'titel: View has no titel'],
  ['{{string (concat "a " titel)}}', 'titel: View has no titel'],
  ['{{#if (or titel tags)}}{{/if}}', 'titel: View has no titel'],
  ['{{strng title}}', 'there is no helper strng'],
  ['{{string (strng title)}}', 'there is no helper strng'],
  ['{{#loop tags}}{{/loop}}', 'there is no block loop'],
  ['{{string title title}}', 'string takes 1 arguments, and not 2'],
  ['{{string tags}}', 'string takes string, and not ReadonlyArray'],
  ['{{owner}}', 'owner is the object, and no text'],
  ['{{> part}}', 'PartialStatement is not checked'],
])('%s: %s', (template, breach) => {
  expect(check(`\n${template}`).breaches).toEqual([`line 2: ${breach}`]);
});

test('a member that no template uses is found', () => {
  const { used } = check(
    '{{title}} {{count}} {{strings tags}} {{owner.name}}{{#each items}}{{name}}{{#each parts}}{{size}}{{/each}}{{/each}}{{#each statuses}}{{text}}{{/each}}{{#if unread}}{{/if}}',
  );
  const members = membersOf(sampleView, outputs, (one) => one.getSourceFile() === sample);
  expect([...members].flatMap(([key, name]) => (used.has(key) ? [] : [name]))).toEqual([
    'the object.inner',
  ]);
});
