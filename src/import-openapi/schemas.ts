/** The schemas of a document, with references, `allOf` and null resolved. */
import type { OpenApiDocument } from './read-openapi.ts';
import { at, isMap, listAt, mapAt, textAt } from './values.ts';
import type { DocumentMap } from './values.ts';
import { ownMember } from '../shared/json.ts';

/** Why a schema says nothing that a definition could: the end of a sentence that begins with its name. */
interface UnclearSchema {
  readonly unclear: string;
  /** Whether its values are JSON of a form that definitions do not describe. */
  readonly isJson: boolean;
}

/** A schema without references. */
export interface ClearSchema {
  readonly unclear?: undefined;
  /** Undefined: any. */
  readonly type: string | undefined;
  readonly isNullable: boolean;
  /** Not resolved. */
  readonly properties: ReadonlyMap<string, unknown>;
  readonly required: ReadonlySet<string>;
  /** Whether it has more properties than are read. */
  readonly isCut: boolean;
  /** All other keywords. */
  readonly keywords: ReadonlyMap<string, unknown>;
}

export type ResolvedSchema = ClearSchema | UnclearSchema;

/** More are not read: a definition has room for 500 fields. */
export const MOST_PROPERTIES = 1000;
const MOST_VARIANTS = 200;
/** `$ref` to `$ref`, and schemas within `allOf`. */
const DEEPEST_CHAIN = 32;

/** Each keyword that narrows, and how two of it are one. */
const NARROWING: Readonly<Record<string, (one: number, other: number) => number>> = {
  minimum: Math.max,
  exclusiveMinimum: Math.max,
  minLength: Math.max,
  minItems: Math.max,
  maximum: Math.min,
  exclusiveMaximum: Math.min,
  maxLength: Math.min,
  maxItems: Math.min,
};

/** Keywords that say nothing of the values: the first one counts. */
const ANNOTATIONS: ReadonlySet<string> = new Set([
  ...['title', 'description', 'example', 'examples', 'externalDocs', 'xml', 'discriminator'],
  ...['deprecated', 'readOnly', 'writeOnly', 'default', '$schema', '$id', '$comment', '$defs'],
]);

/** Keywords that nothing checks: of two the first one counts. */
const UNCHECKED: ReadonlySet<string> = new Set([
  ...['not', 'if', 'then', 'else', 'anyOf', 'oneOf'],
]);

const unclear = (why: string, isJson = false): UnclearSchema => ({ unclear: why, isJson });

/** Why nothing is known of what a reference to another file leads to. */
export const EXTERNAL_REFERENCE = 'refers to another document';

/** Resolves the schemas of one document, each once: the time is in proportion to its size. */
export class Schemas {
  readonly #document: OpenApiDocument;
  readonly #resolved = new Map<unknown, ResolvedSchema | 'unfinished'>();

  constructor(document: OpenApiDocument) {
    this.#document = document;
  }

  /** What a `$ref` of any kind leads to; the value itself if it is none. */
  follow(value: unknown): { readonly value: unknown } | UnclearSchema {
    let found = value;
    for (let steps = 0; steps < DEEPEST_CHAIN; steps += 1) {
      const reference = textAt(found, '$ref');
      if (reference === undefined) return { value: found };
      if (!reference.startsWith('#')) return unclear(EXTERNAL_REFERENCE);
      found = this.#find(reference);
      if (found === undefined)
        return unclear('refers to something that the document does not have');
    }
    return unclear('refers to itself');
  }

  resolve(schema: unknown, depth = 0): ResolvedSchema {
    if (!isMap(schema)) {
      return schema === true ? ANYTHING : unclear('has a schema that is no map');
    }
    const known = this.#resolved.get(schema);
    if (known === 'unfinished') return unclear('refers to itself', true);
    if (known !== undefined) return known;
    if (depth > DEEPEST_CHAIN) return unclear('is nested too deeply', true);
    this.#resolved.set(schema, 'unfinished');
    const resolved = this.#resolveOnce(schema, depth);
    this.#resolved.set(schema, resolved);
    return resolved;
  }

  #resolveOnce(schema: DocumentMap, depth: number): ResolvedSchema {
    const { $ref: reference, allOf: _allOf, oneOf, anyOf, ...own } = schema;
    // Of annotations the first counts: what stands beside a reference.
    const parts: ResolvedSchema[] = [ownSchema(own)];
    if (typeof reference === 'string') {
      const followed = this.follow(schema);
      if ('unclear' in followed) return followed;
      const target = this.resolve(followed.value, depth + 1);
      if (!this.#document.hasReferenceSiblings || Object.keys(schema).length === 1) return target;
      parts.push(target);
    }
    const all = listAt(schema, 'allOf');
    if (all.length > MOST_VARIANTS) return unclear('has too many parts');
    parts.push(...all.map((part) => this.resolve(part, depth + 1)));
    for (const [keyword, variants] of Object.entries({ oneOf, anyOf })) {
      if (Array.isArray(variants)) parts.push(this.#oneOf(keyword, variants, depth));
    }
    return parts.reduce(bothOf);
  }

  /** A schema for values that have one of several forms. */
  #oneOf(keyword: string, variants: readonly unknown[], depth: number): ResolvedSchema {
    if (variants.length > MOST_VARIANTS) return unclear('has too many forms', true);
    // Variants that only demand members describe no form of their own.
    if (variants.length > 0 && variants.every(isOnlyRequired)) {
      return { ...ANYTHING, keywords: new Map([[keyword, variants]]) };
    }
    const resolved = variants.map((one) => this.resolve(one, depth + 1));
    const others = resolved.filter((one) => one.unclear !== undefined || one.type !== 'null');
    const isNullable = others.length < resolved.length;
    const [first] = others;
    if (first === undefined) return ANYTHING;
    const merged = others.length === 1 ? first : commonForm(others);
    return merged.unclear === undefined && isNullable ? { ...merged, isNullable } : merged;
  }

  #find(reference: string): unknown {
    let found: unknown = this.#document.root;
    for (const part of reference.split('/').slice(1)) {
      let key = part.replaceAll('~1', '/').replaceAll('~0', '~');
      try {
        key = decodeURIComponent(key);
      } catch {
        // A percent sign that escapes nothing stands for itself.
      }
      found = Array.isArray(found) ? (found as unknown[])[Number(key)] : at(found, key);
    }
    return found;
  }
}

const isOnlyRequired = (variant: unknown): boolean =>
  Array.isArray(at(variant, 'required')) &&
  isMap(variant) &&
  Object.keys(variant).every((key) => ['required', 'type', 'title', 'description'].includes(key));

const ANYTHING: ClearSchema = {
  type: undefined,
  isNullable: false,
  properties: new Map(),
  required: new Set(),
  isCut: false,
  keywords: new Map(),
};

/** What the keywords of a schema say that refers to no other. */
function ownSchema(own: DocumentMap): ResolvedSchema {
  const { type, nullable, properties: _properties, required: _required, ...keywords } = own;
  const types = (Array.isArray(type) ? (type as unknown[]) : [type]).filter(
    (one) => typeof one === 'string',
  );
  const others = types.filter((one) => one !== 'null');
  const values = listAt(keywords, 'enum');
  const isNullable = nullable === true || others.length < types.length || values.includes(null);
  if (others.length > 1) return unclear('has several types', true);
  const all = Object.entries(mapAt(own, 'properties'));
  const properties = all.slice(0, MOST_PROPERTIES);
  const given = others[0] ?? (types.length > 0 ? 'null' : undefined);
  return {
    type: given ?? (properties.length > 0 ? 'object' : undefined),
    isNullable,
    properties: new Map(properties),
    required: new Set(listAt(own, 'required').filter((one) => typeof one === 'string')),
    isCut: all.length > properties.length,
    keywords: new Map(Object.entries(keywords)),
  };
}

/** A schema for values to which two apply. */
function bothOf(one: ResolvedSchema, other: ResolvedSchema): ResolvedSchema {
  if (one.unclear !== undefined) return one;
  if (other.unclear !== undefined) return other;
  if (one.type !== undefined && other.type !== undefined && one.type !== other.type) {
    return unclear('has an allOf that contradicts itself');
  }
  const keywords = new Map(one.keywords);
  for (const [key, value] of other.keywords) {
    const present = keywords.get(key);
    if (present === undefined) keywords.set(key, value);
    else if (key === 'items' && present !== value) keywords.set(key, { allOf: [present, value] });
    else if (ANNOTATIONS.has(key) || key.startsWith('x-')) {
      // `true` of a flag counts wherever it stands.
      if (present === false) keywords.set(key, value);
    } else if (!isSameValue(present, value) && !UNCHECKED.has(key)) {
      const narrower = ownMember(NARROWING, key);
      if (narrower === undefined || typeof present !== 'number' || typeof value !== 'number') {
        return unclear('has an allOf that contradicts itself');
      }
      keywords.set(key, narrower(present, value));
    }
  }
  const properties = new Map(one.properties);
  let isCut = one.isCut || other.isCut;
  for (const [name, schema] of other.properties) {
    const present = properties.get(name);
    if (present === undefined) {
      if (properties.size < MOST_PROPERTIES) properties.set(name, schema);
      else isCut = true;
    } else if (present !== schema) {
      properties.set(name, { allOf: [present, schema] });
    }
  }
  return {
    type: one.type ?? other.type,
    isNullable: one.isNullable || other.isNullable,
    properties,
    required: new Set([...one.required, ...other.required]),
    isCut,
    keywords,
  };
}

/** The schema of enums and constants of texts together; all else has several forms. */
function commonForm(variants: readonly ResolvedSchema[]): ResolvedSchema {
  const values = new Set<string>();
  let isNullable = false;
  for (const one of variants) {
    const own = one.unclear === undefined ? enumValues(one) : undefined;
    if (own === undefined || one.unclear !== undefined) return unclear('has several forms', true);
    for (const value of own) values.add(value);
    isNullable ||= one.isNullable;
  }
  return { ...ANYTHING, type: 'string', isNullable, keywords: new Map([['enum', [...values]]]) };
}

/** The texts that a schema allows; undefined if it allows others too. */
export function enumValues({ type, keywords }: ClearSchema): readonly string[] | undefined {
  if (type !== undefined && type !== 'string') return undefined;
  const constant = keywords.get('const');
  const values = keywords.get('enum');
  const all: unknown = constant === undefined ? values : [constant];
  if (!Array.isArray(all)) return undefined;
  const texts = (all as unknown[]).filter((one) => one !== null);
  const isText = (one: unknown): one is string => typeof one === 'string';
  return texts.length > 0 && texts.every(isText) ? [...new Set(texts)] : undefined;
}

export function numberOfKeyword({ keywords }: ClearSchema, key: string): number | undefined {
  const value = keywords.get(key);
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}

export function textOfKeyword({ keywords }: ClearSchema, key: string): string | undefined {
  const value = keywords.get(key);
  return typeof value === 'string' ? value : undefined;
}

/** Whether two keywords say the same; lists of scalars are compared by their entries. */
function isSameValue(one: unknown, other: unknown): boolean {
  if (Array.isArray(one) && Array.isArray(other)) {
    return one.length === other.length && one.every((value, index) => value === other[index]);
  }
  return one === other;
}
