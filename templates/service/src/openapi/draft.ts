/** A document while it is put together: what stands in it once, and is referred to from its paths. */
import type { Content, MediaType, Reference, Tag } from './types.ts';

/** The kinds of parts that are kept under `components`. */
type Kind = 'schemas' | 'responses' | 'parameters' | 'headers' | 'securitySchemes';

export interface Draft {
  /** What the paths of the version begin with. */
  readonly base: string;
  /** The media types of bodies, the plainest first. */
  readonly mediaTypes: readonly string[];
  readonly tags: Tag[];
  readonly components: Partial<Record<Kind, Record<string, object>>>;
}

export const newDraft = (base: string, mediaTypes: readonly string[]): Draft => ({
  base,
  mediaTypes,
  tags: [],
  components: {},
});

/**
 * Puts a part under `components`, where it is not there yet, and refers to it. So nothing stands
 * there that is not used.
 * @param name unique among parts of its kind: letters, digits, `.`, `-` and `_`.
 */
export function refer(draft: Draft, kind: Kind, name: string, make: () => object): Reference {
  const parts = (draft.components[kind] ??= {});
  parts[name] ??= make();
  return { $ref: `#/components/${kind}/${name}` };
}

/** The same in every media type that is served. */
export const inEveryType = (draft: Draft, media: MediaType): Content =>
  Object.fromEntries(draft.mediaTypes.map((type) => [type, media]));
