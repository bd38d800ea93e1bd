/** The members of an item, as a README describes them. */
import type { Field } from '../../definition/types.ts';
import { specOf } from '../../types/registry.ts';
import { markdownText } from '../../shared/literals.ts';

export interface DocumentedMember {
  readonly name: string;
  readonly type: string;
  readonly notes: string;
}

/** The fields of a collection, each as a row of a table in Markdown. */
export const documentedMembers = (fields: readonly Field[]): DocumentedMember[] =>
  fields.map((field) => ({
    name: field.name,
    type: specOf(field.type).documentation(field.type),
    notes: [field.description ?? '', ...rulesOf(field)]
      .map((text) => markdownText(text))
      .filter((text) => text !== '')
      .join(', '),
  }));

const rulesOf = (field: Field): string[] => [
  ...(field.required ? ['required'] : []),
  ...(field.unique ? ['unique'] : []),
  ...(field.readOnly ? ['read-only'] : []),
  ...(field.writeOnly ? ['write-only'] : []),
  ...(field.immutable ? ['immutable'] : []),
  ...(field.hasDatabaseDefault ? ['set by the database if absent'] : []),
];
