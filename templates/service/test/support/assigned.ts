/** What the service sets by itself in items: computed members, and those that hooks or the database may set. */

/** The computed members of a collection, and the names of the others. */
export interface Assigned {
  readonly computed: { readonly properties: object };
  readonly setByCode?: readonly string[];
}

/** Those members of an item: tests of the others take them as they are. */
export const assignedIn = (item: object, { computed, setByCode = [] }: Assigned): object =>
  Object.fromEntries(
    Object.entries(item).filter(
      ([name]) => Object.hasOwn(computed.properties, name) || setByCode.includes(name),
    ),
  );
