/** Text on narrow terminals: words stay whole, and columns stand one below the other. */

/** Fewer columns than these are too few for two columns of help. */
const LEAST = 60;
const INDENT = '      ';

export const isNarrow = (columns: number): boolean => columns < LEAST;

/** Text in lines that are no wider, broken between words; a word that is wider has a line to itself. */
export function wrapped(text: string, columns: number, indent = ''): string {
  const lines: string[] = [];
  let line = indent;
  for (const word of text.split(' ')) {
    const isEmpty = line === indent;
    if (!isEmpty && line.length + 1 + word.length > columns) {
      lines.push(line);
      line = indent + word;
    } else line += isEmpty ? word : ` ${word}`;
  }
  return [...lines, line].join('\n');
}

/**
 * Help that was laid out without regard to width, for a narrow terminal: below each option, command
 * or example stands what it does.
 */
export function stacked(help: string, columns: number): string {
  return help
    .split('\n')
    .map((line) => {
      if (!/^ {2,}\S/.test(line)) return wrapped(line, columns);
      const [name = '', ...rest] = line.trim().split(/ {2,}/);
      const says = rest.join(' ').replaceAll(/(?<=\S)\[/g, ' [');
      const below = says === '' ? [] : [wrapped(says, columns, INDENT)];
      return [`  ${name}`, ...below].join('\n');
    })
    .join('\n');
}
