/** What tests see: each collection as each version has it, once for all versions that have it so. */
import { narrowForTests } from './narrow-for-tests.ts';
import type { Collection, Model, View } from './types.ts';
import { currentOf } from './versions.ts';

/** A collection as tests of a version see it. */
export interface TestTarget {
  readonly collection: Collection;
  readonly model: Model;
  readonly version: number;
  readonly isCurrent: boolean;
  /** Where what is made for the version stands: nothing for the current one, or `v1/`. */
  readonly folder: string;
  /** Whether it has a fixture and tests of its own: an older version need not have. */
  readonly hasFixture: boolean;
  readonly hasTests: boolean;
  /** Where fixtures are, below the folder of all, by the path of the collection. */
  readonly fixtures: ReadonlyMap<string, string>;
  /** The module of its types, below `src/collections/`, and what the type of an item is there. */
  readonly module: string;
  readonly type: string;
}

/** All of them, the current version first. */
export function testTargetsOf(model: Model): readonly TestTarget[] {
  const current = model.service.versions.at(-1) ?? 1;
  const views = (version: number): readonly View[] =>
    [...(model.versions?.collections.values() ?? [])].flatMap((one) =>
      one.views.filter(({ versions }) => versions.includes(version)),
    );
  const now = narrowForTests(currentOf(model), views(current));
  const older =
    model.versions === undefined ? [] : model.service.versions.slice(0, -1).toReversed();
  const fixtures = fixturesIn(now, '', new Set());
  return [
    ...now.collections.map((collection) => seenBy(model, now, current, collection, fixtures)),
    ...older.flatMap((version) => {
      const found = model.versions?.models.get(version);
      if (found === undefined) return [];
      const narrowedModel = narrowForTests(found, views(version));
      const others = othersIn(model, narrowedModel, version);
      const own = fixturesIn(narrowedModel, `v${version}/`, others);
      return narrowedModel.collections
        .filter(({ names }) => others.has(names.kebab))
        .map((collection) => seenBy(model, narrowedModel, version, collection, own));
    }),
  ];
}

/**
 * Where the fixtures of a version are, by the path of the collection.
 * @param others the collections that have fixtures of their own in the version.
 */
const fixturesIn = (
  { collections }: Model,
  folder: string,
  others: ReadonlySet<string>,
): TestTarget['fixtures'] =>
  new Map(
    collections.map(({ names: { kebab } }) => [
      kebab,
      others.has(kebab) ? `${folder}${kebab}` : kebab,
    ]),
  );

function seenBy(
  model: Model,
  seen: Model,
  version: number,
  collection: Collection,
  fixtures: TestTarget['fixtures'],
): TestTarget {
  const isCurrent = version === model.service.versions.at(-1);
  const home = homeOf(model, collection, version);
  const folder = isCurrent ? '' : `v${version}/`;
  const { code } = collection;
  return {
    collection,
    model: seen,
    version,
    isCurrent,
    folder,
    hasFixture: true,
    hasTests: isCurrent || (isOther(model, collection, version) && version === home.last),
    fixtures,
    module:
      home.view === undefined ? `${code.kebab}/schema.ts` : `${code.kebab}/${home.view.key}.ts`,
    type: home.view === undefined ? code.type : `${code.type}${home.view.key.toUpperCase()}`,
  };
}

/** The collections of a version whose items its tests cannot make as those of the current one do. */
function othersIn(model: Model, seen: Model, version: number): ReadonlySet<string> {
  const others = new Set(
    seen.collections
      .filter((collection) => isOther(model, collection, version))
      .map(({ names }) => names.kebab),
  );
  for (let more = true; more;) {
    const before = others.size;
    for (const { names, relations } of seen.collections) {
      if (relations.some(({ target }) => others.has(target.names.kebab))) others.add(names.kebab);
    }
    more = others.size > before;
  }
  return others;
}

/** Whether a version has a collection otherwise than the current one. */
function isOther(model: Model, collection: Collection, version: number): boolean {
  const own = homeOf(model, collection, version);
  const now = homeOf(model, collection, model.service.versions.at(-1) ?? version);
  return own.view !== now.view || !now.isThere;
}

interface Home {
  /** Absent where the version sees what is stored. */
  readonly view: View | undefined;
  /** The last version that sees the same. */
  readonly last: number;
  readonly isThere: boolean;
}

function homeOf({ versions, service }: Model, { code }: Collection, version: number): Home {
  const found = [...(versions?.collections ?? [])].find(
    ([, { kebab }]) => kebab === code.kebab,
  )?.[1];
  if (found === undefined)
    return { view: undefined, last: service.versions.at(-1) ?? 1, isThere: true };
  const view = found.views.find((one) => one.versions.includes(version));
  const last = (view?.versions ?? found.same).at(-1) ?? version;
  return { view, last, isThere: view !== undefined || found.same.includes(version) };
}
