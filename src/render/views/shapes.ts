/**
 * Fields as expressions of `src/platform/http/shapes.ts`, and as the filters of
 * `src/platform/http/filters.ts`; bigints and decimals are in `src/platform/http/exact-numbers.ts`.
 */
import type { Field, FieldType, JsonValue, Property } from '../../definition/types.ts';
import { commentLines, stringLiteral, valueLiteral } from '../literals.ts';

/** TypeScript for a part of a module, with the names that it needs imported. */
export interface Code {
  readonly text: string;
  readonly uses: ReadonlySet<string>;
}

/** What emitted code imports from `exact-numbers.ts`. */
export const EXACT_NUMBERS: ReadonlySet<string> = new Set([
  'bigint',
  'byBigint',
  'byDecimal',
  'decimal',
]);

/**
 * A member of a body: its shape, whether it may be absent, and its default.
 * @param wrap what is done to the shape of its values.
 */
export function memberShape(
  field: Field | Property,
  wrap: (shape: string) => string = (shape) => shape,
): Code {
  const uses = new Set<string>();
  const call = (name: string, ...args: readonly string[]): string => {
    uses.add(name);
    return `${name}(${args.join(', ')})`;
  };
  let text = bareShape(field, uses, wrap);
  const description = field.description?.trim() ?? '';
  if (description !== '') text = call('described', stringLiteral(description), text);
  if ('immutable' in field && field.immutable) text = call('immutable', text);
  if ('writeOnly' in field && field.writeOnly) text = call('writeOnly', text);
  return { text, uses };
}

function bareShape(
  field: Field | Property,
  uses: Set<string>,
  wrap: (shape: string) => string,
): string {
  const shape = wrap(shapeOf(field.type, uses));
  const whenAbsent =
    field.default === undefined ? [] : [defaultOf(field.type, field.default, uses)];
  if (!field.required) {
    uses.add('optional');
    return `optional(${[shape, ...whenAbsent].join(', ')})`;
  }
  if (whenAbsent.length === 0) return shape;
  uses.add('defaulting');
  return `defaulting(${[shape, ...whenAbsent].join(', ')})`;
}

function defaultOf(type: FieldType, value: JsonValue, uses: Set<string>): string {
  if (
    (type.type === 'timestamp' && value === 'now') ||
    (type.type === 'date' && value === 'today')
  ) {
    uses.add(value);
    return value;
  }
  return valueLiteral(value);
}

function shapeOf(type: FieldType, uses: Set<string>): string {
  const call = (name: string, ...args: readonly string[]): string => {
    uses.add(name);
    return `${name}(${args.filter((arg) => arg !== '').join(', ')})`;
  };
  switch (type.type) {
    case 'string':
      return call(
        'string',
        options({
          minLength: type.minLength,
          maxLength: type.maxLength,
          pattern: type.pattern,
          format: type.format === 'email' ? 'idn-email' : type.format,
        }),
      );
    case 'text':
      return call('string', options({ maxLength: type.maxLength }));
    case 'integer':
    case 'bigint':
    case 'number':
    case 'date':
    case 'timestamp':
      return call(type.type, options({ minimum: type.minimum, maximum: type.maximum }));
    case 'decimal': {
      const { precision, scale, minimum, maximum } = type;
      return call('decimal', options({ precision, scale, minimum, maximum }));
    }
    case 'boolean':
    case 'uuid':
    case 'json':
      return call(type.type);
    case 'reference':
      return call('uuid');
    case 'enum':
      return call('oneOf', valueLiteral(type.values));
    case 'list': {
      const { minItems, maxItems, uniqueItems } = type;
      const rules = options({ minItems, maxItems, uniqueItems: uniqueItems || undefined });
      return call('list', shapeOf(type.of, uses), rules);
    }
    case 'object': {
      const members = type.properties.map((property) => {
        const { text, uses: inner } = memberShape(property);
        for (const name of inner) uses.add(name);
        return `${property.name}: ${text},\n`;
      });
      return call('object', `{\n${members.join('')}}`);
    }
  }
}

/** How values of a filter are read. */
export function filterOf(type: FieldType): Code {
  const call = (name: string, ...args: readonly string[]): Code => ({
    text: `${name}(${args.join(', ')})`,
    uses: new Set([name]),
  });
  switch (type.type) {
    case 'integer':
      return call('byInteger');
    case 'bigint':
      return call('byBigint');
    case 'number':
      return call('byNumber');
    case 'decimal':
      return call('byDecimal', String(type.precision), String(type.scale));
    case 'boolean':
      return call('byBoolean');
    case 'date':
      return call('byDate');
    case 'timestamp':
      return call('byTimestamp');
    case 'uuid':
    case 'reference':
      return call('byUuid');
    case 'enum':
      return call('byEnum', valueLiteral(type.values));
    default:
      return call('byString');
  }
}

/** A doc comment before a member, or nothing. */
export function docComment(text: string | undefined): string {
  if (text === undefined || text.trim() === '') return '';
  const lines = commentLines(text.trim());
  return lines.length === 1
    ? `/** ${lines[0]} */\n`
    : `/**\n${lines.map((line) => ` * ${line}`.trimEnd()).join('\n')}\n */\n`;
}

/** An object literal of those options that are there; nothing where none is. */
function options(values: Readonly<Record<string, unknown>>): string {
  const given = Object.entries(values).filter(([, value]) => value !== undefined);
  if (given.length === 0) return '';
  return `{ ${given
    .map(
      ([name, value]) =>
        `${name}: ${typeof value === 'string' ? stringLiteral(value) : valueLiteral(value)}`,
    )
    .join(', ')} }`;
}

/** What values of a type are in TypeScript, without null. */
export function typeCode(type: FieldType): string {
  switch (type.type) {
    case 'integer':
    case 'number':
      return 'number';
    case 'boolean':
      return 'boolean';
    case 'enum':
      return type.values.map(stringLiteral).join(' | ');
    case 'list': {
      const inner = typeCode(type.of);
      return type.of.type === 'enum' ? `(${inner})[]` : `${inner}[]`;
    }
    case 'object': {
      const members = type.properties.map(
        ({ name, required, type: inner }) =>
          `${name}: ${typeCode(inner)}${required ? '' : ' | null'}`,
      );
      return `{ ${members.join('; ')} }`;
    }
    case 'json':
      return 'unknown';
    default:
      return 'string';
  }
}
