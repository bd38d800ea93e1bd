/** What tests expect of omitted members. */
import type { Field } from '../../definition/types.ts';
import { ownMember } from '../../shared/json.ts';
import type { JsonObject, JsonValue } from '../../shared/json.ts';
import { answeredValue, expectedCode } from '../../types/member-code.ts';
import { specOf } from '../../types/registry.ts';
import type { FieldType } from '../../types/registry.ts';

/** What an item has for a member that nobody sent. */
const unsent = (field: Field): JsonValue =>
  field.default === undefined ? null : answeredValue(field.type, field.default);

/** Code for what is expected of a member that nobody sent. */
export const unsentCode = (field: Field): string => expectedCode(specOf, field.type, unsent(field));

/** Whether this code names `A_DAY`: the default is today, or has a part that is. */
export const isTodayUnsent = (field: Field): boolean => hasToday(field.type, unsent(field));

function hasToday(type: FieldType, value: JsonValue): boolean {
  if (specOf(type).currentDefault === 'today') return value === 'today';
  if (type.type !== 'object' || typeof value !== 'object' || value === null) return false;
  const given = value as JsonObject;
  return type.properties.some((property) =>
    hasToday(property.type, ownMember(given, property.name) ?? null),
  );
}
