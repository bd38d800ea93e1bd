/**
 * The signals of the machine by their names, for messages about processes that one has ended: the build puts this in
 * place of the package that execa uses, whose descriptions and licence are 17 KB.
 */
import { constants } from 'node:os';

export const signalsByName = Object.fromEntries(
  Object.entries(constants.signals).map(([name, number]) => [
    name,
    { name, number, description: name },
  ]),
);
