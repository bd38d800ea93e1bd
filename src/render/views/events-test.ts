/** What the template of the tests of events says. */
import { writesEvents } from '../../model/events.ts';
import type { Names } from '../../model/names.ts';
import { samplesOf } from '../../model/samples.ts';
import type { Model } from '../../model/types.ts';
import { serviceView } from './service.ts';
import type { ServiceView } from './service.ts';

/** The data of templates/service/test/events.test.ts.hbs. */
export interface EventsTestView extends ServiceView {
  /** The collection that stands for all; absent where tests cannot create its items. */
  readonly subject: SubjectView | undefined;
}

interface SubjectView {
  readonly names: Names;
  /** What an item is called in the types of its events. */
  readonly item: string;
  /** Whether a POST creates the item at once. */
  readonly direct: boolean;
}

/** @param differs whether versions differ. */
export function eventsTestView(model: Model, differs: boolean): EventsTestView {
  const [chosen] = [...samplesOf(model).values()]
    .filter(({ collection, obstacle }) => writesEvents(collection) && obstacle === undefined)
    .toSorted((one, other) => other.capacity - one.capacity);
  return {
    ...serviceView(model),
    differs,
    subject: chosen && {
      names: chosen.collection.names,
      item: chosen.collection.definition.singular,
      direct: chosen.collection.definition.create === 'direct',
    },
  };
}
