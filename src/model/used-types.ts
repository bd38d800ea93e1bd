/** Which types a service uses. */
import { specOf } from '../types/registry.ts';
import type { FieldType } from '../types/registry.ts';
import type { TypeSpec } from '../types/type.ts';
import type { Model } from './types.ts';

/** Whether a version of the service has a member of such a type, alone or in a list or an object. */
export const usesType =
  (isWanted: (spec: TypeSpec<FieldType>) => boolean) =>
  (model: Model): boolean =>
    [model, ...(model.versions?.models.values() ?? [])].some(({ collections }) =>
      collections.some(({ definition }) =>
        definition.fields.some(({ type }) => isOf(type, isWanted)),
      ),
    );

function isOf(type: FieldType, isWanted: (spec: TypeSpec<FieldType>) => boolean): boolean {
  if (type.type === 'list') return isOf(type.of, isWanted);
  if (type.type === 'object') {
    return type.properties.some((property) => isOf(property.type, isWanted));
  }
  return isWanted(specOf<FieldType>(type));
}
