/** Two random definitions of one service, the second of which has grown out of the first. */
import fc from 'fast-check';

import { generatedService } from '../definition/generated.ts';

type Written = Record<string, unknown>;

interface WrittenCollection extends Written {
  readonly singular: string;
  readonly fields: Readonly<Record<string, Written>>;
}

const LISTS = ['sort', 'filter', 'search', 'include'] as const;

const collectionsOf = (service: { readonly written: Written }): [string, WrittenCollection][] =>
  Object.entries(service.written['collections'] as Record<string, WrittenCollection>);

/**
 * The collections of one service with the insides of those of another: fields in the same place
 * have the name of before, or the new one and say where it came from.
 */
function grown(
  before: readonly [string, WrittenCollection][],
  now: readonly [string, WrittenCollection][],
  toss: () => boolean,
): Record<string, Written> {
  const names = now.map(([name], at) => (toss() ? (before[at]?.[0] ?? name) : name));
  const collections = now.map(([name, collection], at): [string, Written] => {
    const [origin, old] = before[at] ?? [];
    const own = names[at] ?? name;
    const isRenamed = origin !== undefined && own !== origin && toss();
    const isKept = isRenamed || own === origin;
    return [
      own,
      {
        ...insides(
          old,
          collection,
          (target) => names[now.findIndex(([one]) => one === target)],
          toss,
        ),
        singular: own.replace(/s$/, ''),
        ...(isKept && { key: keptKey(old, toss) }),
        ...(isRenamed && { renamed_from: origin }),
      },
    ];
  });
  return Object.fromEntries(collections);
}

/** The key of before, or a wider one. */
const keptKey = (before: WrittenCollection | undefined, toss: () => boolean): unknown => {
  const key = before?.['key'] ?? 'uuid';
  return key === 'integer' && toss() ? 'bigint' : key;
};

function insides(
  before: WrittenCollection | undefined,
  now: WrittenCollection,
  renamed: (target: string) => string | undefined,
  toss: () => boolean,
): Written {
  const old = Object.keys(before?.fields ?? {});
  const names = new Map<string, string>();
  const fields: Record<string, Written> = {};
  for (const [at, [name, field]] of Object.entries(now.fields).entries()) {
    const origin = old[at];
    const isReference = field['type'] === 'reference';
    // The name of a reference ends in `_id`, which that of no other field here does.
    const fits = origin !== undefined && origin.endsWith('_ref_id') === isReference;
    const own = fits && toss() && !(origin in fields) ? origin : name;
    if (own in fields) continue;
    names.set(name, own);
    const isRenamed = fits && own !== origin && !old.includes(own) && toss();
    const target = isReference ? renamed(String(field['to'])) : undefined;
    fields[own] = {
      ...field,
      ...(target !== undefined && { to: target }),
      ...(isRenamed && { renamed_from: origin }),
    };
  }
  const lists = LISTS.map((list) => [
    list,
    (now[list] as string[])
      .map((name) => names.get(name) ?? name)
      .filter((name) => name in fields || ['created_at', 'updated_at'].includes(name)),
  ]);
  return { ...now, ...(Object.fromEntries(lists) as Written), fields };
}

/** Both as one file of JSON. */
export const generatedChange: fc.Arbitrary<readonly [before: string, now: string]> = fc
  .record({
    before: generatedService,
    now: generatedService,
    dice: fc.infiniteStream(fc.boolean()),
  })
  .map(({ before, now, dice }) => {
    const toss = (): boolean => dice.next().value;
    const collections = grown(collectionsOf(before), collectionsOf(now), toss);
    return [
      JSON.stringify(before.written),
      JSON.stringify({ ...now.written, collections }),
    ] as const;
  });
