/** Reads one field of a collection, and what its options say about each other. */
import { isNull } from '../reading/mismatch.ts';
import type { WrittenReference } from '../types/reference.ts';
import type { FieldContext } from './field-context.ts';
import { type CommonOptions, readCommonOptions } from './common-options.ts';
import { readTyped } from './field-type.ts';
import type { WrittenType } from './field-type.ts';
import { TYPE_NAMES, TYPES } from '../types/registry.ts';
import type { FieldType, TypeName } from '../types/registry.ts';
import type { JsonValue } from '../shared/json.ts';
import { readTransitions } from './transitions.ts';
import type { WrittenTransitions } from './transitions.ts';
import { FIELD_KEYS } from './keys.ts';
import { checkSnakeCase } from './names.ts';
import { quote } from '../reading/quote.ts';
import type { Issues } from '../reading/issues.ts';
import type { Located } from '../reading/shapes.ts';
import type { Entry } from '../reading/tree.ts';
import { checkDatabaseDefault } from './database-default.ts';
import { checkGenerated } from './generated.ts';
import { readStored } from './stored.ts';
import type { Field } from './types.ts';
import type { OlderNames } from '../types/reference.ts';
import type { Position } from '../reading/position.ts';
import { BUILT_IN_MEMBERS } from '../shared/built-in-members.ts';
import { readOlderTypes } from './versions/older-types.ts';
import { readOlderNames, readSpan } from './versions/span.ts';
import type { WrittenField } from './written-field.ts';
/** Columns that every table of PostgreSQL has; no quotes make room for another one. */
const SYSTEM_COLUMNS = new Set(['cmax', 'cmin', 'ctid', 'tableoid', 'xmax', 'xmin']);

/** Reads a field by its entry under `fields`. */
export function readField(entry: Entry, context: FieldContext): WrittenField {
  const { name, at } = entry;
  const { issues } = context;
  const before = issues.count;
  checkFieldName(name, at, issues);
  const what = `field ${quote(name)}`;
  const enumForm = 'versioned' as const;
  const place = { what, keys: FIELD_KEYS, types: TYPE_NAMES, depth: 0, enumForm };
  const typed = readTyped(entry.value, at, place, context);
  const writeOnly = typed?.common.write_only?.value ?? false;
  const required = typed?.common.required?.value ?? false;
  const written = {
    name,
    at,
    typeName: typed?.typeName,
    required,
    writeOnly,
    column: typed?.common.column,
    stored: typed?.common.stored,
    generatedAt: placeOf(typed?.common.generated),
    databaseDefaultAt: placeOf(typed?.common.database_default),
    backfillAt: typed?.common.backfill?.keyAt,
    stepRoles: [],
  };
  if (typed === undefined) return { ...written, reference: undefined, field: undefined };
  checkOptions(name, at, typed.typeName, typed.common, issues);
  const { type } = typed;
  const reference = type?.type === 'reference' ? type : undefined;
  checkGenerated(name, typed.common, reference, issues);
  checkDatabaseDefault(name, typed.typeName, typed.common, issues);
  if (reference !== undefined) checkNestedSetBy(name, reference, typed.common, issues);
  if (reference !== undefined) checkReference(reference, typed.common, issues);
  if (type === undefined) return { ...written, reference, field: undefined };
  const { field, stepRoles } = fieldOf(name, at, type, typed.common, context);
  return { ...written, reference, stepRoles, field: issues.count > before ? undefined : field };
}

/** Where an option is true. */
const placeOf = (option: CommonOptions['generated']): Position | undefined =>
  option?.value === true ? option.keyAt : undefined;

function fieldOf(
  name: string,
  at: Position,
  written: WrittenType,
  common: CommonOptions,
  context: FieldContext,
): { readonly field: Field; readonly stepRoles: readonly Located<string>[] } {
  const { issues } = context;
  const type =
    written.type === 'reference'
      ? ({ type: 'reference', to: written.to.value, onDelete: written.onDelete } as const)
      : written;
  const what = `field ${quote(name)}`;
  const olderNames = readOlderNames(common, name, what, context);
  for (const older of olderNames ?? []) checkOlderFieldName(older, type.type, issues);
  const isSequence = isSequenceDefault(type.type, common);
  const isGenerated = common.generated?.value === true;
  const { default: defaultValue, ...others } = common;
  const given = isSequence || defaultValue === undefined ? others : common;
  if (isSequence && 'maximum' in type && type.maximum !== undefined) {
    const message = `field ${quote(name)} is a sequence, which has no end. Remove maximum.`;
    issues.add(at, 'contradiction', message);
  }
  const named = readCommonOptions(name, at, type, given, issues);
  const transitions = transitionsOf(name, type, named.default, common, issues);
  const olderTypes = readOlderTypes(name, type, named.default !== undefined, common, context);
  const field: Field = {
    ...named,
    ...readSpan(common, what, context),
    ...(olderNames !== undefined && { olderNames }),
    ...(olderTypes !== undefined && { olderTypes }),
    type,
    unique: isSequence || (common.unique?.value ?? false),
    readOnly: isGenerated || common.set_by !== undefined || (common.read_only?.value ?? false),
    ...((isGenerated || common.set_by !== undefined) && { setBy: 'service' }),
    ...(isGenerated && { isGenerated }),
    ...(common.database_default?.value === true && { hasDatabaseDefault: true }),
    ...(common.column !== undefined && { column: common.column.value }),
    ...readStored(type, common.stored, issues),
    ...(isSequence && { isSequence, required: true }),
    writeOnly: common.write_only?.value ?? false,
    immutable: common.immutable?.value ?? false,
    ...(transitions?.transitions !== undefined && {
      transitions: transitions.transitions,
      required: true,
    }),
  };
  return { field, stepRoles: transitions?.roles ?? [] };
}

/** The transitions of an enum field, which is never null: it is required, or its default makes it so. */
function transitionsOf(
  name: string,
  type: FieldType,
  initial: JsonValue | undefined,
  common: CommonOptions,
  issues: Issues,
): WrittenTransitions | undefined {
  if (type.type !== 'enum') return undefined;
  const start = typeof initial === 'string' ? initial : undefined;
  const { transitions, required, set_by: setBy, read_only: readOnly } = common;
  const hasDefault = common.default !== undefined && !isNull(common.default.value);
  if (transitions !== undefined && required?.value === undefined && !hasDefault) {
    const message = `field ${quote(name)} has transitions and may be null. Add a default, or "required: true".`;
    issues.add(transitions.keyAt, 'contradiction', message);
  }
  const read = readTransitions(name, type, common, start, issues);
  const lock = setBy ?? (readOnly?.value === true ? readOnly : undefined);
  const [role] = read?.roles ?? [];
  if (lock !== undefined && role !== undefined) {
    const message = `by names roles, and requests cannot change field ${quote(name)}. Remove by.`;
    issues.add(role.at, 'contradiction', message);
  }
  return read;
}

function checkFieldName(name: string, at: Position, issues: Issues): void {
  if (!checkSnakeCase(name, 'field', at, issues)) return;
  if (BUILT_IN_MEMBERS.includes(name)) {
    const message = `field ${quote(name)} is there already: every item has it. Remove it.`;
    issues.add(at, 'name-reserved', message);
  } else if (SYSTEM_COLUMNS.has(name)) {
    const message = `field ${quote(name)} is a column that every table of PostgreSQL has already. Rename it.`;
    issues.add(at, 'name-reserved', message);
  }
}

/** Checks what a field is called in an older version, as today's name is checked. */
function checkOlderFieldName(
  { name, at }: OlderNames[number],
  typeName: TypeName,
  issues: Issues,
): void {
  if (BUILT_IN_MEMBERS.includes(name)) {
    const message = `name_in ${quote(name)} is there already: every item has it. Write another.`;
    issues.add(at, 'name-reserved', message);
  } else if (SYSTEM_COLUMNS.has(name)) {
    const message = `name_in ${quote(name)} is a column that every table of PostgreSQL has already. Write another.`;
    issues.add(at, 'name-reserved', message);
  } else if (typeName === 'reference' && !name.endsWith('_id')) {
    const message = `name_in ${quote(name)} is that of a reference: their names end in "_id". Write ${quote(`${name}_id`)}.`;
    issues.add(at, 'bad-name', message);
  }
}

function checkOptions(
  name: string,
  at: Position,
  typeName: TypeName,
  common: CommonOptions,
  issues: Issues,
): void {
  const { unique, default: defaultValue, backfill } = common;
  const readOnly = common.read_only?.value === true;
  const required = common.required?.value === true;
  const isSequence = isSequenceDefault(typeName, common);
  const given = defaultValue !== undefined && !isNull(defaultValue.value) && !isSequence;
  const isUnfit = unique?.value === true && !TYPES[typeName].isComparable;
  if (typeName === 'reference' && !name.endsWith('_id')) {
    const message = `field ${quote(name)} is a reference: their names end in "_id". Write ${quote(`${name}_id`)}.`;
    issues.add(at, 'bad-name', message);
  }
  if (isUnfit) {
    const message = `field ${quote(name)} has the type ${typeName}, which cannot be unique. Remove unique.`;
    issues.add(unique.keyAt, 'unfit-field', message);
  }
  if (common.generated?.value === true) return;
  if (isSequence) checkSequence(name, common, issues);
  else if (common.set_by !== undefined) checkSetBy(name, common, issues);
  if (readOnly && common.write_only?.value === true) {
    const message = `field ${quote(name)} is read_only and write_only: nobody could see or set it. Remove one.`;
    issues.add(common.write_only.keyAt, 'contradiction', message);
  }
  if (unique?.value === true && common.write_only?.value === true) {
    const message = `field ${quote(name)} is write_only and unique: a 409 would tell which values it holds. Remove one.`;
    issues.add(unique.keyAt, 'contradiction', message);
  }
  if (readOnly && required && !given && common.set_by === undefined) {
    const message = `field ${quote(name)} is required and read_only without a default: no request could ever create an item. Add a default, write "set_by: service" in place of read_only where hooks.ts sets the value, or remove one.`;
    issues.add(common.read_only.keyAt, 'contradiction', message);
  }
  if (unique?.value === true && !isUnfit && given && !isMoving(defaultValue.value)) {
    const message = `field ${quote(name)} is unique and has a default: a second item could not take it. Remove one.`;
    issues.add(defaultValue.keyAt, 'contradiction', message);
  }
  if (unique?.value === true && !isSequence && backfill !== undefined && !isNull(backfill.value)) {
    const message = `field ${quote(name)} is unique and has a backfill: a second item could not take it. Remove one.`;
    issues.add(backfill.keyAt, 'contradiction', message);
  }
  if (typeName === 'reference' && given) {
    const message = `field ${quote(name)} is a reference, and ids are made by the service: no default can name one. Remove it.`;
    issues.add(defaultValue.keyAt, 'contradiction', message);
  }
}

/** The default by which the database numbers items; of a text it is a text. */
const isSequenceDefault = (typeName: TypeName, { default: defaultValue }: CommonOptions): boolean =>
  TYPES[typeName].hasSequence === true &&
  defaultValue?.value.kind === 'scalar' &&
  defaultValue.value.value === 'sequence';

function checkSetBy(name: string, common: CommonOptions, issues: Issues): void {
  const { set_by: setBy, read_only: readOnly, write_only: writeOnly } = common;
  const start = `field ${quote(name)} is set by the service`;
  if (setBy === undefined) return;
  if (readOnly?.value === true) {
    const message = `${start}: requests may not set it anyway. Remove read_only.`;
    issues.add(readOnly.keyAt, 'contradiction', message);
  }
  if (writeOnly?.value === true) {
    const message = `${start} and write_only: no client could see or set it. Remove one.`;
    issues.add(writeOnly.keyAt, 'contradiction', message);
  }
}

function checkSequence(name: string, common: CommonOptions, issues: Issues): void {
  const { default: defaultValue, set_by: setBy, required, unique, backfill } = common;
  const start = `field ${quote(name)} is a sequence`;
  if (setBy === undefined && defaultValue !== undefined) {
    const message = `${start}, whose numbers requests must not set. Add "set_by: service".`;
    issues.add(defaultValue.keyAt, 'contradiction', message);
  }
  checkSetBy(name, common, issues);
  for (const [key, option] of Object.entries({ required, unique })) {
    if (option?.value !== false) continue;
    const message = `${start}: each item has a number of its own. Remove ${key}.`;
    issues.add(option.keyAt, 'contradiction', message);
  }
  if (backfill !== undefined) {
    const message = `${start}: items without a number get one, the oldest first. Remove backfill.`;
    issues.add(backfill.keyAt, 'contradiction', message);
  }
}

function isMoving(tree: Entry['value']): boolean {
  return tree.kind === 'scalar' && (tree.value === 'now' || tree.value === 'today');
}

function checkNestedSetBy(
  name: string,
  reference: WrittenReference,
  { set_by: setBy }: CommonOptions,
  issues: Issues,
): void {
  if (setBy === undefined || reference.nested === undefined) return;
  const message = `field ${quote(name)} is set by the service, and a POST at its nested path would set it. Remove nested, and filter lists by the field.`;
  issues.add(setBy.keyAt, 'contradiction', message);
}

function checkReference(reference: WrittenReference, common: CommonOptions, issues: Issues): void {
  if (reference.onDelete !== 'clear' || common.required?.value !== true) return;
  const message =
    'on_delete "clear" cannot be done to a required reference. Write "refuse" or "cascade", or remove required.';
  issues.add(reference.onDeleteAt, 'contradiction', message);
}
