/** Reads the options of a reference: what it refers to, and where that leads. */
import { NESTED_KEYS } from './keys.ts';
import { mismatch } from './mismatch.ts';
import { readKeys } from './records.ts';
import type { FieldContext, OptionsOf } from './scalar-type.ts';
import { text, type Located } from './shapes.ts';
import type { MapTree, Tree } from './tree.ts';
import type { Position, ReferenceType } from './types.ts';
import type { SpanReading } from './versions/span.ts';

/** A reference whose target is not yet looked up, with the positions that messages need. */
export interface WrittenReference {
  readonly type: 'reference';
  readonly to: Located<string>;
  readonly onDelete: ReferenceType['onDelete'];
  readonly onDeleteAt: Position;
  /** `true` stands for the collection's own name. */
  readonly nested: Located<true | string> | undefined;
  /** Which versions have that path. */
  readonly nestedIn: SpanReading | undefined;
}

/** Reads the options; undefined where the target is missing. */
export function readReference(
  { to, on_delete: onDelete, nested }: OptionsOf<'reference'>,
  tree: MapTree,
  context: FieldContext,
): WrittenReference | undefined {
  if (to === undefined) return undefined;
  const { name, span } = nested === undefined ? {} : readNested(nested.value, context);
  return {
    type: 'reference',
    to,
    onDelete: onDelete?.value ?? 'refuse',
    onDeleteAt: onDelete?.at ?? tree.at,
    nested: name === undefined || name === false ? undefined : { value: name, at: nested!.at },
    nestedIn: span,
  };
}

function readNested(
  tree: Tree,
  { issues }: FieldContext,
): { readonly name?: boolean | string | undefined; readonly span?: SpanReading } {
  if (tree.kind === 'map') {
    const { as, ...span } = readKeys(tree, NESTED_KEYS, 'nested', issues);
    return { name: as?.value ?? true, span };
  }
  if (tree.kind === 'scalar' && typeof tree.value === 'boolean') return { name: tree.value };
  if (tree.kind !== 'scalar' || typeof tree.value !== 'string') {
    return { name: mismatch(tree, 'nested', 'true, a plural noun or a map', undefined, issues) };
  }
  return { name: text().read(tree, 'nested', issues) };
}
