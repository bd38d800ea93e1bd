/**
 * Headers that tell a browser how little an answer of an API may do: no page frames it, none loads
 * it as a script or an image, and nothing in it runs. They are the same on every answer, so they are
 * written once; `/docs`, which is a page, sets a policy of its own.
 */
export const SECURITY_HEADERS = {
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'strict-transport-security': 'max-age=31536000; includeSubDomains',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
} as const;
