/** Paths for whoever runs the service: they answer also where it is overloaded, and without limit. */

/** Whether a request target is that of health or of metrics. */
export const isOperational = (target: string): boolean =>
  /^\/(?:health\/|metrics(?:\?|$))/.test(target);
