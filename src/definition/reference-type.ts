/** Reads the options of a reference: what it refers to, and where that leads. */
import type { Issues } from './issues.ts';
import { mismatch } from './mismatch.ts';
import type { OptionsOf } from './scalar-type.ts';
import { text, type Located } from './shapes.ts';
import type { MapTree, Tree } from './tree.ts';
import type { Position, ReferenceType } from './types.ts';

/** A reference whose target is not yet looked up, with the positions that messages need. */
export interface WrittenReference {
  readonly type: 'reference';
  readonly to: Located<string>;
  readonly onDelete: ReferenceType['onDelete'];
  readonly onDeleteAt: Position;
  /** `true` stands for the collection's own name. */
  readonly nested: Located<true | string> | undefined;
}

/** Reads the options; undefined where the target is missing. */
export function readReference(
  { to, on_delete: onDelete, nested }: OptionsOf<'reference'>,
  tree: MapTree,
  issues: Issues,
): WrittenReference | undefined {
  if (to === undefined) return undefined;
  const name = nested && readNested(nested.value, issues);
  return {
    type: 'reference',
    to,
    onDelete: onDelete?.value ?? 'refuse',
    onDeleteAt: onDelete?.at ?? tree.at,
    nested: name === undefined || name === false ? undefined : { value: name, at: nested.at },
  };
}

function readNested(tree: Tree, issues: Issues): boolean | string | undefined {
  if (tree.kind === 'scalar' && typeof tree.value === 'boolean') return tree.value;
  if (tree.kind !== 'scalar' || typeof tree.value !== 'string') {
    return mismatch(tree, 'nested', 'true or a plural noun', undefined, issues);
  }
  return text().read(tree, 'nested', issues);
}
