/** Parses the `Authorization` header (RFC 9110, section 11.6.2): Bearer tokens and Basic. */
import { trimEnd } from '../http/values.ts';

export type Credential =
  | { readonly kind: 'token'; readonly token: string }
  | { readonly kind: 'password'; readonly username: string; readonly password: string };

/** Longer headers are refused, so that clients cannot make the service hash large inputs. */
const MAX_LENGTH = 4_096;

/** Parses the header; schemes are case-insensitive. @returns undefined for any other credential. */
export function parseAuthorization(header: string): Credential | undefined {
  const match = header.length > MAX_LENGTH ? null : /^([A-Za-z]+) +([^\s]+) *$/.exec(header);
  if (match === null) return undefined;
  const [, scheme = '', value = ''] = match;
  if (scheme.toLowerCase() === 'bearer') return { kind: 'token', token: value };
  return scheme.toLowerCase() === 'basic' ? parseBasic(value) : undefined;
}

/** Username and password in UTF-8 (RFC 7617, section 2.1). A password may contain colons. */
function parseBasic(value: string): Credential | undefined {
  const bytes = Buffer.from(value, 'base64');
  if (trimEnd(bytes.toString('base64'), '=') !== trimEnd(value, '=')) return undefined;
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
  const colon = text.indexOf(':');
  // Usernames and passwords have no control characters, and PostgreSQL refuses NUL.
  if (colon < 0 || /\p{Cc}/u.test(text)) return undefined;
  return { kind: 'password', username: text.slice(0, colon), password: text.slice(colon + 1) };
}
