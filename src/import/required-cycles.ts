/** Required references that lead in a circle: no first item of these collections could be created. */

/** A required reference from one collection to another, or to itself. */
export interface RequiredReference {
  readonly from: string;
  readonly field: string;
  readonly to: string;
}

/** The back edges of a depth-first search: making them optional breaks every cycle. Takes linear time. */
export function referencesInCycles(
  references: readonly RequiredReference[],
): readonly RequiredReference[] {
  const byCollection = new Map<string, RequiredReference[]>();
  for (const reference of references) {
    const outgoing = byCollection.get(reference.from) ?? [];
    outgoing.push(reference);
    byCollection.set(reference.from, outgoing);
  }
  const found: RequiredReference[] = [];
  const state = new Map<string, 'on the way' | 'done'>();
  // A stack of its own: thousands of collections may follow one another.
  for (const start of byCollection.keys()) {
    const stack = [{ collection: start, next: 0 }];
    if (state.has(start)) continue;
    state.set(start, 'on the way');
    for (let top = stack.at(-1); top !== undefined; top = stack.at(-1)) {
      const reference = byCollection.get(top.collection)?.[top.next];
      top.next += 1;
      if (reference === undefined) {
        state.set(top.collection, 'done');
        stack.pop();
      } else if (state.get(reference.to) === 'on the way') found.push(reference);
      else if (!state.has(reference.to)) {
        state.set(reference.to, 'on the way');
        stack.push({ collection: reference.to, next: 0 });
      }
    }
  }
  return found;
}

/** The required references of proposed definitions. */
export function requiredReferences(
  proposals: readonly {
    readonly name: string;
    readonly definition: Readonly<Record<string, unknown>>;
  }[],
): readonly RequiredReference[] {
  return proposals.flatMap(({ name, definition }) => {
    const fields = (definition['fields'] ?? {}) as Readonly<
      Record<string, Readonly<Record<string, unknown>>>
    >;
    return Object.entries(fields).flatMap(([field, { type, required, to }]) =>
      type === 'reference' && required === true ? [{ from: name, field, to: String(to) }] : [],
    );
  });
}
