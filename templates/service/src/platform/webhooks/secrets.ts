/** The secrets of webhooks, and the signatures that they make (Standard Webhooks). */
import { randomBytes } from 'node:crypto';

import { Webhook } from 'standardwebhooks';

import type { Database } from '../database/database.ts';

/** A new secret: 32 random bytes. */
export const newSecret = (): string => `whsec_${randomBytes(32).toString('base64')}`;

/**
 * The headers that a receiver verifies: a signature for each secret, because the old one stays valid for
 * a while after a rotation.
 * @param id the id of the event, which is the same in each attempt.
 */
export function signedHeaders(
  secrets: readonly string[],
  id: string,
  body: string,
  now = new Date(),
): Record<string, string> {
  return {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
    'webhook-signature': secrets.map((secret) => new Webhook(secret).sign(id, now, body)).join(' '),
  };
}

/**
 * Gives a webhook a secret. The one before signs for 24 hours more, so that receivers can be changed without
 * missing an event; one that was replaced before is gone.
 */
export async function addSecret(
  transaction: Database,
  webhook: string,
  secret: string,
): Promise<void> {
  // Concurrent rotations wait for each other.
  await transaction.query({ text: 'select 1 from "webhooks" where "id" = $1 for update' }, [
    webhook,
  ]);
  await transaction.query(EXPIRE, [webhook]);
  await transaction.query(INSERT, [webhook, secret]);
}

const EXPIRE = {
  text: `with "expired" as (
      delete from "_webhook_secrets" where "webhook_id" = $1 and "expires_at" is not null)
    update "_webhook_secrets" set "expires_at" = clock_timestamp() + interval '24 hours'
    where "webhook_id" = $1 and "expires_at" is null`,
};
const INSERT = {
  text: 'insert into "_webhook_secrets" ("webhook_id", "secret") values ($1, $2)',
};
