/** What the templates of the tests that are about no collection in particular say. */
import { isBackground } from '../../model/jobs.ts';
import type { Names } from '../../model/names.ts';
import { simplestSamples, samplesOf } from '../../model/samples.ts';
import type { Samples } from '../../model/samples.ts';
import type { Model } from '../../model/types.ts';
import { currentOf, pathIn } from '../../model/versions.ts';
import { serviceView } from './service.ts';
import type { ServiceView } from './service.ts';
import { versionsView } from './versions.ts';

/** The data of templates/service/test/conventions.test.ts.hbs. */
export interface ConventionsView extends ServiceView {
  /** The collection that stands for all; absent where there is none, or none has items yet. */
  readonly resource: ResourceView | undefined;
  readonly vendorType: string;
  /** A version that is not served. */
  readonly unknown: number;
  readonly older: number;
  /** An older version that has the resource at the same path; absent where none has. */
  readonly beside: number | undefined;
}

interface ResourceView {
  readonly names: Names;
  /** What a POST is answered. */
  readonly created: 201 | 202;
  /** The collection that `Location` leads into then. */
  readonly located: string;
  readonly pages: { readonly default: number; readonly maximum: number };
  readonly tooMany: number;
  /** A member that lists are sorted by. */
  readonly sort: string;
  /** Whether its lists can be searched. */
  readonly search: boolean;
  /** What the path of the collection is, in the versions that have it. */
  readonly paths: readonly { readonly version: number; readonly path: string }[];
}

export function conventionsView(model: Model): ConventionsView {
  const current = currentOf(model);
  const service = { ...serviceView(current), ...versionsView(model) };
  const resource = resourceOf(simplestSamples(samplesOf(current)), model);
  const highest = Math.max(...service.versions);
  return {
    ...service,
    resource,
    vendorType: `application/vnd.${service.name}.v${service.current}+json`,
    unknown: highest + 1,
    older: service.versions.at(-2) ?? highest,
    beside: resource?.paths.findLast(
      ({ version, path }) => version !== highest && path === resource.names.kebab,
    )?.version,
  };
}

function resourceOf(chosen: Samples | undefined, model: Model): ResourceView | undefined {
  if (chosen === undefined) return undefined;
  const { definition, names, code } = chosen.collection;
  const stored = model.collections.find((collection) => collection.code === code);
  return {
    names,
    created: isBackground(chosen.collection) ? 202 : 201,
    located: isBackground(chosen.collection) ? 'jobs' : names.kebab,
    pages: definition.pages,
    tooMany: definition.pages.maximum + 1,
    sort: definition.sort[0] ?? '',
    search: definition.search.length > 0,
    paths: model.service.versions.flatMap((version) => {
      const path = stored && pathIn(model, stored, version);
      return path === undefined ? [] : [{ version, path }];
    }),
  };
}
