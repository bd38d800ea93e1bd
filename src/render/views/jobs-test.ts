/** What the template of the tests of jobs says. */
import { isBackground } from '../../model/jobs.ts';
import type { Names } from '../../model/names.ts';
import { samplesOf } from '../../model/samples.ts';
import { quoted } from '../../shared/sql.ts';
import type { Model } from '../../model/types.ts';
import { moduleImports, when } from './module-imports.ts';
import type { ModuleImport } from './module-imports.ts';
import { serviceView } from './service.ts';
import type { ServiceView } from './service.ts';

/** How many items the workers of a test share. */
const SEVERAL = 6;

/** The data of templates/service/test/jobs.test.ts.hbs. */
export interface JobsTestView extends ServiceView {
  /** The collection that stands for all; absent where none can be given an item. */
  readonly subject: SubjectView | undefined;
  /** What is imported from Vitest, and below `src/` and `test/`. */
  readonly vitest: readonly string[];
  readonly imports: readonly ModuleImport[];
}

interface SubjectView {
  readonly name: string;
  readonly names: Names;
  /** Its table, quoted. */
  readonly table: string;
  readonly several: number;
  /** Whether the path of a request may leave the version to `Accept`. */
  readonly isLinkedByAccept: boolean;
}

export function jobsTestView(model: Model): JobsTestView {
  const able = [...samplesOf(model).values()].filter(
    ({ collection, obstacle }) => isBackground(collection) && obstacle === undefined,
  );
  const chosen = able.toSorted((one, other) => other.capacity - one.capacity)[0];
  const service = serviceView(model);
  const has = chosen !== undefined;
  const { itemCamel = '', kebab = '' } = chosen?.collection.names ?? {};
  return {
    ...service,
    vitest: ['afterEach', 'beforeEach', 'describe', 'expect', 'test', ...when(has, 'vi')],
    imports: moduleImports([
      ['import', '../src/collections/works.ts', ['works']],
      ['import type', '../src/platform/feature.ts', ['BackgroundWorker']],
      ['import', '../src/platform/http/uuid.ts', ['newId']],
      ['import', '../src/platform/jobs/job-error.ts', when(has, 'JobError')],
      [
        'import',
        '../src/platform/jobs/job-store.ts',
        ['addJob', 'findJob', 'forgetJobs', ...when(has, 'recoverJobs')],
      ],
      ['import', '../src/platform/jobs/queue.ts', ['openQueue']],
      ['import', '../src/platform/jobs/worker.ts', ['startWorker']],
      ['import', `./support/items/${kebab}.ts`, when(has, `${itemCamel}Body`)],
      ['import', './support/callers.ts', ['makeCaller']],
      ['import', './support/expected.ts', ['A_TIME', 'NO_ID']],
      ['import', './support/service.ts', ['API', 'startService']],
      ['import type', './support/service.ts', when(has, 'Job')],
      ['import', './support/rules.ts', when(has, 'addRule', 'dropRule')],
      ['import', './support/users.ts', when(has, 'setRoles')],
    ]),
    subject: chosen && {
      name: chosen.collection.definition.name,
      names: chosen.collection.names,
      table: quoted(chosen.collection.table.name),
      isLinkedByAccept: service.byPath && service.byAccept,
      several: Math.min(SEVERAL, chosen.capacity),
    },
  };
}
