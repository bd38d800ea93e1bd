/** The members of an item in a request or a response. */
import { caseOf } from '../definition/names.ts';
import type { ClearSchema, Schemas } from './schemas.ts';

/** A member of an item in one body. */
export interface BodyMember {
  /** As the document has it. */
  readonly name: string;
  /** What the name is in snake_case; empty if it has no letter. */
  readonly field: string;
  readonly schema: unknown;
  readonly isRequired: boolean;
  readonly isReadOnly: boolean;
  readonly isWriteOnly: boolean;
}

/** The members of an item; in a request without those that it may not send, in a response without those that it never has. */
export function bodyMembersOf(
  item: ClearSchema,
  schemas: Schemas,
  side: 'request' | 'response',
): readonly BodyMember[] {
  return Array.from(item.properties, ([name, schema]) => {
    const resolved = schemas.resolve(schema);
    const is = (flag: string): boolean =>
      resolved.unclear === undefined && resolved.keywords.get(flag) === true;
    return {
      name,
      field: caseOf(name, '_'),
      schema,
      isRequired: item.required.has(name),
      isReadOnly: is('readOnly'),
      isWriteOnly: is('writeOnly'),
    };
  }).filter(({ isReadOnly, isWriteOnly }) => !(side === 'request' ? isReadOnly : isWriteOnly));
}
