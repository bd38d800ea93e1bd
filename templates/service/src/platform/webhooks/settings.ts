/** The settings of events and webhooks, and the variables that they are read from. */
import type { ReceiverRules } from './receiver-url.ts';
import { readList } from '../environment.ts';
import type { EnvironmentReader } from '../environment.ts';

/** The settings of deliveries. */
export interface WebhookSettings extends ReceiverRules {
  /** Seconds from a failed attempt to the next one, for each retry. */
  readonly retryDelays: readonly number[];
  /** Seconds of nothing but failures after which a webhook is disabled. */
  readonly disableAfter: number;
  /** Days after an event in which its deliveries are retried: pending deliveries keep all later events. */
  readonly retryDays: number;
}

interface EventSettings {
  /** Days that events are kept. */
  readonly eventsKeepDays: number;
  readonly webhooks: WebhookSettings;
}

declare module '../settings.ts' {
  interface Settings extends EventSettings {}
}

/** Seconds before each retry of a delivery: 5 s, 1 min, 5 min, 30 min, 2 h, 5 h and 10 h. */
const RETRY_DELAYS = [5, 60, 300, 1_800, 7_200, 18_000, 36_000];
/** The most seconds before a retry, and the most retries. */
const MAX_RETRY_DELAY = 604_800;
const MAX_RETRIES = 20;
/** Seconds of nothing but failures after which a webhook is disabled: 3 days. */
const DISABLE_AFTER = 259_200;

export function readEventSettings(read: EnvironmentReader): EventSettings {
  const allowPrivate = read.boolean('WEBHOOK_ALLOW_PRIVATE', false);
  const eventsKeepDays = read.integer('EVENTS_KEEP_DAYS', 30, 1, 3650);
  return {
    eventsKeepDays,
    webhooks: {
      allowPrivate,
      requireHttps: read.production && !allowPrivate,
      retryDelays: read.variable<readonly number[]>(
        'WEBHOOK_RETRY_DELAYS',
        RETRY_DELAYS,
        readDelays,
        `must be up to ${MAX_RETRIES} comma-separated seconds, such as 5,60,3600, none more than ${MAX_RETRY_DELAY}`,
      ),
      disableAfter: read.integer('WEBHOOK_DISABLE_AFTER', DISABLE_AFTER, 1, 31_536_000),
      retryDays: eventsKeepDays,
    },
  };
}

/** Comma-separated seconds; undefined if one of them is invalid. */
function readDelays(text: string): readonly number[] | undefined {
  const delays = readList(text, (part) => (/^\d{1,6}$/.test(part) ? part : undefined))?.map(Number);
  const areShort = delays?.every((delay) => delay <= MAX_RETRY_DELAY) === true;
  return areShort && delays.length <= MAX_RETRIES ? delays : undefined;
}
