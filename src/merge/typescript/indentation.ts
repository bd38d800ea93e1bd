/** The indentation of what is generated, in a file whose team indents otherwise. */
import { ts } from 'ts-morph';

/** How the emitted files are indented. */
const OURS = '  ';

/**
 * Some source of a file as it is to stand in another, at the indentation of a place there. Lines
 * within a template literal are its text, and stay.
 */
export function indentedAs(
  place: { readonly file: ts.SourceFile; readonly position: number },
  file: ts.SourceFile,
  [start, end]: readonly [start: number, end: number],
  at: number = start,
): string {
  const text = file.text.slice(start, end);
  const unit = unitOf(place.file);
  const [from, to] = [indentAt(file, at), indentAt(place.file, place.position)];
  if (unit === OURS && from === to) return text;
  const fixed = templatesIn(file, start, end);
  let position = start;
  return text
    .split('\n')
    .map((line, index) => {
      const isText =
        index === 0 || fixed.some(([first, last]) => first < position && position <= last);
      position += line.length + 1;
      return isText ? line : indented(line, from, to, unit);
    })
    .join('\n');
}

function indented(line: string, from: string, to: string, unit: string): string {
  if (line.trim() === '') return line;
  const own = /^ */.exec(line)?.[0] ?? '';
  const deeper = Math.max(own.length - from.length, 0);
  const units = Math.floor(deeper / OURS.length);
  return to + unit.repeat(units) + ' '.repeat(deeper % OURS.length) + line.slice(own.length);
}

/** The blanks at the start of the line of a position. */
function indentAt({ text }: ts.SourceFile, position: number): string {
  const line = text.slice(text.lastIndexOf('\n', position - 1) + 1);
  return /^[ \t]*/.exec(line)?.[0] ?? '';
}

/** One step of indentation of a file: that of its first indented line which is no comment. */
const unitOf = ({ text }: ts.SourceFile): string => /\n([ \t]+)[^\s*/]/.exec(text)?.[1] ?? OURS;

/** Where template literals are. */
function templatesIn(file: ts.SourceFile, start: number, end: number): [number, number][] {
  const found: [number, number][] = [];
  const visit = (node: ts.Node): void => {
    if (node.end <= start || node.pos >= end) return;
    if (ts.isTemplateLiteral(node)) found.push([node.getStart(file), node.end]);
    else ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}
