/** Finds the definitions on disk of each table that import reads, whatever their collections are called. */
import { definitionValue } from './edit-yaml.ts';
import type { ImportedDefinition } from './types.ts';
import type { JsonObject } from '../shared/json.ts';
import { ownMember } from '../shared/json.ts';
import { withoutPublicSchema } from './written-fields.ts';

/** The definition of a collection on disk. */
export interface DiskDefinition {
  /** Its file, relative to the folder of the project. */
  readonly path: string;
  /** With LF. */
  readonly text: string;
  readonly name: string;
  readonly value: JsonObject;
}

/** The definitions of collections among files. */
export const diskDefinitions = (files: ReadonlyMap<string, string>): readonly DiskDefinition[] =>
  [...files]
    .filter(([path]) => /(?:^|\/)collections\/[^/]+$/.test(path))
    .map(([path, text]) => readDefinition(path, text));

/** Reads a valid definition. @param path is called as the collection, unless the definition has a name. */
function readDefinition(path: string, text: string): DiskDefinition {
  const value = definitionValue(text);
  const fileName = path.slice(path.lastIndexOf('/') + 1).replace(/\.[a-z]+$/, '');
  return { path, text, name: String(ownMember(value, 'name') ?? fileName), value };
}

/** The table that a definition uses; undefined if the service makes its own. */
export function writtenTableOf({ value }: Pick<DiskDefinition, 'value'>): string | undefined {
  const table = ownMember(value, 'table');
  return typeof table === 'string' ? withoutPublicSchema(table) : undefined;
}

/** The definition on disk of one that import wrote; undefined if there is none. References lead to it. */
export const diskDefinitionOf = (
  imported: ImportedDefinition,
  disk: readonly DiskDefinition[],
): DiskDefinition | undefined => diskDefinitionsOf(imported, disk)[0];

/** The definitions on disk of one that import wrote: first the one with its name, then others over the same table. */
export function diskDefinitionsOf(
  { name, table, definition }: ImportedDefinition,
  disk: readonly DiskDefinition[],
): readonly DiskDefinition[] {
  const isOfTable = writtenTableOf({ value: definition }) !== undefined;
  const candidates = disk.filter((one) =>
    isOfTable
      ? writtenTableOf(one) === table
      : writtenTableOf(one) === undefined &&
        (one.name === name || one.value['renamed_from'] === name),
  );
  return candidates.toSorted(
    (one, other) => Number(other.name === name) - Number(one.name === name),
  );
}

/** Where the references of definitions lead to, in the names of the definitions on disk. */
export interface DiskCollections {
  /** For a definition of the last import. */
  readonly base: (name: string) => string | undefined;
  /** For a definition that import writes now. */
  readonly theirs: (name: string) => string | undefined;
}
