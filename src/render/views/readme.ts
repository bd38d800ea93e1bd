/** What the README of a project says. */
import type { Model } from '../../model/types.ts';
import { currentOf } from '../../model/versions.ts';
import { changesOf } from './changes.ts';
import type { VersionChanges } from './changes.ts';
import { serviceView } from './service.ts';
import type { ServiceView } from './service.ts';
import { versionsView } from './versions.ts';

/** The data of templates/service/README.md.hbs: what clients of the current version see. */
export interface ReadmeView extends ServiceView {
  /** `version 1`, `versions 1 and 2`: those that clients rely on; empty where there is none. */
  readonly frozen: string;
  /** What each version changed; none where versions do not differ. */
  readonly changes: readonly VersionChanges[];
  readonly lifecycles: readonly { readonly version: number; readonly life: string }[];
}

export function readmeView(model: Model): ReadmeView {
  const { lifecycles, retired } = model.service;
  const frozen = lifecycles.flatMap(({ version, frozen: is }) => (is ? version : []));
  return {
    ...serviceView(currentOf(model)),
    ...versionsView(model),
    frozen: versionsInWords(frozen),
    changes: model.versions === undefined ? [] : changesOf(model),
    lifecycles: [
      ...retired.map((version) => ({ version, life: 'gone: all of its paths answer 410' })),
      ...lifecycles.map(({ version, deprecated, sunset }, at) => ({
        version,
        life:
          at === lifecycles.length - 1
            ? 'current'
            : deprecated === undefined
              ? 'served'
              : `deprecated from ${deprecated}${sunset === undefined ? '' : `, ends on ${sunset}`}`,
      })),
    ],
  };
}

function versionsInWords(versions: readonly number[]): string {
  if (versions.length < 2) return versions.map((version) => `version ${version}`).join('');
  return `versions ${versions.slice(0, -1).join(', ')} and ${versions.at(-1)}`;
}
