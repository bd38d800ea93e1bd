/** Tests of an older version of a collection whose items are created in the background. */
import { beforeEach, describe, expect, test, vi } from 'vitest';

import { works } from '../../src/collections/works.ts';
import type { TestService } from './service.ts';
import type { VersionPair } from './version-tests.ts';

/** A reference that the versions name differently. */
export interface VersionJobOptions extends VersionPair {
  /** The name of the collection in the definitions. */
  readonly collection: string;
  /** The name of the reference: the stored one, and those of the versions. */
  readonly stored: string;
  readonly names: { readonly current: string; readonly older: string };
  /** An id that no item has. */
  readonly noId: string;
}

/** Tests that a job that finds a broken reference names it as the version of its request does. */
export function versionJobTests(service: TestService, options: VersionJobOptions): void {
  const { version, current, older, names } = options;
  const inOlder = service.in(version);

  describe(`version ${version}`, () => {
    beforeEach(() => service.clear());

    test('reports errors of jobs with its own names', async () => {
      const work = works[options.collection];
      if (work === undefined) throw new Error('the collection has no background work');
      const process = vi.spyOn(work, 'process');
      const breakOnce = (): unknown =>
        process.mockImplementationOnce((values) => ({ ...values, [options.stored]: options.noId }));
      breakOnce();
      await expect(older.create(inOlder)).rejects.toThrow(errorOf(names.older));
      breakOnce();
      await expect(current.create(service)).rejects.toThrow(errorOf(names.current));
    });
  });
}

const errorOf = (name: string): string =>
  `the job failed: ${name} refers to an item that does not exist.`;
