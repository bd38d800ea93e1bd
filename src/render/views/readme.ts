/** What the README of a project says. */
import type { Model } from '../../model/types.ts';
import { currentOf } from '../../model/versions.ts';
import { serviceView } from './service.ts';
import type { ServiceView } from './service.ts';

/** The data of templates/service/README.md.hbs: what clients of the current version see. */
export interface ReadmeView extends ServiceView {
  /** `version 1`, `versions 1 and 2`: those that clients rely on; empty where there is none. */
  readonly frozen: string;
}

export function readmeView(model: Model): ReadmeView {
  const frozen = model.service.lifecycles.flatMap(({ version, frozen: is }) => (is ? version : []));
  return { ...serviceView(currentOf(model)), frozen: versionsInWords(frozen) };
}

function versionsInWords(versions: readonly number[]): string {
  if (versions.length < 2) return versions.map((version) => `version ${version}`).join('');
  return `versions ${versions.slice(0, -1).join(', ')} and ${versions.at(-1)}`;
}
