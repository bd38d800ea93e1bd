/** Bodies of versions that do not have the reference to the owner of an item. */
import type { BodyReader } from './body.ts';

/**
 * A body reader for a version without a member: a creation may still set it, to the caller.
 * @param hidden the stored name of the member.
 */
export const withHiddenOwner = <Values extends object>(
  hidden: keyof Values,
  reader: BodyReader<Values>,
): BodyReader<Values> => ({
  ...reader,
  create: (request, given) => {
    const entries = Object.entries(given ?? {});
    const shown = Object.fromEntries(entries.filter(([name]) => name !== hidden));
    const own = Object.fromEntries(entries.filter(([name]) => name === hidden));
    return { ...reader.create<never>(request, shown), ...own };
  },
});
