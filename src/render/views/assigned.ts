/** The members whose values emitted tests take from the response, because a hook or the database sets them. */
import { mayBeSetByCode } from '../../model/set-by-code.ts';
import type { Collection } from '../../model/types.ts';

export interface AssignedView {
  /** Members that a hook or the database may set, under their names in all versions. */
  readonly setByCode: readonly string[];
  /** Code for a schema of these and of computed members. */
  readonly assigned: string;
}

export function assignedView(collection: Collection): AssignedView {
  const { definition, names } = collection;
  const fields = definition.fields.filter(
    (field) => !field.writeOnly && mayBeSetByCode(collection, field),
  );
  const older = fields.flatMap(({ olderNames = [] }) => olderNames.map(({ name }) => name));
  const setByCode = [...new Set([...fields.map(({ name }) => name), ...older])];
  return { setByCode, assigned: setByCode.length > 0 ? 'ASSIGNED' : `${names.type}Computed` };
}
