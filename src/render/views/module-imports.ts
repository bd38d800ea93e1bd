/** What an emitted module imports, as the view of its template works it out. */

/** What is imported from a module: values, or types alone. */
export interface ModuleImport {
  readonly keyword: 'import' | 'import type';
  readonly module: string;
  readonly names: readonly string[];
}

/** What may be imported: nothing, if no name is given. */
export type ImportRow = readonly [
  keyword: ModuleImport['keyword'],
  module: string,
  names: readonly string[],
];

/** The imports of those modules of which something is needed. */
export const moduleImports = (rows: readonly ImportRow[]): ModuleImport[] =>
  rows
    .map(([keyword, module, names]) => ({ keyword, module, names }))
    .filter(({ names }) => names.length > 0);

/** Texts of code that only some definitions need. */
export const when = (isNeeded: boolean, ...texts: readonly string[]): readonly string[] =>
  isNeeded ? texts : [];

/** Code or names; `false` stands for one that is left out. */
type OptionalTexts = readonly (string | false)[];

/** A module, relative or below `src/platform/`, with the values and the types that are imported from it. */
type ImportedModule = readonly [module: string, values: OptionalTexts, types?: OptionalTexts];

/** The texts that are not left out. */
export const presentTexts = (texts: OptionalTexts): string[] =>
  texts.filter((text) => text !== false);

/** The imports of a module of a collection. */
export const collectionImports = (modules: readonly ImportedModule[]): ModuleImport[] =>
  moduleImports(
    modules.flatMap(([path, values, types = []]): ImportRow[] => {
      const module = path.startsWith('.') ? path : `../../platform/${path}`;
      return [
        ['import', module, presentTexts(values)],
        ['import type', module, presentTexts(types)],
      ];
    }),
  );
