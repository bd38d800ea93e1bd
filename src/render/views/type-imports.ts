/** Imports of the modules that only some types need. */
import { TYPE_MODULES } from '../../types/registry.ts';

export interface TypeImport {
  /** The name of the module, without its ending. */
  readonly module: string;
  readonly names: readonly string[];
}

/** What is imported from the modules of types, of all the names that code uses. */
export const typeImports = (uses: readonly string[], modules = TYPE_MODULES): TypeImport[] =>
  [...modules]
    .map(([module, exported]) => ({
      module,
      names: exported.filter((name) => uses.includes(name)).toSorted(),
    }))
    .filter(({ names }) => names.length > 0)
    .toSorted((one, other) => (one.module < other.module ? -1 : 1));

/** The names that no module of a type exports. */
export function commonNames(uses: readonly string[], modules = TYPE_MODULES): string[] {
  const own = new Set([...modules.values()].flat());
  return [...new Set(uses)].filter((name) => !own.has(name)).toSorted();
}
