/** Members that only requests may have, within schemas whose values the service stores as any JSON. */
import type { Schemas } from './schemas.ts';
import { at, isMap, listAt, mapAt } from './values.ts';

/** The parts of a document that are searched, in all. */
const MOST_PARTS = 2_000_000;

/** Searches the schemas of one document. */
export class WriteOnlyParts {
  readonly #schemas: Schemas;
  /** Schemas no part of which is write-only. */
  readonly #clean = new Set<unknown>();
  #remaining = MOST_PARTS;

  constructor(schemas: Schemas) {
    this.#schemas = schemas;
  }

  /**
   * Why values of a schema may not be shown whole: the end of a sentence that begins with "it"; undefined: no part of
   * it is write-only.
   */
  find(schema: unknown): string | undefined {
    // What references lead to, so that each part is searched once.
    const found = new Set<unknown>([this.#follow(schema)]);
    for (const part of found) {
      if (this.#clean.has(part)) continue;
      for (const [name, written] of Object.entries(mapAt(part, 'properties'))) {
        const property = this.#follow(written);
        if ([written, property].some((holder) => at(holder, 'writeOnly') === true)) {
          return `has a member ${name} that is write-only`;
        }
        found.add(property);
      }
      for (const inner of partsOf(part)) if (isMap(inner)) found.add(this.#follow(inner));
      if (this.#remaining < 0) return 'is too large to be searched for write-only members';
    }
    for (const one of found) this.#clean.add(one);
    return undefined;
  }

  #follow(schema: unknown): unknown {
    this.#remaining -= 1;
    const followed = this.#schemas.follow(schema);
    return 'unclear' in followed ? schema : followed.value;
  }
}

/** The schemas in a schema, without its properties. */
const partsOf = (schema: unknown): readonly unknown[] => [
  ...['items', 'additionalProperties', 'not'].map((key) => at(schema, key)),
  ...['allOf', 'oneOf', 'anyOf', 'prefixItems'].flatMap((key) => listAt(schema, key)),
  ...Object.values(mapAt(schema, 'patternProperties')),
];
