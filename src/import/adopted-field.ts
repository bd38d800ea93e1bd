/** A column of an adopted table → a field that uses the column as it is. */
import { hasOtherDomainDefault } from '../database/database-schema.ts';
import type { DatabaseColumn, DatabaseTable } from '../database/database-schema.ts';
import { BUILT_IN_TIMES } from '../shared/built-in-members.ts';
import { adoptedColumnType } from './adopted-column-type.ts';
import type { AdoptSettings } from './adopted-column-type.ts';
import { hasUpdatedAtName, timeLeftOut } from './adopted-history.ts';
import type { FieldTypeDefinition } from './column-type.ts';
import { columnDifference, columnLeftOut } from './difference.ts';
import type { Difference, DifferenceCode } from './difference.ts';
import {
  defaultDefinition,
  defaultDifferences,
  descriptionOf,
  isSecret,
  nameObstacle,
  namedDifferences,
  NO_DEFAULT,
  plainReferenceDifferences,
  proposeDefault,
  referenceOf,
  referenceType,
  typeDefinition,
} from './propose-field.ts';
import type {
  CollectionOf,
  FieldProposal,
  FieldRejections,
  FreeName,
  ProposedDefault,
} from './propose-field.ts';
import { fieldNameFor, ownForeignKey, plainNameFor } from './propose-names.ts';
import { rowTriggers } from './row-triggers.ts';
import { findSoftDeleteColumn, softDeleteAdvice } from './soft-delete.ts';

/** What the fields of a table are proposed from. */
export interface AdoptedFieldContext {
  readonly table: DatabaseTable;
  readonly collectionOf: CollectionOf;
  readonly rejections: FieldRejections;
  readonly settings: AdoptSettings;
}

/** What a column refers to. */
function adoptedReference(
  column: DatabaseColumn,
  { table, collectionOf, rejections, settings }: AdoptedFieldContext,
): { readonly target: ReturnType<typeof referenceOf>; readonly isInCycle: boolean } {
  const reference = referenceOf(
    column,
    table,
    collectionOf,
    (target) => findSoftDeleteColumn(target, settings) !== undefined,
  );
  // A column that takes no nulls cannot be an optional reference: it is a plain field.
  const isInCycle = column.notNull && reference !== undefined && rejections.cycles.has(column.name);
  return { target: isInCycle ? undefined : reference, isInCycle };
}

/** Whether a column becomes a reference. */
export const isAdoptedReference = (column: DatabaseColumn, context: AdoptedFieldContext): boolean =>
  adoptedReference(column, context).target !== undefined;

/**
 * Proposes a field for a column that stays as it is.
 * @param isKeyPart whether ids consist of its values: then requests send them.
 */
export function proposeAdoptedField(
  column: DatabaseColumn,
  context: AdoptedFieldContext,
  isKeyPart: boolean,
  freeName: FreeName,
): FieldProposal {
  const { table, rejections, settings } = context;
  const { target, isInCycle } = adoptedReference(column, context);
  const isReference = target !== undefined;
  const name = freeName(adoptedName(column, table, isReference), isReference);
  if (BUILT_IN_TIMES.some((time) => time === name)) {
    return { differences: [timeLeftOut(column, table, settings)] };
  }
  const { type, differences } =
    target === undefined ? adoptedColumnType(column, settings) : referenceType(target);
  const obstacle = nameObstacle(column, name);
  if (obstacle !== undefined) return { differences: [obstacle] };
  if (type === undefined) return { differences };
  const { isGenerated } = column;
  if (isGenerated && isSecret(name, type)) {
    const reason = 'the database computes it, and it has the name of a secret';
    return { differences: [columnLeftOut(column, 'generated', reason)] };
  }
  const proposedDefault = isGenerated
    ? NO_DEFAULT
    : adoptedDefault(column, type, rejections.defaults.get(name));
  const { isSequence, isComputed } = proposedDefault;
  const hasDatabaseDefault = isComputed && target === undefined && !isKeyPart;
  const isSetByTrigger =
    !isGenerated && hasUpdatedAtName(column) && rowTriggers(table, 'UPDATE').length > 0;
  const isRequired = column.notNull && !isSequence && !(isGenerated && target !== undefined);
  const cycle = `is not null, and tables refer to each other: it is a plain ${type.type}`;
  const differ = (code: DifferenceCode, text: string): Difference =>
    columnDifference(column, code, text);
  return {
    field: {
      column,
      name,
      isSequence,
      definition: {
        ...typeDefinition(type, isSequence, column, table),
        ...(name !== column.name && { column: column.name }),
        ...(isRequired && { required: true }),
        ...(isGenerated && { generated: true }),
        ...(hasDatabaseDefault && { database_default: true }),
        ...(isSecret(name, type) && { write_only: true }),
        ...((isSequence || isSetByTrigger) && { set_by: 'service' }),
        ...defaultDefinition(proposedDefault),
        ...descriptionOf(column.comment),
      },
    },
    differences: [
      ...differences,
      ...(hasDatabaseDefault ? [] : defaultDifferences(column, proposedDefault)),
      ...(isSetByTrigger
        ? [differ('set-by-trigger', 'may be set by a trigger: no request sends it')]
        : []),
      ...(isInCycle ? [differ('foreign-key-cycle', cycle)] : []),
      ...(target === undefined && !isSequence
        ? plainReferenceDifferences(column, table, type)
        : []),
      ...namedDifferences(column, name, type, softDeleteAdvice(column, table, settings)),
    ],
  };
}

/** References have names with `_id` at the end, and other foreign keys do not. */
function adoptedName(
  { name, type }: DatabaseColumn,
  table: DatabaseTable,
  isReference: boolean,
): string {
  const { foreignKeys, columns, primaryKey } = table;
  // Each item has a member `id` anyway, which consists of others.
  if (!isReference && fieldNameFor(name, false) === 'id' && (primaryKey?.columns.length ?? 0) > 1) {
    const taken = new Set(columns.map((column) => fieldNameFor(column.name, false)));
    const plainName = /^int[248]$/.test(type.name) ? 'number' : 'key';
    return taken.has(plainName) ? `id_${plainName}` : plainName;
  }
  const isForeign = foreignKeys.some((key) => key.columns.includes(name));
  if (isReference || !isForeign) {
    return fieldNameFor(name, isReference, ownForeignKey(name, table));
  }
  const others = columns.map((column) => column.name).filter((other) => other !== name);
  return plainNameFor(name, /^int[248]$/.test(type.name), others);
}

/** A sequence is required, so a column that may be null does not get one. */
function adoptedDefault(
  column: DatabaseColumn,
  type: FieldTypeDefinition,
  rejected: string | undefined,
): ProposedDefault {
  const { notNull, default: sql } = column;
  const proposed = proposeDefault(column, type, rejected);
  if (proposed.isComputed && hasOtherDomainDefault(column)) {
    const sent = notNull ? ': requests have to send it' : '';
    const text = `has the default ${sql ?? ''}, and its domain has ${column.domainDefault ?? ''}, which PostgreSQL uses for inserts into a view: both are left out${sent}`;
    return { ...NO_DEFAULT, difference: { code: 'default', text } };
  }
  if (!proposed.isSequence) return proposed;
  if (!notNull) {
    const text = `has the default ${sql ?? ''}, which is left out`;
    const isComputed = rejected === undefined;
    return { isSequence: false, isComputed, difference: { code: 'default', text } };
  }
  const text = 'is numbered by the database: no request sends it';
  return { ...proposed, difference: { code: 'sequence', text } };
}
