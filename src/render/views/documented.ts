/** The members of an item, as a README describes them. */
import type { Field, FieldType } from '../../definition/types.ts';
import { markdownText } from '../literals.ts';

export interface DocumentedMember {
  readonly name: string;
  readonly type: string;
  readonly notes: string;
}

/** The fields of a collection, each as a row of a table in Markdown. */
export const documentedMembers = (fields: readonly Field[]): DocumentedMember[] =>
  fields.map((field) => ({
    name: field.name,
    type: typeOf(field.type),
    notes: [field.description ?? '', ...rulesOf(field)]
      .map((text) => markdownText(text))
      .filter((text) => text !== '')
      .join(', '),
  }));

/** A type in a few words, as a cell of a table in Markdown. */
export const memberType = (type: FieldType): string => typeOf(type);

function typeOf(type: FieldType): string {
  switch (type.type) {
    case 'string':
      return type.format ?? 'string';
    case 'text':
      return 'string';
    case 'bigint':
      return 'string, a 64-bit integer';
    case 'decimal':
      return `string, a decimal with ${type.scale} digits after the point`;
    case 'date':
      return 'string, `YYYY-MM-DD`';
    case 'timestamp':
      return 'string, RFC 3339';
    case 'uuid':
      return 'string, a UUID';
    case 'enum':
      return `one of ${type.values.map((value) => markdownText(JSON.stringify(value))).join(', ')}`;
    case 'list':
      return `array: ${typeOf(type.of)}`;
    case 'json':
      return 'any JSON value';
    case 'reference':
      return `string, the id of an item of \`/${type.to.replaceAll('_', '-')}\``;
    default:
      return type.type;
  }
}

const rulesOf = (field: Field): string[] => [
  ...(field.required ? ['required'] : []),
  ...(field.unique ? ['unique'] : []),
  ...(field.readOnly ? ['read-only'] : []),
  ...(field.writeOnly ? ['write-only'] : []),
  ...(field.immutable ? ['immutable'] : []),
];
