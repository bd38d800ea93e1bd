/** What `import --again` did, in words. */
import { inlineYaml } from '../../compatibility/definition-yaml.ts';
import { excerptOf } from '../../merge/excerpts.ts';
import type { JsonValue } from '../../shared/json.ts';
import { printable } from '../../reading/quote.ts';
import type { DefinitionPath } from '../../reimport/merge-definition.ts';
import type { PlacedConflict, ReimportedFile } from '../../reimport/types.ts';

/** A line for each change of a definition: `+ subtitle { type: text }`. */
export const changeLines = ({ renamed, changes }: ReimportedFile): readonly string[] => [
  ...Array.from(renamed, ([before, now]) => `~ ${before} is called ${now}`),
  ...changes.map(({ at, before, after }) => {
    if (before === undefined) return `+ ${memberOf(at)} ${written(after)}`;
    if (after === undefined) return `- ${memberOf(at)}`;
    return `~ ${memberOf(at)} ${written(before)} → ${written(after)}`;
  }),
];

/** A conflict: what each of the three says. */
export const conflictText = ({ at, base, ours, theirs }: PlacedConflict): string =>
  `${memberOf(at)}: the database says ${written(theirs)}, ` +
  `the definition says ${written(ours)}, the last import said ${written(base)}`;

/** A member as people call it: `title.max_length`. */
export const memberOf = (at: DefinitionPath): string =>
  printable(at.slice(at[0] === 'fields' ? 1 : 0).join('.'));

const written = (value: JsonValue | undefined): string =>
  value === undefined ? 'nothing' : printable(excerptOf(inlineYaml(value)));
