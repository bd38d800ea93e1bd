/**
 * Checks frozen contracts. The contract of a version is recorded when it is generated, because the
 * definitions alone do not show a change: if one branch freezes a version and another changes it, the
 * merged definitions are consistent; and defaults may change with the generator.
 */
import type { Lifecycle, ServiceDefinition } from '../definition/types.ts';
import { viewOf } from '../definition/versions/view.ts';
import { breakingChanges } from './breaking-changes.ts';
import { reportBreaks } from './findings.ts';
import type { BreakingChange, BrokenVersion } from './findings.ts';
import { plainAdvice } from './types.ts';
import type { Break, PlaceOf } from './types.ts';
import { implicitBreaks } from './implicit-breaks.ts';
import { narrowedForms } from './narrowed-forms.ts';
import { isListed, currentNamesOf, tracedView } from './trace.ts';
import { withoutUndefined } from '../types/written-options.ts';
import { inlinePair } from './definition-yaml.ts';

/** The frozen contract of one version. */
export interface FrozenContract {
  readonly version: number;
  /** The version as a service of its own. */
  readonly view: ServiceDefinition;
  /** Whether its files were changed or removed since the last run. */
  readonly isAltered?: boolean;
}

/** The contracts of all versions that are frozen now, for later runs. */
export function frozenContracts(service: ServiceDefinition): readonly FrozenContract[] {
  return service.lifecycles
    .filter(({ frozen }) => frozen)
    .map(({ version }) => ({ version, view: viewOf(service, version) }));
}

/**
 * Breaking changes of versions that were frozen, or that a higher version freezes now.
 * @param recorded the contracts that the last run recorded.
 * @param applied the definitions of the last run.
 * @param today the day in UTC, `YYYY-MM-DD`: a version may be retired from its sunset on.
 */
export function brokenContracts(
  recorded: readonly FrozenContract[],
  applied: ServiceDefinition,
  now: ServiceDefinition,
  placeOf: PlaceOf,
  today: string,
): readonly BreakingChange[] {
  const highest = Math.max(...now.versions);
  const isRecorded = (version: number): boolean =>
    recorded.some((one) => one.version === version && one.isAltered !== true);
  // Without a recorded contract, or with an altered one, the applied definitions are compared.
  const reconstructed = applied.lifecycles
    .filter(({ version, frozen }) => (frozen || version < highest) && !isRecorded(version))
    .map(({ version }): FrozenContract => ({ version, view: viewOf(applied, version) }));
  const broken = [...recorded, ...reconstructed]
    .filter(({ version }) => !now.retired.includes(version))
    .map(({ version, view }): BrokenVersion => ({
      version,
      breaks: breaksOf({ version, view }, applied, now, placeOf),
    }));
  const ended = applied.lifecycles.map(({ version }): BrokenVersion => ({
    version,
    breaks: earlyEnd(version, applied, now, placeOf, today),
  }));
  return reportBreaks([...broken, ...ended], now.versions);
}

/** A version that ends before its announced sunset breaks clients. */
function earlyEnd(
  version: number,
  applied: ServiceDefinition,
  now: ServiceDefinition,
  placeOf: PlaceOf,
  today: string,
): readonly Break[] {
  const of = ({ lifecycles }: ServiceDefinition): Lifecycle | undefined =>
    lifecycles.find((one) => one.version === version);
  const [was, is] = [of(applied), of(now)];
  const day = was?.sunset;
  if (day === undefined) return [];
  const announced = withoutUndefined({
    deprecated: is?.deprecated ?? was?.deprecated,
    sunset: day,
  });
  const written = inlinePair('versions', new Map([[version, announced]])).replace(
    /^versions: \{ (.*) \}$/,
    '$1',
  );
  const who = 'clients that planned to migrate by the announced day lose the version before it';
  if (is?.sunset !== undefined && is.sunset < day) {
    const what = `its sunset is ${is.sunset}, and was announced for ${day}`;
    const advice = plainAdvice(`Write "${written}" under "versions".`);
    return [{ code: 'version-ends-early', at: placeOf('versions'), what, who, advice }];
  }
  if (!now.retired.includes(version) || today >= day) return [];
  const what = `it is retired, and its sunset was announced for ${day}`;
  const advice = plainAdvice(
    `Write "${written}" under "versions" until then, and leave ${version} out of "retired".`,
  );
  return [{ code: 'version-ends-early', at: placeOf('retired'), what, who, advice }];
}

function breaksOf(
  { version, view }: FrozenContract,
  applied: ServiceDefinition,
  now: ServiceDefinition,
  placeOf: PlaceOf,
): readonly Break[] {
  const lifecycle = now.lifecycles.find((one) => one.version === version);
  if (lifecycle === undefined) return [versionGone(version, now, placeOf)];
  return [
    ...(lifecycle.frozen ? [] : [versionUnfrozen(version, now, placeOf)]),
    ...breakingChanges(view, tracedView(applied, now, version), {
      placeOf,
      isListed: (listed) => isListed(now, version, listed),
      currentNames: currentNamesOf(applied, now, version),
    }),
    ...narrowedForms(applied, now, version),
    ...implicitBreaks(applied, now, version),
  ];
}

const versionGone = (version: number, now: ServiceDefinition, placeOf: PlaceOf): Break => ({
  code: 'version-gone',
  at: placeOf('versions'),
  what: 'it was removed',
  who: 'its clients get 404 or 406 in place of 410',
  advice: plainAdvice(
    `Write "${inlinePair(
      'retired',
      [...now.retired, version].toSorted((a, b) => a - b),
    )}": its clients then get 410.`,
  ),
});

const versionUnfrozen = (
  version: number,
  { lifecycles }: ServiceDefinition,
  placeOf: PlaceOf,
): Break => {
  const all = lifecycles.map(({ version: one, deprecated, sunset }) => {
    const keys = one === version ? { frozen: true } : withoutUndefined({ deprecated, sunset });
    return [one, keys] as const;
  });
  return {
    code: 'version-thawed',
    at: placeOf('versions'),
    what: 'it is no longer frozen',
    who: 'later changes that break its clients would not be reported',
    advice: plainAdvice(`Write "${inlinePair('versions', new Map(all))}".`),
  };
};
