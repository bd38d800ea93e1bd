/** What the tests of definitions share: sources from text, and results as lines. */
import { formatIssue, parseFolder, parseSingleFile } from '../../../src/definition/index.ts';
import type { DefinitionResult, Field, ServiceDefinition } from '../../../src/definition/types.ts';
import type { SourceFile } from '../../../src/reading/position.ts';

export const OPTIONS = { fallbackName: 'bookshop' };

/** A file from its text. */
export function file(path: string, text: string): SourceFile {
  return { path, bytes: new TextEncoder().encode(text) };
}

/** The text of a file. */
export function textOf({ bytes }: SourceFile): string {
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
}

/** Reads a folder that is given by its paths below definitions/. */
export function folder(texts: Readonly<Record<string, string>>): Promise<DefinitionResult> {
  const files = Object.entries(texts).map(([path, text]) => file(`definitions/${path}`, text));
  return parseFolder(files, OPTIONS);
}

/** Reads a service from one file. */
export function single(text: string, path = 'shop.yaml'): Promise<DefinitionResult> {
  return parseSingleFile(file(path, text), OPTIONS);
}

/** The issues as they are printed; none where all is fine. */
export function lines(result: DefinitionResult): readonly string[] {
  return result.ok ? [] : result.issues.map(formatIssue);
}

/** The service; throws the issues where there are any. */
export function service(result: DefinitionResult): ServiceDefinition {
  if (!result.ok) throw new Error(lines(result).join('\n'));
  return result.service;
}

/** Reads the collection books with a field or several in it, beside a collection authors. */
export function books(fields: string, rest = ''): Promise<DefinitionResult> {
  const indented = fields
    .split('\n')
    .map((line) => `  ${line}\n`)
    .join('');
  return folder({
    'service.yaml': 'roles: [editor]\n',
    'collections/authors.yaml': 'fields: { name: { type: string } }\n',
    'collections/books.yaml': `name: books\nfields:\n${indented}${rest}`,
  });
}

/** The one field called `it` of the collection books. */
export async function fieldOf(text: string): Promise<Field> {
  const { collections } = service(await books(`it: ${text}`));
  return collections.find(({ name }) => name === 'books')!.fields[0]!;
}

/** A value without the positions in it, so that what is read from two places can be compared. */
export function withoutPositions(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(withoutPositions);
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name, member]) => name !== 'at' || typeof member !== 'object')
      .map(([name, member]) => [name, withoutPositions(member)]),
  );
}
