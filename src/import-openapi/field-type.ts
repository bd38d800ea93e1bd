/** A schema of a document → the type of a field, and what that does not say. */
import { caseOf } from '../definition/names.ts';
import type { FieldTypeDefinition } from '../import/column-type.ts';
import { descriptionOf } from '../import/propose-field.ts';
import { hasFlag, isFlagged } from './body-members.ts';
import type { ClearSchema, ResolvedSchema, Schemas } from './schemas.ts';
import { enumValues, numberOfKeyword, textOfKeyword } from './schemas.ts';
import { uncheckedKeywords } from './unchecked-keywords.ts';
import { WriteOnlyParts } from './write-only.ts';

/** The type of a member; without a definition the member is left out. */
export interface MemberType {
  readonly definition?: FieldTypeDefinition;
  readonly isNullable: boolean;
  /** What the service does in another way: the ends of sentences that begin with the name of the member. */
  readonly notes: readonly string[];
  /** What it does in another way with requests, worded likewise. */
  readonly requestNotes: readonly string[];
  /** What the service accepts although the document does not, worded likewise. */
  readonly unchecked: readonly string[];
  /** How many types are in it. */
  readonly size: number;
}

const DEEPEST_OBJECT = 5;
const MOST_IN_OBJECT = 200;
const MOST_ENUM_VALUES = 500;
const LONGEST_TEXT = 10_485_760;
const MOST_ITEMS = 1_000_000;
const INT32 = { minimum: -(2 ** 31), maximum: 2 ** 31 - 1 };

/** Makes types of the schemas of a document, each once. */
export class MemberTypes {
  readonly #schemas: Schemas;
  /** By the number of objects around them. */
  readonly #known = new Map<ResolvedSchema, Map<number, MemberType>>();
  readonly #unfinished = new Set<ResolvedSchema>();
  readonly #writeOnly: WriteOnlyParts;

  constructor(schemas: Schemas) {
    this.#schemas = schemas;
    this.#writeOnly = new WriteOnlyParts(schemas);
  }

  /** @param depth how many objects the member is in. */
  typeOf(schema: unknown, depth = 0): MemberType {
    const resolved = this.#schemas.resolve(schema);
    const byDepth = this.#known.get(resolved) ?? new Map<number, MemberType>();
    this.#known.set(resolved, byDepth);
    const known = byDepth.get(depth);
    if (known !== undefined) return known;
    if (this.#unfinished.has(resolved)) {
      return json(false, ['has any form in the service: it refers to itself']);
    }
    this.#unfinished.add(resolved);
    const made = this.#safe(schema, this.#make(resolved, depth));
    this.#unfinished.delete(resolved);
    byDepth.set(depth, made);
    return made;
  }

  /** Any JSON would show members that are write-only. */
  #safe(schema: unknown, made: MemberType): MemberType {
    const hidden = made.definition?.type === 'json' ? this.#writeOnly.find(schema) : undefined;
    return hidden === undefined ? made : leftOut(`it ${hidden}`);
  }

  #make(schema: ResolvedSchema, depth: number): MemberType {
    if (schema.unclear !== undefined) {
      return schema.isJson
        ? json(false, [`has any form in the service: it ${schema.unclear}`])
        : leftOut(`it ${schema.unclear}`);
    }
    const made = this.#makeClear(schema, depth);
    return { ...made, unchecked: [...made.unchecked, ...uncheckedKeywords(schema, made)] };
  }

  #makeClear(schema: ClearSchema, depth: number): MemberType {
    const { isNullable } = schema;
    const values = enumValues(schema);
    if (values !== undefined && values.length <= MOST_ENUM_VALUES) {
      return plain({ type: 'enum', values }, isNullable);
    }
    const type = schema.type ?? (schema.keywords.has('items') ? 'array' : undefined);
    if (type === 'string') return stringType(schema);
    if (type === 'integer') return numberType(schema, 'integer');
    if (type === 'number') return numberType(schema, 'number');
    if (type === 'boolean') return plain({ type }, isNullable);
    if (type === 'array') return this.#listType(schema, depth);
    if (type === 'object') return this.#objectType(schema, depth);
    return type === undefined ? json(isNullable) : leftOut(`it has the type ${type}`);
  }

  #listType(schema: ClearSchema, depth: number): MemberType {
    const { isNullable } = schema;
    const entries = this.#schemas.resolve(schema.keywords.get('items') ?? true);
    const isScalar =
      entries.unclear === undefined &&
      (SCALARS.has(entries.type ?? '') || enumValues(entries) !== undefined);
    if (!isScalar) {
      return json(isNullable, ['has any form in the service: it is a list of other than scalars']);
    }
    const items = this.#make(entries, depth);
    if (items.definition === undefined) return { ...items, isNullable };
    const minimum = numberOfKeyword(schema, 'minItems') ?? 0;
    const maximum = numberOfKeyword(schema, 'maxItems') ?? MOST_ITEMS + 1;
    return {
      definition: {
        type: 'list',
        of: items.definition,
        ...(minimum > 0 && minimum <= MOST_ITEMS && { min_items: minimum }),
        ...(maximum > 0 && maximum <= MOST_ITEMS && { max_items: maximum }),
        ...(schema.keywords.get('uniqueItems') === true && { unique_items: true }),
      },
      isNullable,
      notes: items.isNullable ? [...items.notes, 'has no null among its entries'] : items.notes,
      requestNotes: items.requestNotes,
      unchecked: items.unchecked,
      size: items.size + 1,
    };
  }

  #objectType(schema: ClearSchema, depth: number): MemberType {
    const { isNullable, properties, required, keywords } = schema;
    const additional = keywords.get('additionalProperties');
    const isOpen = additional !== undefined && additional !== false;
    if (properties.size === 0) return json(isNullable);
    if (isOpen) {
      return json(isNullable, ['has any form in the service: it takes additional members']);
    }
    if (depth >= DEEPEST_OBJECT) {
      return json(isNullable, [
        `has any form in the service: it is more than ${DEEPEST_OBJECT} objects deep`,
      ]);
    }
    const members = new Map<string, unknown>();
    const notes: string[] = [];
    const requestNotes: string[] = [];
    const unchecked: string[] = [];
    // Such an object is write-only itself.
    const isHidden = [...properties.values()].every((property) =>
      hasFlag(property, 'writeOnly', this.#schemas),
    );
    let size = 1;
    for (const [name, property] of properties) {
      const own = caseOf(name, '_');
      const type = this.typeOf(property, depth + 1);
      size += type.size;
      if (size > MOST_IN_OBJECT) {
        return json(isNullable, [
          `has any form in the service: it has more than ${MOST_IN_OBJECT} members`,
        ]);
      }
      if (own === '' || members.has(own) || type.definition === undefined) {
        notes.push(`is without its member ${name}`);
        continue;
      }
      if (!isHidden && isFlagged(property, 'writeOnly', this.#schemas)) {
        notes.push(`is without its member ${name}, which is write-only`);
        continue;
      }
      const isReadOnly = isFlagged(property, 'readOnly', this.#schemas);
      if (isReadOnly) notes.push(`has a member ${name} that requests can change`);
      const resolved = this.#schemas.resolve(property);
      if (resolved.unclear === undefined && resolved.keywords.get('default') != null) {
        requestNotes.push(`has a member ${name} that has no default`);
      }
      if (own !== name) notes.push(`has its member ${name} as ${own}`);
      notes.push(...type.notes.map((note) => `has a member ${name} that ${note}`));
      requestNotes.push(...type.requestNotes.map((note) => `has a member ${name} that ${note}`));
      unchecked.push(...type.unchecked.map((note) => `has a member ${name} that ${note}`));
      const isRequired = required.has(name) && !type.isNullable && !isReadOnly;
      if (isRequired && isAnyValue(resolved)) {
        requestNotes.push(`has a member ${name} that may not be null`);
      }
      members.set(own, {
        ...type.definition,
        ...(isRequired && { required: true }),
        ...schemaDescription(resolved),
      });
    }
    if (members.size === 0) return leftOut('no member of it can become one');
    const definition = { type: 'object', properties: Object.fromEntries(members) };
    return { definition, isNullable, notes, requestNotes, unchecked, size };
  }
}

/** Whether a schema says nothing of the type of its values, so that they may be null too. */
export const isAnyValue = (schema: ResolvedSchema): boolean =>
  schema.unclear === undefined &&
  schema.type === undefined &&
  !schema.keywords.has('enum') &&
  !schema.keywords.has('const');

/** The description of a schema, in one line. */
export const schemaDescription = (schema: ResolvedSchema): { readonly description?: string } =>
  schema.unclear === undefined
    ? descriptionOf(
        cut((textOfKeyword(schema, 'description') ?? '').replaceAll(/\p{Surrogate}/gu, '')),
      )
    : {};

const LONGEST_DESCRIPTION = 1000;

const cut = (text: string): string =>
  text.length > LONGEST_DESCRIPTION ? `${text.slice(0, LONGEST_DESCRIPTION).trim()}…` : text;

/** The types of schemas for scalars. */
const SCALARS: ReadonlySet<string> = new Set(['string', 'integer', 'number', 'boolean']);

const plain = (definition: FieldTypeDefinition, isNullable: boolean): MemberType => ({
  definition,
  isNullable,
  notes: [],
  requestNotes: [],
  unchecked: [],
  size: 1,
});

const json = (isNullable: boolean, notes: readonly string[] = []): MemberType => ({
  ...plain({ type: 'json' }, isNullable),
  notes,
});

const leftOut = (reason: string): MemberType => ({
  isNullable: false,
  notes: [reason],
  requestNotes: [],
  unchecked: [],
  size: 0,
});

/** The types of texts with a format. */
const TYPE_OF_FORMAT: ReadonlyMap<string, string> = new Map([
  ['uuid', 'uuid'],
  ['date', 'date'],
  ['date-time', 'timestamp'],
  ['byte', 'bytes'],
]);

/** The formats of the type `string`. */
const STRING_FORMATS: ReadonlyMap<string, string> = new Map([
  ['email', 'email'],
  ['idn-email', 'email'],
  ['uri', 'uri'],
  ['url', 'uri'],
  ['hostname', 'hostname'],
  ['ipv4', 'ipv4'],
  ['ipv6', 'ipv6'],
]);

function stringType(schema: ClearSchema): MemberType {
  const { isNullable } = schema;
  const format = textOfKeyword(schema, 'format');
  if (format === 'binary') return leftOut('its values are no JSON');
  const encoding = textOfKeyword(schema, 'contentEncoding');
  const type = TYPE_OF_FORMAT.get(encoding === 'base64' ? 'byte' : (format ?? ''));
  if (type !== undefined) return plain({ type }, isNullable);
  const stringFormat = STRING_FORMATS.get(format ?? '');
  const isUnchecked = format !== undefined && stringFormat === undefined && format !== 'password';
  const minimum = numberOfKeyword(schema, 'minLength') ?? 0;
  const maximum = numberOfKeyword(schema, 'maxLength') ?? LONGEST_TEXT + 1;
  const pattern = textOfKeyword(schema, 'pattern');
  return {
    ...plain(
      {
        type: 'string',
        ...(minimum > 0 && minimum <= LONGEST_TEXT && { min_length: minimum }),
        ...(maximum > 0 && maximum <= LONGEST_TEXT && { max_length: maximum }),
        ...(pattern !== undefined && { pattern }),
        ...(stringFormat !== undefined && { format: stringFormat }),
      },
      isNullable,
    ),
    unchecked: isUnchecked ? [`is not checked for the format ${format}`] : [],
  };
}

function numberType(schema: ClearSchema, type: 'integer' | 'number'): MemberType {
  const unchecked: string[] = [];
  const isWhole = type === 'integer';
  const bound = (key: 'minimum' | 'maximum', inward: 1 | -1): number | undefined => {
    const own = numberOfKeyword(schema, key);
    const exclusiveKey = key === 'minimum' ? 'exclusiveMinimum' : 'exclusiveMaximum';
    // A flag beside the bound in OpenAPI 3.0, and a bound since 3.1.
    const isExcluded = schema.keywords.get(exclusiveKey) === true;
    const exclusive = numberOfKeyword(schema, exclusiveKey) ?? (isExcluded ? own : undefined);
    const isNarrower =
      exclusive !== undefined && (own === undefined || (exclusive - own) * inward >= 0);
    if (!isNarrower) return own === undefined ? undefined : rounded(own, inward);
    if (!isWhole) unchecked.push(`may be ${exclusive} itself`);
    return isWhole
      ? rounded(exclusive, inward) + (Number.isInteger(exclusive) ? inward : 0)
      : exclusive;
  };
  const rounded = (value: number, inward: 1 | -1): number =>
    isWhole ? (inward === 1 ? Math.ceil(value) : Math.floor(value)) : value;
  const isInt32 = isWhole && textOfKeyword(schema, 'format') === 'int32';
  const minimum = bound('minimum', 1) ?? (isInt32 ? INT32.minimum : undefined);
  const maximum = bound('maximum', -1) ?? (isInt32 ? INT32.maximum : undefined);
  if (schema.keywords.has('multipleOf')) unchecked.push('is not checked for multiples');
  // Numbers of JSON are exact up to here.
  const isBeyond = [minimum, maximum].some(
    (value) => isWhole && value !== undefined && Math.abs(value) > Number.MAX_SAFE_INTEGER,
  );
  const isInt64 = isWhole && ['int64', 'uint64'].includes(textOfKeyword(schema, 'format') ?? '');
  const isOpen = minimum === undefined || maximum === undefined;
  const isUsable = (value: number | undefined): value is number =>
    value !== undefined && (!isWhole || Number.isSafeInteger(value));
  return {
    ...plain(
      {
        type,
        ...(isUsable(minimum) && { minimum }),
        ...(isUsable(maximum) && { maximum }),
      },
      schema.isNullable,
    ),
    requestNotes:
      isBeyond || (isInt64 && isOpen) ? [`is refused beyond ${Number.MAX_SAFE_INTEGER}`] : [],
    unchecked,
  };
}
