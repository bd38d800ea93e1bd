/** Matchers for values that the service generates. */
import { expect } from 'vitest';

/** An id: a UUID of version 7. */
export const AN_ID: unknown = expect.stringMatching(
  /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
);

/** A timestamp in UTC with three or six fraction digits. */
export const A_TIME: unknown = expect.stringMatching(
  /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}(?:\d{3})?Z$/,
);

/** A date. */
export const A_DAY: unknown = expect.stringMatching(/^\d{4}-\d{2}-\d{2}$/);

/** The id of an item that never existed. */
export const NO_ID = '01890a5d-ac96-774b-bcce-b302099a8057';

/** An id that a sequence has assigned. */
export const A_NUMERIC_ID: unknown = expect.stringMatching(/^[1-9][0-9]*$/);

/** The id of an item that never existed, of a collection whose ids are numbers. */
export const NO_NUMERIC_ID = '2147483647';

/** The same, if they are of the type smallint. */
export const NO_SMALLINT_ID = '32767';

/** The id of an item that never existed, of a collection whose ids are texts. */
export const NO_TEXT_ID = 'no-such-id';

/** An id that is a text. */
export const A_TEXT_ID: unknown = expect.any(String);

/** An id that consists of several values. */
export const A_COMPOSITE_ID: unknown = expect.stringContaining('~');

/** The id of an item that never existed, of a collection whose ids consist of several values. */
export const NO_COMPOSITE_ID = 'no-such-id';
