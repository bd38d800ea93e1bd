/** The key `events`: what a collection with events may not have. */
import type { Issues } from '../reading/issues.ts';
import { quote } from '../reading/quote.ts';
import type { WrittenCollection } from './collection.ts';

/** The collections that a service with events has itself. */
const BUILT_IN_WITH_EVENTS: readonly string[] = ['events', 'webhooks'];

/** What an item of a service with events is called already. */
const BUILT_IN_SINGULAR = 'webhook';

/** Checks the collections of a service with events. */
export function checkEvents(collections: readonly WrittenCollection[], issues: Issues): void {
  const recorded = collections.filter(({ events }) => events?.value === true);
  const [first] = recorded;
  if (first === undefined) return;
  for (const { name, at, singular, singularAt, olderNames = [] } of collections) {
    if (singular === BUILT_IN_SINGULAR && name !== 'webhooks') {
      const message = `singular ${quote(singular)} is taken: a service has webhooks as long as a collection (here ${quote(first.name)}) has "events: true". Write another.`;
      issues.add(singularAt, 'name-reserved', message);
    }
    for (const one of [{ name, at }, ...olderNames]) {
      if (!BUILT_IN_WITH_EVENTS.includes(one.name)) continue;
      const message = `name ${quote(one.name)} is taken: a service has that collection as long as a collection (here ${quote(first.name)}) has "events: true". Write another name.`;
      issues.add(one.at, 'name-reserved', message);
    }
  }
  for (const collection of recorded) refuseUnseenChanges(collection, issues);
}

/** Refuses references by which the database removes or changes items: the service does not see these changes. */
function refuseUnseenChanges({ name, fields }: WrittenCollection, issues: Issues): void {
  for (const { name: field, reference } of fields) {
    if (reference === undefined || reference.onDelete === 'refuse') continue;
    const { onDelete, onDeleteAt } = reference;
    const effect = onDelete === 'cascade' ? 'removes' : 'changes';
    const message = `on_delete ${quote(onDelete)} of ${quote(field)} ${effect} items of ${quote(name)} within the database, and "events: true" would miss that. Write "on_delete: refuse", or remove "events".`;
    issues.add(onDeleteAt, 'bad-events', message);
  }
}
