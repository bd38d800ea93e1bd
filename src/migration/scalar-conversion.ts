/** How a value of one type that is no JSON becomes one of another, in SQL. */
import type { ReferenceType } from '../types/reference.ts';
import { isSameType, specOf } from '../types/registry.ts';
import type { FieldType, ScalarType } from '../types/registry.ts';
import { unchanged } from '../types/sql-conversion.ts';
import type { SqlConversion } from '../types/sql-conversion.ts';

/** The types whose columns hold a scalar, and not jsonb. */
export type ScalarColumnType = ScalarType | ReferenceType;

/** How values of one type become those of another; undefined where none of them would. */
export function scalarConversion(
  from: ScalarColumnType,
  to: ScalarColumnType,
): SqlConversion | undefined {
  if (isSameType(from, to)) return unchanged();
  const [before, now] = [specOf(from), specOf(to)];
  if (isText(from)) return now.fromText?.(to, from);
  if (!isText(to)) return now.convertFrom?.(from, to);
  // An enum has only some of all texts.
  return { sql: (value) => before.toText(from, value), isWider: to.type !== 'enum' };
}

const isText = (type: FieldType): boolean => specOf(type).maxCharacters !== undefined;
