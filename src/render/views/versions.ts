/** What the templates of a service say of its versions: those that differ, end, or are gone. */
import type { Model } from '../../model/types.ts';
import { pathIn, viewIn } from '../../model/versions.ts';
import { stringLiteral } from '../../shared/literals.ts';

/** The part of a service's view that is about versions. */
export interface VersionsView {
  /** Whether some version differs from what is stored. */
  readonly differs: boolean;
  /** Whether it does, and `Accept` may name it. */
  readonly differsByAccept: boolean;
  /** Whether tests of ends name versions in `Accept`. */
  readonly asksAccept: boolean;
  readonly retired: readonly number[];
  readonly deprecated: readonly DeprecatedView[];
}

interface DeprecatedView {
  readonly version: number;
  readonly deprecation: string;
  readonly sunset: string;
  /** Code for the header of that name as tests expect it. */
  readonly sunsetHeader: string;
  readonly moved: readonly { readonly from: string; readonly to: string }[];
}

export function versionsView(model: Model): VersionsView {
  const { service, versions } = model;
  const differs = versions !== undefined;
  const byAccept = service.versioning.includes('accept');
  const byPath = service.versioning.includes('path');
  const differsByAccept = differs && byAccept;
  const { retired } = service;
  const deprecated = service.lifecycles.flatMap(({ version, deprecated: day, sunset }) => {
    if (day === undefined) return [];
    const end = sunset === undefined ? '' : new Date(sunset).toUTCString();
    return {
      version,
      deprecation: `@${Date.parse(day) / 1000}`,
      sunset: end,
      sunsetHeader: end === '' ? 'null' : stringLiteral(end),
      moved: movedPaths(model, version),
    };
  });
  return {
    differs,
    differsByAccept,
    asksAccept: byAccept && (retired.length > 0 || !byPath),
    retired,
    deprecated,
  };
}

/** The paths of a version that the current one calls otherwise, or does not have. */
function movedPaths(model: Model, version: number): DeprecatedView['moved'] {
  const older = pathsOf(model, version);
  const now = pathsOf(model, model.service.versions.at(-1) ?? version);
  return [...older]
    .map(([what, from]) => ({ from, to: now.get(what) ?? '' }))
    .filter(({ from, to }) => from !== to);
}

/** The paths of a version by what they lead to, in the words of what is stored. */
function pathsOf(model: Model, version: number): ReadonlyMap<string, string> {
  return new Map(
    model.collections.flatMap((stored) => {
      const { name } = stored.definition;
      const path = pathIn(model, stored, version);
      if (path === undefined) return [];
      const view = viewIn(model, name, version);
      const { relations } = view?.collection ?? stored;
      const nested = relations.flatMap(({ field, nestedPath, target }): [string, string][] => {
        if (nestedPath === undefined) return [];
        const member = view?.members.find(({ shown }) => shown.name === field.name);
        const what = `${name}.${member?.stored.name ?? field.name}`;
        return [[what, `${target.names.kebab}/${nestedPath}`]];
      });
      return [[name, path] as [string, string], ...nested];
    }),
  );
}
