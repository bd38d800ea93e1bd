/** Reads `type_in`: the type that the values of a field have in older versions. */
import { readTyped } from '../field-type.ts';
import { OLDER_KEYS } from '../keys.ts';
import { quote } from '../../reading/quote.ts';
import type { FieldContext } from '../field-context.ts';
import type { Located } from '../../reading/shapes.ts';
import type { Tree } from '../../reading/tree.ts';
import type { OlderType } from '../types.ts';
import type { FieldType, PropertyType } from '../../types/registry.ts';
import type { JsonValue } from '../../shared/json.ts';
import type { Position } from '../../reading/position.ts';
import { isSameType, PROPERTY_NAMES, specOf } from '../../types/registry.ts';
import { olderFormFor } from './older-form.ts';
import type { UpTo } from '../../reading/version-shapes.ts';
import { readUpTo, type SpanReading } from './span.ts';

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
  return all.flatMap(({ version, value: tree }) => {
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
    checkForm({ what, name, stored: type, older, hasDefault, given }, tree.at, context);
    return [
      { upTo: version.value, type: older, ...(given && { default: given.value }), at: tree.at },
    ];
  });
}

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
}

function checkForm(
  { what, name, stored, older, hasDefault, given }: Form,
  at: Position,
  { issues }: FieldContext,
): void {
  const { type, conversion } = olderFormFor(stored, older);
  if (isSameType(older, stored)) {
    const message = `${what} is the type that the field has now. Write what it was, or remove it.`;
    issues.add(at, 'bad-span', message);
  }
  if (conversion.kind === 'values' && stored.type === 'enum') {
    const missing = stored.values.filter(
      (value) =>
        !Object.hasOwn(conversion.names, value) &&
        !stored.versioned?.some((one) => one.value === value),
    );
    const unknown = Object.keys(conversion.names).filter((value) => !stored.values.includes(value));
    for (const value of unknown) {
      const message = `${what} has ${quote(value)}, which is no value of the field. Remove it.`;
      issues.add(at, 'bad-value', message);
    }
    for (const value of missing) {
      const message = `${what} does not say what ${quote(value)} was called. Add it to values.`;
      issues.add(at, 'bad-value', message);
    }
  } else if (older.type === 'enum' && older.currentValues !== undefined) {
    const message = `${what} has values of today, and the field is no enum. Write a list of values.`;
    issues.add(at, 'bad-value', message);
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
