/** Checks `renamed_from`: what a field, a property or a collection was called before. */
import type { Issues } from '../reading/issues.ts';
import { checkSnakeCase } from './names.ts';
import { quote } from '../reading/quote.ts';
import type { Located } from '../reading/shapes.ts';
import type { Entry } from '../reading/tree.ts';

/** Checks the old name of one thing by itself. */
export function checkRenamed(name: string, old: Located<string> | undefined, issues: Issues): void {
  if (old === undefined) return;
  if (!checkSnakeCase(old.value, 'renamed_from', old.at, issues) || old.value !== name) return;
  const message = `renamed_from ${quote(name)} is the name that it has now. Write the old one, or remove it.`;
  issues.add(old.at, 'contradiction', message);
}

/** Checks that no two things have the same old name: one could keep the values, not both. */
export function checkRenamedOnce(
  names: readonly Located<string>[],
  kind: 'collection' | 'field' | 'property' | 'value',
  issues: Issues,
): void {
  const first = new Map<string, Located<string>>();
  for (const one of names) {
    const other = first.get(one.value);
    if (other === undefined) {
      first.set(one.value, one);
      continue;
    }
    const message = `renamed_from ${quote(one.value)} stands at another ${kind} too, in line ${other.at.line}: only one can take its values. Remove one.`;
    issues.add(one.at, 'contradiction', message);
  }
}

/** The old names that the entries of a map of fields or properties give. */
export const renamesIn = (entries: readonly Entry[]): readonly Located<string>[] =>
  entries.flatMap(({ value }) =>
    value.kind !== 'map'
      ? []
      : value.entries.flatMap(({ name, value: old }) =>
          name === 'renamed_from' && old.kind === 'scalar' && typeof old.value === 'string'
            ? [{ value: old.value, at: old.at }]
            : [],
        ),
  );
