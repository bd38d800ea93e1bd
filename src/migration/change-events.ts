/** The tables of events and webhooks in a migration. They exist as long as some collection writes events. */
import { eventTypesOf, hasEvents, writesEvents } from '../model/events.ts';
import { itemIdType } from '../model/keys.ts';
import { WEBHOOK_TABLES, tableNames } from '../model/table-names.ts';
import type { Model } from '../model/types.ts';
import { formerValues, literal, quoted, renamedValue } from '../shared/sql.ts';
import type { Comparison } from './compare-models.ts';
import type { Draft } from './draft.ts';
import { changeItemIdType } from './numeric-keys.ts';
import { createEvents } from './statements.ts';
import { createWebhooks, renameWebhookTypes } from './webhook-tables.ts';

/** Adds or removes the tables, and renames the types of stored events. */
export function changeEvents(
  before: Model,
  now: Model,
  comparison: Comparison,
  draft: Draft,
): void {
  const [had, has] = [hasEvents(before), hasEvents(now)];
  if (had && has) {
    forgetTypes(before, comparison, draft);
    renameTypes(comparison, now, draft);
    changeItemIdType(['events', '_deliveries'], before, now, draft);
  }
  if (had === has) return;
  if (has) {
    const itemId = itemIdType(now);
    draft.additions.push(createEvents(itemId), createWebhooks(itemId));
    draft.summary.push('Adds events, which record the changes of items, and webhooks.');
    draft.names.push('add_events');
    return;
  }
  const at = now.collections[0]?.definition.at;
  const what = 'all events and webhooks';
  if (at !== undefined) draft.losses.push({ what, at });
  const tables = [...WEBHOOK_TABLES, 'events'];
  const names = tables.map(quoted).join(', ');
  const taken = tableNames(now);
  if (tables.some((table) => taken.has(table))) {
    draft.removals.push(`drop table ${names};`);
    draft.breaks.push('the tables of events are dropped');
  } else {
    // Until then, changes by processes of an older version write events.
    draft.contract.push(`drop table if exists ${names};`);
  }
  draft.summary.push(`Drops ${what}.`);
  draft.names.push('drop_events');
}

/**
 * Empties the events of collections that have none any more: another collection may get their types. The rows
 * stay, because positions are counted by them.
 */
function forgetTypes(before: Model, { kept, dropped }: Comparison, draft: Draft): void {
  // What is in neither list is as it was.
  const without = new Set([
    ...dropped.map(({ definition }) => definition.name),
    ...kept.filter(({ now }) => !writesEvents(now)).map((pair) => pair.before.definition.name),
  ]);
  const gone = before.collections.filter(
    (collection) => writesEvents(collection) && without.has(collection.definition.name),
  );
  if (gone.length === 0) return;
  const types = gone
    .flatMap(({ definition }) => eventTypesOf(definition))
    .map(literal)
    .join(', ');
  draft.rewritten.add('events');
  draft.removals.push(
    `delete from "_deliveries" using "events"\nwhere "events"."event_id" = "_deliveries"."event_id" and "events"."type" in (${types});`,
    `update "events" set "type" = '', "data" = '{}' where "type" in (${types});`,
  );
  draft.names.push('empty_events');
  for (const { definition } of gone) {
    const what = `the events of ${definition.name}`;
    draft.summary.push(`Empties ${what}.`);
    const pair = kept.find((one) => one.before.definition.name === definition.name);
    if (pair !== undefined) draft.losses.push({ what, at: pair.now.definition.at });
  }
}

/** Stored events get the type that later ones of the collection have. */
function renameTypes({ kept }: Comparison, { service }: Model, draft: Draft): void {
  const renames = kept
    .filter(({ before }) => writesEvents(before))
    .flatMap(({ before, now }) => {
      const types = eventTypesOf(now.definition);
      return eventTypesOf(before.definition).map((was, at) => [was, types[at] ?? was] as const);
    })
    .filter(([was, is]) => was !== is);
  if (renames.length === 0) return;
  draft.rewritten.add('events');
  // Before the tables are renamed, which locks them, and after the types of others are free.
  draft.removals.push(
    `update "events" set "type" = ${renamedValue('"type"', renames)}\nwhere "type" in (${formerValues(renames)});`,
    renameWebhookTypes(renames, service.versions.at(-1) ?? 1),
  );
  draft.breaks.push('events of older processes have the former types');
  draft.names.push('rename_event_types');
  draft.summary.push('Renames the types of stored events.');
}
