/** What the template of the tests about credentials says. */
import type { Model } from '../../model/types.ts';
import { serviceView } from './service.ts';
import type { ServiceView } from './service.ts';

/** The data of templates/service/test/authentication.test.ts.hbs. */
export interface AuthenticationView extends ServiceView {
  /** The path of a list that everybody reads; empty where there is none. */
  readonly publicPath: string;
}

export function authenticationView(model: Model): AuthenticationView {
  const open = model.collections.find(
    ({ definition }) => definition.permissions.read.kind === 'public',
  );
  return {
    ...serviceView(model),
    publicPath: open === undefined ? '' : `/${open.names.kebab}`,
  };
}
