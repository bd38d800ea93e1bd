/** What the README of `src/platform/` says. */
import type { Model } from '../../model/types.ts';
import { when } from './module-imports.ts';
import { serviceView } from './service.ts';
import type { ServiceView } from './service.ts';

/** The data of templates/service/src/platform/README.md.hbs. */
export interface PlatformReadmeView extends ServiceView {
  /** The errors for unknown paths, where versions differ, and for unknown versions and media types. */
  readonly pathErrors: readonly string[];
  readonly versionErrors: readonly string[];
  /** The modules that read parameters. */
  readonly parameterModules: readonly string[];
  /** What workers work off. */
  readonly queues: string;
}

export function platformReadmeView(model: Model): PlatformReadmeView {
  const service = serviceView(model);
  const { byAccept, includes, jobs, events } = service;
  const isRetired = service.retired.length > 0;
  return {
    ...service,
    pathErrors: ['400', '404', '405', '406', ...when(isRetired, '410')],
    versionErrors: [...when(byAccept, '400'), '406', ...when(byAccept && isRetired, '410')],
    parameterModules: ['http/query.ts', 'http/list.ts', ...when(includes, 'http/include.ts')],
    queues: [...when(jobs, 'jobs'), ...when(events, 'deliveries')].join(' and '),
  };
}
