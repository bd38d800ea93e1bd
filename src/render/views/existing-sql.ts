/** What the templates of SQL say of existing tables. */
import { createExisting } from '../../migration/create-existing.ts';
import { createViews } from '../../migration/existing-tables.ts';
import type { Model } from '../../model/types.ts';

/** The data of existing-tables.sql.hbs and views.sql.hbs in templates/service: statements. */
export interface ExistingSqlView {
  readonly schema: string;
  readonly tables: readonly string[];
  readonly views: readonly string[];
}

export const existingSqlView = (model: Model): ExistingSqlView => ({
  schema: model.service.schema ?? '',
  tables: createExisting(model),
  views: createViews(model),
});
