/** The import statements of emitted modules whose imports depend on the definition. */

/** An import statement: `import { a, b } from 'module';`. */
export interface ImportView {
  readonly keyword: 'import' | 'import type';
  readonly names: readonly string[];
  readonly module: string;
}

/** Code or names; `false` stands for one that is left out. */
type OptionalTexts = readonly (string | false)[];

/** A module, relative or below `src/platform/`, with the values and the types that are imported from it. */
type ImportedModule = readonly [module: string, values: OptionalTexts, types?: OptionalTexts];

/** The texts that are not left out. */
export const presentTexts = (texts: OptionalTexts): string[] =>
  texts.filter((text) => text !== false);

/** The imports of a module of a collection, without those that name nothing. */
export const importsOf = (modules: readonly ImportedModule[]): ImportView[] =>
  modules.flatMap(([path, values, types = []]) => {
    const module = path.startsWith('.') ? path : `../../platform/${path}`;
    const imports: ImportView[] = [
      { keyword: 'import', names: presentTexts(values), module },
      { keyword: 'import type', names: presentTexts(types), module },
    ];
    return imports.filter(({ names }) => names.length > 0);
  });
