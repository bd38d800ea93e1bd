/** Where the outputs of a collection go that has another name now. */
import type { Model } from '../model/types.ts';
import { planOutputs } from './outputs.ts';

/** New paths of outputs by their old ones, for all collections that were renamed since. */
export function movesBetween(before: Model, now: Model): ReadonlyMap<string, string> {
  const names = new Set(now.collections.map(({ definition }) => definition.name));
  const renamed = now.collections.flatMap(({ definition: { name, renamedFrom } }) => {
    const was = before.collections.find(({ definition }) => definition.name === renamedFrom);
    const isThere = before.collections.some(({ definition }) => definition.name === name);
    return was === undefined || isThere || names.has(was.definition.name)
      ? []
      : [[was.definition.name, name] as const];
  });
  if (renamed.length === 0) return new Map();
  const [old, current] = [targetsOf(before), targetsOf(now)];
  return new Map(
    renamed.flatMap(([from, to]) =>
      [...(old.get(from) ?? [])].flatMap(([template, target]) => {
        const goes = current.get(to)?.get(template);
        return goes === undefined ? [] : [[target, goes] as const];
      }),
    ),
  );
}

/** For each collection, its outputs by their templates. */
function targetsOf(model: Model): ReadonlyMap<string, ReadonlyMap<string, string>> {
  const targets = new Map<string, Map<string, string>>();
  for (const { collection, template, target } of planOutputs(model)) {
    if (collection === undefined) continue;
    const { name } = collection.definition;
    targets.set(name, (targets.get(name) ?? new Map<string, string>()).set(template, target));
  }
  return targets;
}
