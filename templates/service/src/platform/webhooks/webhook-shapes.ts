/** The shapes of webhooks, as clients write and read them. */
import type { Static, TObject } from 'typebox';

import {
  defaulting,
  described,
  documented,
  integer,
  itemShape,
  list,
  object,
  oneOf,
  optional,
  setExample,
  string,
  timestamp,
} from '../http/shapes.ts';
import type { Complete } from '../http/shapes.ts';
import { CURRENT_VERSION } from '../service.ts';
import { URL_PATTERN } from './receiver-url.ts';

export const WEBHOOK_STATUSES = ['active', 'disabled'] as const;

const disabled = { disabled_reason: optional(string()), disabled_at: optional(timestamp()) };

/** What the service alone writes. */
const ReadOnly = object({
  ...disabled,
  delivery_failed_at: described(
    'When the service last gave a delivery up: after its last retry, or because its event was older than the days that events are kept.',
    optional(timestamp()),
  ),
});

const EXAMPLE = { disabled_reason: null, disabled_at: null, delivery_failed_at: null };
setExample(ReadOnly, EXAMPLE);

/** What only the answers to a creation and to a rotation have. */
const Secret = object({
  ...ReadOnly.properties,
  secret: described('Verifies the signatures of events (Standard Webhooks).', string()),
});

setExample(Secret, { ...EXAMPLE, secret: 'whsec_…' });

/** The body of POST and PUT. @param types the names of all types of events, in any version. */
export function webhookBody(types: readonly string[]) {
  const body = object({
    url: described(
      'Where events are sent: an https URL of a host in the public Internet.',
      documented(string({ format: 'uri', maxLength: 2_000 }), { pattern: URL_PATTERN }),
    ),
    events: described(
      'The types of events that are sent; null for all.',
      optional(list(oneOf(types), { minItems: 1, uniqueItems: true })),
    ),
    version: described(
      'The version of the API that the data of events are in.',
      defaulting(integer({ minimum: 1, maximum: CURRENT_VERSION }), CURRENT_VERSION),
    ),
    status: described(
      'A disabled webhook gets no events, and its pending deliveries fail. The service disables a webhook whose receiver answers 410, or only fails for days.',
      defaulting(oneOf(WEBHOOK_STATUSES), 'active'),
    ),
    description: optional(string({ maxLength: 1_000 })),
  });
  setExample(body, {
    url: 'https://example.org/events',
    events: null,
    version: CURRENT_VERSION,
    status: 'active',
    description: 'The warehouse',
  });
  return body;
}

/** A webhook as clients read it. @param body the shape of its body. */
export const webhookShape = (body: TObject): TObject =>
  itemShape(
    'Webhook',
    'Receivers of events. The secret, which signs what is sent, is shown once.',
    body,
    { readOnly: ReadOnly },
  );

/** The answer that has the secret. @param body the shape of the body of a webhook. */
export const webhookWithSecret = (body: TObject): TObject =>
  itemShape('Webhook.secret', 'A webhook with its new secret.', body, { readOnly: Secret });

export type WebhookBodyValues = Complete<Static<ReturnType<typeof webhookBody>>>;
export type WebhookValues = WebhookBodyValues & Complete<Static<TObject<typeof disabled>>>;

/** A webhook as clients read it. */
export interface Webhook extends WebhookValues {
  readonly id: string;
  readonly delivery_failed_at: string | null;
  readonly created_at: string;
  readonly updated_at: string;
}
