/** Which types a service has whose functions stand in a module of their own. */
import { typeOf } from '../types/registry.ts';
import type { FieldType } from '../types/registry.ts';
import type { Model } from './types.ts';

/** Whether a version of the service has a member of a type that the module is for. */
export const usesModule =
  (file: string) =>
  (model: Model): boolean =>
    [model, ...(model.versions?.models.values() ?? [])].some(({ collections }) =>
      collections.some(({ definition }) => definition.fields.some(({ type }) => isOf(type, file))),
    );

function isOf(type: FieldType, file: string): boolean {
  if (type.type === 'list') return isOf(type.of, file);
  if (type.type === 'object') return type.properties.some((property) => isOf(property.type, file));
  return typeOf(type).module?.file === file;
}
