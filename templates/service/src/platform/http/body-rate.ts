/** `demandRate` ends bodies that arrive too slowly: a request holds memory and a place until its body is there. */
import { Transform } from 'node:stream';
import type { Readable } from 'node:stream';

import { HttpError } from './errors.ts';

/** Milliseconds in which nothing is demanded: a mobile connection may pause for some seconds. */
const GRACE = 5_000;
/** Bytes that each second after that must bring, on average. */
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
    // Whoever reads the body answers it; without a listener, it would end the process if nobody did.
  });
  passed.once('close', () => {
    clearInterval(check);
    // Whatever still arrives is discarded, so that the connection can end.
    body.resume();
  });
  body.once('error', (error) => passed.destroy(error));
  return body.pipe(passed);
}
