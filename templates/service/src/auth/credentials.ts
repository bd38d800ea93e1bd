/** What a request shows in `Authorization` (RFC 9110, section 11.6.2): a token or a password. */

export type Credential =
  | { readonly kind: 'token'; readonly token: string }
  | { readonly kind: 'password'; readonly username: string; readonly password: string };

/** More than any credential of ours has; hashing a megabyte for a stranger is no service. */
const LONGEST = 4_096;

/**
 * Reads the header. Schemes are compared whatever their case.
 * @returns undefined where it is no credential that this service knows.
 */
export function parseAuthorization(header: string): Credential | undefined {
  const match = header.length > LONGEST ? null : /^([A-Za-z]+) +([^\s]+) *$/.exec(header);
  if (match === null) return undefined;
  const [, scheme = '', value = ''] = match;
  if (scheme.toLowerCase() === 'bearer') return { kind: 'token', token: value };
  return scheme.toLowerCase() === 'basic' ? parseBasic(value) : undefined;
}

/** Username and password, in UTF-8 (RFC 7617, section 2.1); a password may hold colons. */
function parseBasic(value: string): Credential | undefined {
  const bytes = Buffer.from(value, 'base64');
  if (bytes.toString('base64').replace(/=+$/, '') !== value.replace(/=+$/, '')) return undefined;
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
  const colon = text.indexOf(':');
  // A control character stands in no username and no password, and NUL in no database.
  if (colon < 0 || /\p{Cc}/u.test(text)) return undefined;
  return { kind: 'password', username: text.slice(0, colon), password: text.slice(colon + 1) };
}
