/** What the template of the tests of jobs says. */
import { isBackground } from '../../model/jobs.ts';
import type { Names } from '../../model/names.ts';
import { samplesOf } from '../../model/samples.ts';
import { quoted } from '../../shared/sql.ts';
import type { Model } from '../../model/types.ts';
import { serviceView } from './service.ts';
import type { ServiceView } from './service.ts';

/** How many items the workers of a test share. */
const SEVERAL = 6;

/** The data of templates/service/test/jobs.test.ts.hbs. */
export interface JobsTestView extends ServiceView {
  /** The collection that stands for all; absent where none can be given an item. */
  readonly subject: SubjectView | undefined;
}

interface SubjectView {
  readonly name: string;
  readonly names: Names;
  /** Its table, quoted. */
  readonly table: string;
  readonly several: number;
}

export function jobsTestView(model: Model): JobsTestView {
  const able = [...samplesOf(model).values()].filter(
    ({ collection, obstacle }) => isBackground(collection) && obstacle === undefined,
  );
  const chosen = able.toSorted((one, other) => other.capacity - one.capacity)[0];
  return {
    ...serviceView(model),
    subject: chosen && {
      name: chosen.collection.definition.name,
      names: chosen.collection.names,
      table: quoted(chosen.collection.table.name),
      several: Math.min(SEVERAL, chosen.capacity),
    },
  };
}
