/**
 * Security headers of all responses. They forbid browsers to frame a response, to load it from other
 * origins, and to run anything in it. `/docs` sets its own Content-Security-Policy.
 */

/** The headers, which are the same for every response. */
export const securityHeadersFor = ({ hstsSubdomains }: { readonly hstsSubdomains: boolean }) => ({
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'strict-transport-security': `max-age=31536000${hstsSubdomains ? '; includeSubDomains' : ''}`,
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
});

/** The `Cache-Control` of responses to requests with a credential. */
export const PRIVATE = 'private, no-cache';
