/** The paths that are exempt from rate limits and load shedding. */

/** Whether a request is for `/health/` or `/metrics`. */
export const isOperational = (target: string): boolean =>
  /^\/(?:health\/|metrics(?:\?|$))/.test(target);
