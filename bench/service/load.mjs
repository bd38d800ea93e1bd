/** Load on services, and what a request costs under it. */
import autocannon from 'autocannon';

import { cpu, databaseCpu, quantile } from './harness.mjs';

export const ROUNDS = Number(process.env.ROUNDS ?? 7);
export const SECONDS = Number(process.env.SECONDS ?? 4);
export const WARM_UP = Number(process.env.WARM_UP ?? 10);
export const CONNECTIONS = 32;

/** Requests a second, milliseconds of the slowest hundredth, and CPU microseconds for each request. */
export async function load({ origin, child }, requests, duration, connections = CONNECTIONS) {
  const before = [cpu(child), databaseCpu()];
  const result = await autocannon({ url: origin, connections, duration, requests });
  if (result.non2xx > 0 || result.errors > 0)
    throw new Error(`${origin}: ${result.non2xx} answers were not 2xx, ${result.errors} failed`);
  return {
    rate: result.requests.average,
    p99: result.latency.p99,
    cpu: (cpu(child) - before[0]) / result['2xx'],
    database: (databaseCpu() - before[1]) / result['2xx'],
  };
}

/**
 * What each side did in each round, after it was warm. The sides are asked in turn, round after
 * round, each other round in the other order.
 */
export async function roundsOf(sides, connections = CONNECTIONS) {
  for (const side of sides) await load(...side, WARM_UP, connections);
  const rounds = [];
  for (let round = 0; round < ROUNDS; round++) {
    const results = [];
    const turns = [...sides.entries()];
    for (const [at, side] of round % 2 === 0 ? turns : turns.toReversed())
      results[at] = await load(...side, SECONDS, connections);
    rounds.push(results);
  }
  return rounds;
}

/** The median of some ratios, the least and the most. */
export function spread(ratios) {
  const [least, middle, most] = [0, 0.5, 1].map((share) => quantile(ratios, share).toFixed(2));
  return `${middle} (${least} to ${most})`;
}
