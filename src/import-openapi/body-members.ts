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
    return {
      name,
      field: caseOf(name, '_'),
      schema,
      isRequired: item.required.has(name),
      isReadOnly: isFlagged(schema, 'readOnly', schemas),
      isWriteOnly: isFlagged(schema, 'writeOnly', schemas),
    };
  }).filter(({ isReadOnly, isWriteOnly }) => !(side === 'request' ? isReadOnly : isWriteOnly));
}

type Flag = 'readOnly' | 'writeOnly';

/** Whether a schema has a flag itself. */
export function hasFlag(schema: unknown, flag: Flag, schemas: Schemas): boolean {
  const resolved = schemas.resolve(schema);
  return resolved.unclear === undefined && resolved.keywords.get(flag) === true;
}

/** Whether a member has a flag, or is an object all of whose members have it. */
export function isFlagged(schema: unknown, flag: Flag, schemas: Schemas): boolean {
  if (hasFlag(schema, flag, schemas)) return true;
  const resolved = schemas.resolve(schema);
  const members = resolved.unclear === undefined ? [...resolved.properties.values()] : [];
  return members.length > 0 && members.every((member) => hasFlag(member, flag, schemas));
}
