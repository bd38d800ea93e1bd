/** Whether fields have transitions, and whether some of their steps are those of certain roles. */
import type { Field } from '../definition/types.ts';
import type { Model } from './types.ts';

export const hasTransitions = (fields: readonly Field[]): boolean =>
  fields.some(({ transitions }) => transitions !== undefined);

export const hasStepRoles = (fields: readonly Field[]): boolean =>
  fields.some(({ transitions }) =>
    transitions?.states.some(({ steps }) => steps.some(({ by }) => by !== undefined)),
  );

/** All fields of a model. */
export const fieldsOf = ({ collections }: Model): readonly Field[] =>
  collections.flatMap(({ definition }) => definition.fields);
