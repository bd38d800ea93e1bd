/** What the README of a project says. */
import type { Model } from '../../model/types.ts';
import { currentOf } from '../../model/versions.ts';
import { serviceView } from './service.ts';
import type { ServiceView } from './service.ts';

/** The data of templates/service/README.md.hbs: what clients of the current version see. */
export type ReadmeView = ServiceView;

export const readmeView = (model: Model): ReadmeView => serviceView(currentOf(model));
