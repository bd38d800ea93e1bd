/** What the template of existing tables says. */
import { createExisting } from '../../migration/create-existing.ts';
import type { Model } from '../../model/types.ts';

/** The data of templates/service/existing-tables.sql.hbs: statements. */
export const existingSqlView = (
  model: Model,
): { readonly schema: string; readonly statements: readonly string[] } => ({
  schema: model.service.schema ?? '',
  statements: createExisting(model),
});
