/** What of a text is no edit: a byte order mark, line endings, the newline at the end. */

const MARK = '\uFEFF';

/** The text without a byte order mark, with LF, and with a newline at its end unless it is empty. */
export function normalizeText(text: string): string {
  const lines = text.replace(/^\uFEFF/, '').replaceAll('\r\n', '\n');
  return lines === '' || lines.endsWith('\n') ? lines : `${lines}\n`;
}

/** A plain text with the byte order mark and, where they are CRLF throughout, the line endings of another. */
export function withLayoutOf(model: string, text: string): string {
  const mark = model.startsWith(MARK) ? MARK : '';
  return mark + (isCrlf(model) ? text.replaceAll('\n', '\r\n') : text);
}

const isCrlf = (text: string): boolean => text.includes('\r\n') && !/(^|[^\r])\n/.test(text);
