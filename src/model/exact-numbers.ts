/** Which services have numbers that are strings in JSON. */
import type { FieldType } from '../definition/types.ts';
import type { Model } from './types.ts';

/** Whether a version of the service has a member of the type `bigint` or `decimal`. */
export const hasExactNumbers = (model: Model): boolean =>
  [model, ...(model.versions?.models.values() ?? [])].some(({ collections }) =>
    collections.some(({ definition }) => definition.fields.some(({ type }) => isExact(type))),
  );

function isExact(type: FieldType): boolean {
  if (type.type === 'list') return isExact(type.of);
  if (type.type === 'object') return type.properties.some((property) => isExact(property.type));
  return type.type === 'bigint' || type.type === 'decimal';
}
