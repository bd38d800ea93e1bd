/** The views of people, by version. */
import type { View } from '../../platform/http/view.ts';
import type { Person, PersonValues } from './schema.ts';
import { personV1 } from './v1.ts';
import { personV2 } from './v2.ts';
import { personV3 } from './v3.ts';

export type PersonView = View<Person, PersonValues, never>;

/** The views by version. Versions without people have none. */
export const personViews: Readonly<Record<number, PersonView>> = {
  1: personV1,
  2: personV2,
  3: personV3,
};
