/** Reads the values of an enum: the versions that have each, and its substitute in the others. */
import { quote } from '../../reading/quote.ts';
import { checkRenamedOnce } from '../renamed-from.ts';
import type { EnumType, VersionedValue } from '../../types/enum.ts';
import { isInVersion, readSpan, type VersionContext } from './span.ts';
import type { WrittenValue } from '../../reading/version-shapes.ts';

/**
 * The form that values of an enum may have: plain, with the versions that have each, or in the type of an
 * older version a map from current values.
 */
export type EnumForm = 'plain' | 'versioned' | 'older';

/** Reads the values; undefined if one has the wrong form. */
export function readEnumValues(
  written: readonly WrittenValue[],
  form: EnumForm,
  context: VersionContext,
): EnumType | undefined {
  const { issues } = context;
  const before = issues.count;
  const seen = new Set<string>();
  for (const { value, at } of written) {
    if (seen.has(value)) {
      const message = `values names ${quote(value)} twice. Remove one.`;
      issues.add(at, 'duplicate-entry', message);
    }
    seen.add(value);
  }
  const values = [...seen];
  for (const { value, versioned, currentName } of written) {
    if (versioned !== undefined && form !== 'versioned') {
      const message = `values entry ${quote(value)} says which versions have it, and only a value of a field's own type can. Write ${quote(value)}.`;
      issues.add(versioned.at, 'bad-span', message);
    }
    if (currentName !== undefined && form !== 'older') {
      const message = `values is a map, and only an older form, under type_in, says what values are called today. Write a list.`;
      issues.add(currentName.at, 'wrong-type', message);
    }
  }
  const currentValues = written.flatMap((one) =>
    one.currentName === undefined ? [] : [one.currentName.value],
  );
  for (const { value, renamedFrom } of written) {
    if (form === 'older' && renamedFrom !== undefined) {
      const message = `values entry ${quote(value)} has renamed_from, and an older form has the names of then. Write ${quote(value)}.`;
      issues.add(renamedFrom.at, 'bad-span', message);
    } else if (renamedFrom?.value === value) {
      const message = `renamed_from ${quote(value)} is the name that it has now. Write the old one, or remove it.`;
      issues.add(renamedFrom.at, 'contradiction', message);
    }
  }
  checkRenamedOnce(
    written.flatMap(({ renamedFrom }) => renamedFrom ?? []),
    'value',
    issues,
  );
  if (form === 'versioned') checkShown(written, context);
  const renamed = written.flatMap(({ value: name, renamedFrom }) =>
    renamedFrom === undefined ? [] : [{ name, renamedFrom: renamedFrom.value }],
  );
  const versioned = versionedOf(written, form, context);
  if (issues.count > before && form !== 'versioned') return undefined;
  return {
    type: 'enum',
    values,
    ...(versioned.length > 0 && { versioned }),
    ...(currentValues.length > 0 && { currentValues }),
    ...(renamed.length > 0 && { renamed }),
  };
}

function versionedOf(
  written: readonly WrittenValue[],
  form: EnumForm,
  context: VersionContext,
): readonly VersionedValue[] {
  if (form !== 'versioned') return [];
  return written.flatMap(({ value, versioned }) => {
    if (versioned === undefined) return [];
    const span = readSpan(versioned, `value ${quote(value)}`, context);
    return [{ value, ...span, ...(versioned.as && { as: versioned.as.value }) }];
  });
}

/** Checks that each version can show every value: as itself, or as one that it has. */
function checkShown(
  written: readonly WrittenValue[],
  { issues, versions: { served, isComplete } }: VersionContext,
): void {
  const spanOf = (value: string) => {
    const { versioned } = written.find((one) => one.value === value) ?? {};
    return {
      ...(versioned?.since && { since: versioned.since.value }),
      ...(versioned?.until && { until: versioned.until.value }),
    };
  };
  for (const { value, versioned } of written) {
    if (versioned === undefined || !isComplete) continue;
    const { since, until, as } = versioned;
    const without = served.filter((version) => !isInVersion(spanOf(value), version));
    const other = written.find((one) => one.value !== value && one.versioned === undefined)?.value;
    if (since === undefined && until === undefined) {
      const message = `value ${quote(value)} is in all versions. Write ${quote(value)} alone.`;
      issues.add(versioned.at, 'bad-span', message);
    } else if (without.length === 0) {
      // Versions that it is not in were retired.
    } else if (as === undefined) {
      const write = other === undefined ? 'another value' : other;
      const message = `value ${quote(value)} is not in version ${without.join(', ')}, which cannot tell it. Write what is shown there: { value: …, as: ${write} }.`;
      issues.add(versioned.at, 'needs-as', message);
    } else if (!written.some((one) => one.value === as.value) || as.value === value) {
      const hint = other === undefined ? 'another value' : quote(other);
      const message = `as ${quote(as.value)} of the value ${quote(value)} is not another value. Write ${hint}.`;
      issues.add(as.at, 'needs-as', message);
    } else {
      const lacking = without.filter((version) => !isInVersion(spanOf(as.value), version));
      if (lacking.length === 0) continue;
      const message = `as ${quote(as.value)} is not in version ${lacking.join(', ')} either. Write a value that is.`;
      issues.add(as.at, 'needs-as', message);
    }
  }
}
