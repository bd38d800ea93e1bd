/** A collection as it stands in a file, before it is read. */
import type { Located } from '../reading/shapes.ts';
import type { Tree } from '../reading/tree.ts';

/** A collection that is to be read. */
export interface Part {
  /** Its name, where it does not say one itself. */
  readonly outer: Located<string>;
  readonly tree: Tree;
  /** Whether it stands in a map of collections, so that its name is the key. */
  readonly inMap: boolean;
}
