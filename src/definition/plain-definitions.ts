/** Definitions as plain JSON values, without positions: what the chain of migrations records. */
import type { Part } from './part.ts';
import type { MapTree, Tree } from '../reading/tree.ts';

export type Plain = string | number | boolean | null | readonly Plain[] | PlainMap;
export interface PlainMap {
  readonly [key: string]: Plain;
}

export interface PlainDefinitions {
  /** The keys of the service. */
  readonly service: PlainMap;
  /** The keys of each collection but `name`, by its name. */
  readonly collections: ReadonlyMap<string, PlainMap>;
}

/** The plain values of definitions that were read and found right. */
export function plainDefinitions(
  service: MapTree | undefined,
  parts: readonly Part[],
): PlainDefinitions {
  const { collections: _, seeds, ...keys } = service === undefined ? {} : plainMap(service);
  // A single file has the seeds themselves.
  const hasSeeds = typeof seeds === 'object' ? true : seeds;
  return {
    service: { ...keys, ...(hasSeeds !== undefined && { seeds: hasSeeds }) },
    collections: new Map(parts.map(namedMap)),
  };
}

function namedMap({ tree, outer }: Part): readonly [string, PlainMap] {
  const { name, ...keys } = plainMap(tree as MapTree);
  return [typeof name === 'string' ? name : outer.value, keys];
}

const plainMap = ({ entries }: MapTree): PlainMap =>
  Object.fromEntries(entries.map(({ name, value }) => [name, plainValue(value)]));

function plainValue(tree: Tree): Plain {
  if (tree.kind === 'map') return plainMap(tree);
  if (tree.kind === 'list') return tree.items.map(plainValue);
  // Definitions have no integer beyond the safe range but as text.
  return typeof tree.value === 'bigint' ? tree.source : tree.value;
}
