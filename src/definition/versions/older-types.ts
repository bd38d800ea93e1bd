/** Reads `type_in`: the type that the values of a field have in older versions. */
import { readTyped } from '../field-type.ts';
import { OLDER_KEYS } from '../keys.ts';
import { quote } from '../../reading/quote.ts';
import type { FieldContext } from '../field-context.ts';
import type { Located } from '../../reading/shapes.ts';
import type { Issues } from '../../reading/issues.ts';
import type { EnumType } from '../../types/enum.ts';
import type { Tree } from '../../reading/tree.ts';
import type { OlderType } from '../types.ts';
import type { FieldType, PropertyType } from '../../types/registry.ts';
import type { JsonValue } from '../../shared/json.ts';
import type { Position } from '../../reading/position.ts';
import { isSameType, PROPERTY_NAMES, specOf } from '../../types/registry.ts';
import { olderFormFor } from './older-form.ts';
import type { UpTo } from '../../reading/version-shapes.ts';
import { isInVersion, readUpTo, type SpanReading } from './span.ts';

interface TypesReading extends Pick<SpanReading, 'since' | 'until'> {
  readonly type_in?: Located<readonly UpTo<Tree>[]> & { readonly keyAt: Position };
}

/** Reads the older types of a field; undefined where it has none. */
export function readOlderTypes(
  name: string,
  type: FieldType,
  hasDefault: boolean,
  { type_in: written, ...span }: TypesReading,
  context: FieldContext,
): readonly OlderType[] | undefined {
  if (written === undefined) return undefined;
  const { issues } = context;
  if (type.type === 'reference') {
    const message = `field ${quote(name)} is a reference, and ids are the same in all versions. Remove type_in.`;
    issues.add(written.keyAt, 'contradiction', message);
    return undefined;
  }
  const all = readUpTo(written.value, `type_in of field ${quote(name)}`, span, context);
  const hasField = isInSpan(span);
  return all.flatMap(({ version, value: tree }, at) => {
    const after = all[at - 1]?.version.value ?? 0;
    const isOfForm = (one: number): boolean => one > after && one <= version.value && hasField(one);
    const what = `type_in ${version.value} of field ${quote(name)}`;
    const place = {
      what,
      keys: OLDER_KEYS,
      types: PROPERTY_NAMES,
      depth: 0,
      enumForm: 'older' as const,
    };
    const typed = readTyped(tree.value, tree.at, place, context);
    if (typed?.type === undefined) return [];
    const older = typed.type as PropertyType;
    const given = readDefault(older, typed.common.default, what, context);
    const form = { what, name, stored: type, older, hasDefault, given };
    checkForm({ ...form, versions: context.versions.served.filter(isOfForm) }, tree.at, context);
    return [
      { upTo: version.value, type: older, ...(given && { default: given.value }), at: tree.at },
    ];
  });
}

const isInSpan =
  ({ since, until }: Pick<TypesReading, 'since' | 'until'>) =>
  (version: number): boolean =>
    isInVersion(
      { ...(since && { since: since.value }), ...(until && { until: until.value }) },
      version,
    );

interface Given {
  readonly value: JsonValue;
  readonly keyAt: Position;
}

function readDefault(
  type: PropertyType,
  written: (Located<Tree> & { readonly keyAt: Position }) | undefined,
  what: string,
  { issues }: FieldContext,
): Given | undefined {
  if (written === undefined) return undefined;
  const value = specOf(type).readValue(type, written.value, `default of ${what}`, issues);
  return value === undefined ? undefined : { value, keyAt: written.keyAt };
}

interface Form {
  readonly what: string;
  readonly name: string;
  readonly stored: FieldType;
  readonly older: PropertyType;
  readonly hasDefault: boolean;
  readonly given: Given | undefined;
  /** The versions that have this form. */
  readonly versions: readonly number[];
}

function checkForm(form: Form, at: Position, { issues }: FieldContext): void {
  const { what, name, stored, older, hasDefault, given } = form;
  const { type, conversion } = olderFormFor(stored, older);
  if (isSameType(older, stored)) {
    const message = `${what} is the type that the field has now. Write what it was, or remove it.`;
    issues.add(at, 'bad-span', message);
  }
  if (older.type === 'enum' && older.currentValues !== undefined && stored.type !== 'enum') {
    const message = `${what} has values of today, and the field is no enum. Write a list of values.`;
    issues.add(at, 'bad-value', message);
  } else if (stored.type === 'enum' && older.type === 'enum' && conversion.kind !== 'team') {
    checkValues(form, stored, older, at, issues);
  }
  if (conversion.kind !== 'team' && given !== undefined) {
    const message = `${what} has a default, and that of the field is known in this form. Remove default.`;
    issues.add(given.keyAt, 'contradiction', message);
  } else if (given !== undefined && !hasDefault) {
    const message = `${what} has a default, and the field has none. Remove it, or give the field one.`;
    issues.add(given.keyAt, 'contradiction', message);
  } else if (conversion.kind === 'team' && given === undefined && hasDefault) {
    const message = `${what} has no default, and field ${quote(name)} has one, which only the team's functions could tell as ${type.type}. Write "default:" there.`;
    issues.add(at, 'needs-version-default', message);
  }
}

/** Checks that an older form has the values that its versions have, so that each version can tell all of them. */
function checkValues(
  { what, versions }: Form,
  stored: EnumType,
  { values, currentValues = values }: EnumType,
  at: Position,
  issues: Issues,
): void {
  const add = (message: string): void => issues.add(at, 'bad-value', `${what} ${message}`);
  const isMap = currentValues !== values;
  for (const value of isMap ? currentValues : []) {
    if (stored.values.includes(value)) continue;
    add(`has ${quote(value)}, which is no value of the field. Remove it.`);
  }
  for (const value of stored.values) {
    const span = stored.versioned?.find((one) => one.value === value);
    const lacking = versions.filter((version) => span !== undefined && !isInVersion(span, version));
    const isNamed = currentValues.includes(value);
    if (lacking.length === versions.length && span !== undefined) {
      if (!isNamed || versions.length === 0) continue;
      add(
        `has ${quote(value)}, which version ${versions.join(', ')} does not have. Remove it: ${quote(span.as ?? value)} is shown instead.`,
      );
    } else if (lacking.length > 0 && isNamed) {
      const rest = versions.filter((version) => !lacking.includes(version));
      add(
        `has ${quote(value)}, which version ${rest.join(', ')} has and version ${lacking.join(', ')} does not have. Write an older form for each of them, one with ${quote(value)} and one without it.`,
      );
    } else if (!isNamed && isMap) {
      add(`does not say what ${quote(value)} was called. Add it to values.`);
    }
  }
}
