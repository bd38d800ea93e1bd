/** Gives a service another name in the text of its definition, and leaves all else as it is. */
import { isMap, isScalar, parseDocument } from 'yaml';

import type { SourceFile } from '../reading/position.ts';

/** Words that YAML takes for something else than text, in one of its versions. */
const NO_TEXT = /^(?:true|false|null|yes|no|on|off|y|n)$/;

/**
 * @param file the file that holds the keys of the service.
 * @param name kebab-case.
 * @returns the file itself where it cannot be read: the parser says why.
 */
export function renameService(file: SourceFile, name: string): SourceFile {
  const text = new TextDecoder().decode(file.bytes);
  const document = parseDocument(text, { uniqueKeys: false });
  const top = document.contents;
  if (document.errors.length > 0 || !isMap(top)) return file;
  const splice = (from: number, to: number, inserted: string): SourceFile => ({
    path: file.path,
    bytes: new TextEncoder().encode(text.slice(0, from) + inserted + text.slice(to)),
  });
  const literal = top.flow === true || NO_TEXT.test(name) ? JSON.stringify(name) : name;
  const pair = top.items.find(({ key }) => isScalar(key) && key.value === 'name');
  if (pair !== undefined) {
    const { value } = pair;
    const range = isScalar(value) ? value.range : undefined;
    if (!range || (isScalar(value) && value.value === name)) return file;
    return splice(range[0], range[1], range[0] === range[1] ? ` ${literal}` : literal);
  }
  const first = top.items[0]?.key;
  if (!isScalar(first) || !first.range) return file;
  const at = first.range[0];
  if (top.flow === true) return splice(at, at, `"name": ${literal}, `);
  const indent = text.slice(text.lastIndexOf('\n', at - 1) + 1, at);
  return splice(at, at, `name: ${literal}\n${indent}`);
}
