/**
 * The definitions as they go into a project: `definitions/service.yaml`, and one file a
 * collection. Each begins with the line that points editors at the schema.
 */
import type { Source } from '../reading/source.ts';
import type { SourceFile } from '../reading/position.ts';

const MODELINE = /^#[ \t]*yaml-language-server:[ \t]*\$schema=/;

/** What a file defines. */
export type FileKind = 'service' | 'collection';

/** The path of a file in a project. */
export function pathOf(kind: FileKind, name: string): string {
  return kind === 'service' ? 'definitions/service.yaml' : `definitions/collections/${name}.yaml`;
}

/** The first line of a file: where an editor finds the schema, relative to the file. */
export function modeline(kind: FileKind): string {
  const up = kind === 'service' ? '..' : '../..';
  return `# yaml-language-server: $schema=${up}/node_modules/create-service/schema/${kind}.schema.json`;
}

/** Whether a line points an editor at a schema. */
export function isModeline(line: string): boolean {
  return MODELINE.test(line);
}

/** A YAML file as it came, with the line for editors put first where the user has none. */
export function withModeline(
  source: Pick<Source, 'text'>,
  kind: FileKind,
  name: string,
): SourceFile {
  const leading = /^(?:[ \t]*(?:#.*)?\n)*/.exec(`${source.text}\n`)![0];
  const has = leading.split('\n').some((line) => isModeline(line.trim()));
  return fileOf(kind, name, has ? source.text : `${modeline(kind)}\n${source.text}`);
}

/** The seeds of a collection as a file of a project. */
export function seedFileOf(collection: string, text: string): SourceFile {
  return { path: `seeds/${collection}.yaml`, bytes: new TextEncoder().encode(text) };
}

/** A file of a project from its text. */
export function fileOf(kind: FileKind, name: string, text: string): SourceFile {
  return { path: pathOf(kind, name), bytes: new TextEncoder().encode(text) };
}
