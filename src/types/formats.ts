/** The forms of text that `format` asks for. */
import { isIPv4, isIPv6 } from 'node:net';

export type StringFormat = 'email' | 'uri' | 'hostname' | 'ipv4' | 'ipv6' | 'slug';

const SLUG = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;
const LABEL = /^[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?$/;
const WIDE_LABEL = /^[\p{L}\p{N}](?:[\p{L}\p{M}\p{N}-]*[\p{L}\p{M}\p{N}])?$/u;
const LOCAL_PART = /^[^\s\p{Cc}"(),:;<>@[\]\\.]+$/u;
const URI = /^[A-Za-z][A-Za-z0-9+.-]*:(?:[A-Za-z0-9\-._~:/?#[\]@!$&'()*+,;=]|%[0-9A-Fa-f]{2})+$/;

/** Whether a text has a form. */
export function hasFormat(value: string, format: StringFormat): boolean {
  return FORMATS[format](value);
}

const FORMATS: Readonly<Record<StringFormat, (value: string) => boolean>> = {
  email: isEmail,
  uri: (value) => URI.test(value),
  hostname: (value) => value.length <= 253 && value.split('.').every((label) => LABEL.test(label)),
  ipv4: isIPv4,
  ipv6: (value) => isIPv6(value) && !value.includes('%'),
  slug: (value) => SLUG.test(value),
};

/** Addresses as RFC 6531 has them, beyond ASCII too; without quoted parts and address literals. */
function isEmail(value: string): boolean {
  const at = value.lastIndexOf('@');
  const local = value.slice(0, at);
  const labels = value.slice(at + 1).split('.');
  return (
    at > 0 &&
    value.length <= 254 &&
    local.length <= 64 &&
    local.split('.').every((part) => LOCAL_PART.test(part)) &&
    labels.length > 1 &&
    labels.every((label) => label.length <= 63 && WIDE_LABEL.test(label))
  );
}
