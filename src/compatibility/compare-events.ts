/** Compares the events of two states of a collection: receivers rely on their types. */
import type { CollectionDefinition } from '../definition/types.ts';
import { eventTypesOf } from '../model/events.ts';
import { undoAdvice } from './compare-types.ts';
import { plainAdvice } from './types.ts';
import type { Break, PlaceOf } from './types.ts';

/** The breaking changes of the events of a collection. One with another name is reported as renamed. */
export function compareEvents(
  before: CollectionDefinition,
  after: CollectionDefinition,
  placeOf: PlaceOf,
): Break[] {
  if (!before.events) return [];
  const of = `collection ${before.name}`;
  if (!after.events) {
    return [
      {
        code: 'events-gone',
        at: placeOf('events', after.at),
        what: `${of} no longer has events`,
        who: 'clients that poll GET /events miss its changes, and get 400 where they name its types',
        advice: plainAdvice('Write "events: true" again.'),
      },
    ];
  }
  if (before.name !== after.name || before.singular === after.singular) return [];
  const [was = '', is = ''] = [before, after].map((one) => eventTypesOf(one)[0] ?? '');
  return [
    {
      code: 'events-renamed',
      at: placeOf('singular', after.at),
      what: `${of} has events such as ${is}, and had ${was}`,
      who: 'clients that know events by their types ignore them',
      advice: plainAdvice(undoAdvice('singular', before.singular)),
    },
  ];
}
