/** What `platform/service.ts` says: the constants of the service. */
import type { Model } from '../../model/types.ts';
import { changesInWords } from './changes.ts';
import { serviceView } from './service.ts';
import type { ServiceView } from './service.ts';

/** The data of templates/service/src/platform/service.ts.hbs. */
export interface ConstantsView extends ServiceView {
  readonly versioning: readonly string[];
  /** What changed in each version, in Markdown; none if versions do not differ. */
  readonly changes: readonly { readonly version: number; readonly text: string }[];
}

export const constantsView = (model: Model): ConstantsView => ({
  ...serviceView(model),
  versioning: model.service.versioning,
  changes: model.versions === undefined ? [] : changesInWords(model),
});
