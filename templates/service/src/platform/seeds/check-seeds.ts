/** `checkSeeds` validates seeds as POST would, and resolves references by name. */
import { GENERATED_ID } from '../database/row-id.ts';
import { InvalidBody } from '../http/body.ts';
import { HttpError } from '../http/errors.ts';
import type { AnySeeded } from './seeded-collection.ts';
import { InvalidSeeds } from './seed.ts';
import type { Seed, SeedProblem } from './seed.ts';

/** The key of a seed that names the user who creates the item. */
export const CREATOR = '_creator';

/** A reference of a seed. */
export interface SeedReference {
  /** The member, or `CREATOR`. */
  readonly member: string;
  readonly collection: string;
  readonly id: string;
  /** The seed that has this id; undefined for another item. */
  readonly seed: Seed | undefined;
}

/** A seed with its values. */
export interface CheckedSeed {
  readonly seed: Seed;
  readonly values: object;
  readonly references: readonly SeedReference[];
}

type Collections = Readonly<Record<string, AnySeeded>>;

/** @throws `InvalidSeeds` with the problems of all seeds. */
export function checkSeeds(seeds: readonly Seed[], collections: Collections): CheckedSeed[] {
  const problems: SeedProblem[] = [];
  const named = new Map(seeds.map((seed) => [keyOf(seed.collection, seed.name), seed]));
  // In the place of numbers, which `loadSeeds` reserves once all seeds are valid: another one for each.
  const placeholders = new Map(seeds.map((seed, at) => [seed, String(-2 - at)]));
  const checked = seeds.flatMap((seed) => {
    const collection = collections[seed.collection];
    return collection === undefined
      ? []
      : (checkSeed(seed, collections, placeholders, collection, named, problems) ?? []);
  });
  if (problems.length > 0) throw new InvalidSeeds(problems);
  return checked;
}

const keyOf = (collection: string, name: string): string => `${collection}/${name}`;

function checkSeed(
  seed: Seed,
  collections: Collections,
  placeholders: ReadonlyMap<Seed, string>,
  collection: AnySeeded,
  named: ReadonlyMap<string, Seed>,
  problems: SeedProblem[],
): CheckedSeed | undefined {
  const before = problems.length;
  const references: SeedReference[] = [];
  const members: Record<string, unknown> = { ...seed.members };
  for (const [member, target] of Object.entries({ ...collection.references, [CREATOR]: 'users' })) {
    const written = seed.members[member];
    if (written === undefined || written === null) continue;
    const name = seed.textOf(member);
    const other = name === undefined ? undefined : named.get(keyOf(target, name));
    const { resource, reserveId } = collections[target]!;
    const { isId, canonical } = resource.id ?? GENERATED_ID;
    const seedId = reserveId === undefined ? other?.id : other && placeholders.get(other);
    const itself = name !== undefined && isId(name) ? (canonical?.(name) ?? name) : undefined;
    const id = seedId ?? itself;
    if (id === undefined) {
      problems.push({
        place: seed.placeOf(member),
        text: unknownName(member, name, target, named),
      });
      // Another value that is valid, so that validation reports the other members alone.
      members[member] = reserveId === undefined ? seed.id : '-1';
      continue;
    }
    members[member] = id;
    references.push({ member, collection: target, id, seed: other });
  }
  delete members[CREATOR];
  try {
    const values = collection.read({ body: Buffer.from(jsonText(members)) });
    return problems.length > before ? undefined : { seed, values, references };
  } catch (error) {
    if (!(error instanceof HttpError)) throw error;
    problems.push(...problemsOf(error, seed));
    return undefined;
  }
}

/** The problems of an invalid body, each at its member. */
function problemsOf(error: HttpError, seed: Seed): SeedProblem[] {
  if (!(error instanceof InvalidBody)) return [{ place: seed.place, text: error.message }];
  return error.problems.map(({ name, member, text }) => ({
    place: seed.placeOf(name),
    text: `${member} ${text}.${quotesHint(seed.members[name], text)}`,
  }));
}

/** What to write if YAML read a value as a number, true or false that is to be text. */
function quotesHint(value: unknown, problem: string): string {
  const isText = problem.includes('a string') || problem.includes('as text');
  return isText && ['bigint', 'number', 'boolean'].includes(typeof value)
    ? ' Write it in quotes.'
    : '';
}

/** How many names a message lists. */
const MAX_NAMES = 5;

function unknownName(
  member: string,
  written: string | undefined,
  target: string,
  named: ReadonlyMap<string, Seed>,
): string {
  const names = [...named.values()]
    .filter(({ collection }) => collection === target)
    .map(({ name }) => name);
  const text = written === undefined ? 'this value' : JSON.stringify(written);
  if (names.length === 0) {
    return `${member}: ${text} names no seed, because there are none in seeds/${target}.yaml. Write one there, or the id of an item here.`;
  }
  const shown = names.slice(0, MAX_NAMES).join(', ') + (names.length > MAX_NAMES ? ', …' : '');
  return `${member}: ${text} names no seed of seeds/${target}.yaml. Write one of its names (such as ${shown}), or the id of an item.`;
}

/** A value of YAML as JSON. Numbers that JSON does not have are written as one that no schema accepts. */
function jsonText(value: unknown): string {
  if (typeof value === 'bigint') return String(value);
  if (typeof value === 'number') return Number.isFinite(value) ? JSON.stringify(value) : '1e999';
  if (Array.isArray(value)) return `[${value.map(jsonText).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value).map(
    ([name, one]) => `${JSON.stringify(name)}:${jsonText(one)}`,
  );
  return `{${members.join(',')}}`;
}
