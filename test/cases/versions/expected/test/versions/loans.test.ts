/** Loans in several versions. */
import { describe, expect, test } from 'vitest';

import { NO_ID } from '../support/expected.ts';
import { startService } from '../support/service.ts';

const service = await startService();

describe('versions without the collection', () => {
  test.each([
    [2, '/loans'],
    [3, '/loans'],
  ])('version %i answers 404 at %s', async (version, path) => {
    const without = service.in(version);
    expect(await without.get(path)).toBeError(404);
    expect(await without.post(path, {})).toBeError(404);
    expect(await without.get(`${path}/${NO_ID}`)).toBeError(404);
    expect(await without.delete(`${path}/${NO_ID}`)).toBeError(404);
  });
});
