/** The text of a file without its line ends and byte order mark, which do not count as edits. */
import { createHash } from 'node:crypto';

import { diffIndices } from 'node-diff3';

import type { TextLayout } from './types.ts';

/** The layout of generated files. */
export const DEFAULT_LAYOUT: TextLayout = { crlf: false, bom: false };

const BOM = '\ufeff';

/** A text with LF and without byte order mark, and its form on disk. */
export function readLayout(raw: string): { readonly text: string; readonly form: TextLayout } {
  const bom = raw.startsWith(BOM);
  const body = bom ? raw.slice(1) : raw;
  if (!body.includes('\r')) return { text: body, form: { crlf: false, bom } };
  const all = body.split('\n').length - 1;
  const wide = body.split('\r\n').length - 1;
  return { text: body.replaceAll('\r\n', '\n'), form: { crlf: wide * 2 > all, bom } };
}

/** A text as it is written down. */
export const withLayout = (text: string, { crlf, bom }: TextLayout): string =>
  `${bom ? BOM : ''}${crlf ? text.replaceAll('\n', '\r\n') : text}`;

/** The SHA-256 of a text in UTF-8, in hexadecimal digits. */
export const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex');

const OURS = /^<{7}(?: |$)/;
const BASE = /^\|{7}(?: |$)/;
const MIDDLE = /^={7}$/;
const THEIRS = /^>{7}(?: |$)/;

/** The message about a text with conflict markers. */
export const CONFLICT_MARKERS_LEFT = 'the file has conflict markers';

/** The line of the first of these markers, from 1. */
export const markerLine = (text: string): number =>
  text.split('\n').findIndex((line) => OURS.test(line)) + 1;

/** Two versions of a text as one, with conflict markers as git writes them around the lines in which they differ. */
export function withMarkers(ours: string, theirs: string): string {
  const [lines, others] = [ours.split('\n'), theirs.split('\n')];
  const result: string[] = [];
  let from = 0;
  for (const { buffer1, buffer2Content } of diffIndices(lines, others)) {
    const [start, length] = buffer1;
    const own = lines.slice(start, start + length);
    result.push(
      ...lines.slice(from, start),
      ...['<<<<<<< on disk', ...own, '=======', ...buffer2Content, '>>>>>>> generated'],
    );
    from = start + length;
  }
  return [...result, ...lines.slice(from)].join('\n');
}

/**
 * The two texts that git could not merge, from the text with its markers: that of the branch one
 * is on, and that of the other; undefined where there are no markers.
 */
export function conflictSides(text: string): readonly [ours: string, theirs: string] | undefined {
  const ours: string[] = [];
  const theirs: string[] = [];
  let state: 'both' | 'ours' | 'base' | 'theirs' = 'both';
  let found = false;
  for (const line of text.split('\n')) {
    if (state === 'both' && OURS.test(line)) state = 'ours';
    else if (state === 'ours' && BASE.test(line)) state = 'base';
    else if ((state === 'ours' || state === 'base') && MIDDLE.test(line)) state = 'theirs';
    else if (state === 'theirs' && THEIRS.test(line)) {
      state = 'both';
      found = true;
    } else {
      if (state === 'both' || state === 'ours') ours.push(line);
      if (state === 'both' || state === 'theirs') theirs.push(line);
    }
  }
  return found && state === 'both' ? [ours.join('\n'), theirs.join('\n')] : undefined;
}
