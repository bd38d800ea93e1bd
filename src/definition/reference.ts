/**
 * The reference of the definition language, docs/definitions.md, made from the table of keys and the
 * catalogue of issues: what it says is what the parser does.
 */
import { ISSUE_CATALOGUE, WARNINGS } from '../reading/issue-catalogue.ts';
import { COLLECTION_KEYS, FIELD_KEYS, PROPERTY_KEYS, SERVICE_KEYS } from './keys.ts';
import { SNAKE_CASE } from '../reading/common-keys.ts';
import { TYPE_NAMES, specOf } from '../types/registry.ts';
import type { TypeName } from '../types/registry.ts';
import type { Keys } from '../reading/records.ts';
import type { JsonSchema } from '../reading/shapes.ts';

/** The whole page, in Markdown. */
export function definitionReference(): string {
  return [
    INTRODUCTION,
    '## The service',
    'In `definitions/service.yaml`, or at the top of a definition in one file:',
    keyTable(SERVICE_KEYS),
    '## A collection',
    'In a file of its own, `definitions/collections/<name>.yaml`, or under `collections:` in one file:',
    keyTable(COLLECTION_KEYS),
    '## A field',
    'Every item has `id`, `created_at` and `updated_at`. Whatever its type, a field may say:',
    keyTable(FIELD_KEYS, { type: 'One of the types below.' }),
    'A member of an `object` knows fewer of them: ' +
      `${quoted(['type', ...Object.keys(PROPERTY_KEYS)])}.`,
    '## Types',
    ...TYPE_NAMES.flatMap(typeSection),
    '## What is refused',
    'Definitions that are wrong are refused whole: every issue at once, each with its place, and ' +
      'nothing is written. With `--json` each has its code.',
    table(
      ['Code', 'Means', 'Why'],
      Object.entries(ISSUE_CATALOGUE).map(([code, { title, explanation }]) => [
        `\`${code}\``,
        title,
        explanation,
      ]),
    ),
    '## What is warned about',
    'Warnings are printed by every command that reads definitions, as `file:line:column warning …`, ' +
      'and refuse nothing: the exit status stays the same. With `--json` they stand in `warnings`.',
    table(
      ['Code', 'Means', 'Why'],
      Object.entries(WARNINGS).map(([code, { title, explanation }]) => [
        `\`${code}\``,
        title,
        explanation,
      ]),
    ),
    '',
  ].join('\n\n');
}

const INTRODUCTION = `# Definitions

What may stand in a definition: every key, every type and option, and everything that is refused.
This page is made from the table by which the tool reads, as are the JSON Schemas in \`schema/\` that
let editors complete and underline. [The guide](guide.md) says how to go about it.

Definitions are YAML or JSON, in UTF-8. Values are never converted: a decimal bound is text
(\`minimum: '0'\`), since a number of YAML could not hold it exactly.`;

function typeSection(type: TypeName): string[] {
  const { keys, description, example } = specOf({ type });
  return [
    `### ${type}`,
    description,
    ['```yaml', example, '```'].join('\n'),
    ...(Object.keys(keys).length === 0 ? [] : [keyTable(keys)]),
  ];
}

/** A row for each key: what may stand there, and what it means. */
function keyTable(keys: Keys, first: Readonly<Record<string, string>> = {}): string {
  const rows = Object.entries(keys).map(([name, { shape, description, missing }]) => [
    `\`${name}\`${missing === undefined ? '' : ' (required)'}`,
    valueOf(shape.schema),
    description,
  ]);
  const before = Object.entries(first).map(([name, means]) => [
    `\`${name}\` (required)`,
    '',
    means,
  ]);
  return table(['Key', 'Value', 'Means'], [...before, ...rows]);
}

/** What a schema takes, in words. */
function valueOf(schema: JsonSchema): string {
  const alternatives = (schema['anyOf'] ?? schema['oneOf']) as readonly JsonSchema[] | undefined;
  // Conditions of a map, as to which keys stand beside each other, are told with the keys.
  if (alternatives !== undefined && schema['properties'] === undefined) {
    return alternatives.map(valueOf).join(' or ');
  }
  if (Array.isArray(schema['enum'])) return quoted(schema['enum'] as readonly string[], ' or ');
  switch (schema['type']) {
    case 'array':
      return `list of: ${valueOf((schema['items'] ?? {}) as JsonSchema)}`;
    case 'integer':
      return `whole number${range(schema)}`;
    case 'boolean':
      return '`true` or `false`';
    case 'object':
      return mapOf(schema);
    case 'string':
      return schema['pattern'] === SNAKE_CASE ? 'name' : 'text';
    case 'number':
      return 'number';
    default:
      return 'anything that the type holds';
  }
}

function mapOf({ properties }: JsonSchema): string {
  if (properties === undefined) return 'map by name';
  const named = Object.entries(properties as Readonly<Record<string, JsonSchema>>);
  return `map: ${named.map(([name, schema]) => `\`${name}\` (${valueOf(schema)})`).join(', ')}`;
}

function range({ minimum, maximum }: JsonSchema): string {
  const isSafe = maximum === Number.MAX_SAFE_INTEGER;
  return minimum === undefined || isSafe ? '' : `, ${String(minimum)} to ${String(maximum)}`;
}

const quoted = (words: readonly string[], between = ', '): string =>
  words.map((word) => `\`${word}\``).join(between);

/** A table of Markdown; a bar within a cell would begin another one. */
function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|').replaceAll('\n', ' ')).join(' | ')} |`;
  // Padded by Prettier, the tables would be half of the page.
  return [
    '<!-- prettier-ignore -->',
    line(head),
    line(head.map(() => '---')),
    ...rows.map(line),
  ].join('\n');
}
