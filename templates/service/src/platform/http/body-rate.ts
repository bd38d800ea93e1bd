/** `demandRate` refuses bodies that arrive too slowly: until then, a request occupies memory and one of the limited places. */
import { Transform } from 'node:stream';
import type { Readable } from 'node:stream';

import { HttpError } from './errors.ts';

/** Milliseconds without a minimum rate: a mobile connection may pause for some seconds. */
const GRACE = 5_000;
/** Bytes per second after that, on average. */
const MIN_RATE = 1_024;
/** Milliseconds between two checks. */
const INTERVAL = 1_000;

/**
 * Passes a body on.
 * @returns a stream that fails with 408 once the body is behind the minimum rate.
 */
export function demandRate(body: Readable): Readable {
  const began = performance.now();
  let received = 0;
  const passed = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      received += chunk.length;
      done(null, chunk);
    },
  });
  const check = setInterval(() => {
    const seconds = (performance.now() - began - GRACE) / 1_000;
    if (received >= seconds * MIN_RATE) return;
    passed.destroy(
      new HttpError(
        408,
        `The body took too long to arrive: after ${GRACE / 1_000} s, at least ${MIN_RATE} bytes a second are needed.`,
        { connection: 'close' },
      ),
    );
  }, INTERVAL);
  passed.on('error', () => {
    // The reader of the body answers it. If there is none, an error without a listener would end the process.
  });
  passed.once('close', () => {
    clearInterval(check);
    // The rest of the body is discarded, so that the connection can close.
    body.resume();
  });
  body.once('error', (error) => passed.destroy(error));
  return body.pipe(passed);
}
