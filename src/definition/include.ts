/** The key `include` of a collection: the references whose items responses can embed. */
import type { Issues } from '../reading/issues.ts';
import { nearest } from '../reading/nearest.ts';
import { enumerate, quote } from '../reading/quote.ts';
import type { Located } from '../reading/shapes.ts';
import { BUILT_IN_MEMBERS } from '../shared/built-in-members.ts';
import type { WrittenField } from './written-field.ts';
import { camelCase } from './names.ts';
import type { KnownVersions } from './versions/known-versions.ts';
import { isInVersion, nameInVersion } from './versions/span.ts';

/** The query parameter of requests for items and lists. */
export const INCLUDE_PARAMETER = 'include';

/** Requests may name all of them, and all references of each of these. */
const MOST_REFERENCES = 20;

/** The name of the embedded member: that of the reference without `_id`. */
export const includedName = (reference: string): string => reference.replace(/_id$/, '');

/**
 * Reads the references that a collection includes.
 * @param filter the members that its lists are filtered by.
 */
export function readInclude(
  names: readonly Located<string>[],
  fields: readonly WrittenField[],
  filter: readonly string[],
  versions: KnownVersions,
  issues: Issues,
): readonly string[] {
  const seen = new Set<string>();
  for (const name of names) {
    if (seen.has(name.value)) {
      const message = `include names ${quote(name.value)} twice. Remove one.`;
      issues.add(name.at, 'duplicate-entry', message);
      continue;
    }
    seen.add(name.value);
    const field = fields.find((one) => one.name === name.value);
    if (field === undefined) reportUnknown(name, names, fields, issues);
    else if (checkReference(name, field, issues)) checkName(name, field, fields, versions, issues);
  }
  const first = names[0];
  if (names.length > MOST_REFERENCES && first !== undefined) {
    const message = `include has ${names.length} references: a collection embeds at most ${MOST_REFERENCES}. Remove some.`;
    issues.add(first.at, 'out-of-range', message);
  }
  if (first !== undefined) checkFilter(first, fields, filter, versions, issues);
  return names.map(({ value }) => value);
}

function reportUnknown(
  { value, at }: Located<string>,
  names: readonly Located<string>[],
  fields: readonly WrittenField[],
  issues: Issues,
): void {
  const known = fields
    .filter((field) => isIncludable(field) && names.every((one) => one.value !== field.name))
    .map(({ name }) => name);
  const withId = `${value}_id`;
  const near = known.includes(withId) ? withId : nearest(value, known);
  const hint = near === undefined ? enumerate(known.slice(0, 10).map(quote), 'or') : quote(near);
  const write = known.length === 0 ? 'Remove it' : `Write ${hint}`;
  issues.add(at, 'unknown-field', `include ${quote(value)} is not a field. ${write}.`);
}

const isIncludable = ({ typeName, writeOnly, reference }: WrittenField): boolean =>
  typeName === 'reference' && !writeOnly && reference?.to.value !== 'users';

/** Whether a field is a reference whose item may be embedded. */
function checkReference(
  { value, at }: Located<string>,
  field: WrittenField,
  issues: Issues,
): boolean {
  const { typeName, writeOnly, reference } = field;
  // The field itself is reported as wrong.
  if (typeName === undefined) return false;
  if (typeName !== 'reference') {
    const message = `include ${quote(value)} has the type ${typeName}: only items that a reference leads to can be embedded. Remove it.`;
    issues.add(at, 'unfit-field', message);
    return false;
  }
  if (writeOnly) {
    const message = `include ${quote(value)} is write_only: the embedded item would tell what it holds. Remove it.`;
    issues.add(at, 'unfit-field', message);
    return false;
  }
  if (reference?.to.value === 'users') {
    const message = `include ${quote(value)} leads to users: their data is only at /users, which has rules of its own. Remove it.`;
    issues.add(at, 'unfit-field', message);
    return false;
  }
  return true;
}

/** The embedded member has a name of its own in each version. */
function checkName(
  { value, at }: Located<string>,
  { field: reference }: WrittenField,
  fields: readonly WrittenField[],
  { served }: KnownVersions,
  issues: Issues,
): void {
  if (reference === undefined) return;
  for (const version of served) {
    if (!isInVersion(reference, version)) continue;
    const member = includedName(nameInVersion(reference, version));
    const others = fields.flatMap(({ field }) =>
      field !== undefined && isInVersion(field, version) ? [nameInVersion(field, version)] : [],
    );
    const clash = [...BUILT_IN_MEMBERS, ...others].find(
      (one) => camelCase(one) === camelCase(member),
    );
    if (clash === undefined) continue;
    const where = served.length > 1 ? ` in version ${version}` : '';
    const message = `include ${quote(value)} embeds the member ${quote(member)}, and items have ${quote(clash)} already${where}. Rename one.`;
    issues.add(at, 'name-clash', message);
    return;
  }
}

/** The parameter is not the filter of a field, too. */
function checkFilter(
  { at }: Located<string>,
  fields: readonly WrittenField[],
  filter: readonly string[],
  { served }: KnownVersions,
  issues: Issues,
): void {
  const clash = fields.find(
    ({ name, field }) =>
      filter.includes(name) &&
      field !== undefined &&
      served.some(
        (version) =>
          isInVersion(field, version) && nameInVersion(field, version) === INCLUDE_PARAMETER,
      ),
  );
  if (clash === undefined) return;
  const message = `include is a query parameter, and lists are filtered by ${quote(clash.name)} under the same name: the query could mean either. Rename the field.`;
  issues.add(at, 'reserved-parameter', message);
}
