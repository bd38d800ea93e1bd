/**
 * The JSON Schemas by which editors complete and underline while a definition is typed, made from
 * the table of keys. Draft-07, because that is what the YAML servers of editors know.
 */
import { type Keys, objectSchema } from '../reading/records.ts';
import {
  COLLECTION_KEYS,
  FIELD_KEYS,
  keysForType,
  OLDER_KEYS,
  PROPERTY_KEYS,
  SERVICE_KEYS,
  SINGLE_KEYS,
} from './keys.ts';
import { PROPERTY_NAMES, SCALAR_NAMES, TYPE_NAMES, specOf, TYPES } from '../types/registry.ts';
import type { TypeName } from '../types/registry.ts';
import { anything, type JsonSchema } from '../reading/shapes.ts';

const DRAFT = 'http://json-schema.org/draft-07/schema#';

/** Each schema by the name of its file in `schema/`. */
export function schemas(): ReadonlyMap<string, JsonSchema> {
  const parts = {
    field: typed(FIELD_KEYS, TYPE_NAMES),
    property: typed(PROPERTY_KEYS, PROPERTY_NAMES),
    item: { anyOf: [{ enum: SCALAR_NAMES }, typed({}, SCALAR_NAMES)] },
    older: typed(OLDER_KEYS, PROPERTY_NAMES),
  };
  // Beside it in the same folder; in a single file the key of a collection is its name.
  const collection = {
    allOf: [{ $ref: 'collection.schema.json' }],
    not: { required: ['name'] },
  };
  return new Map([
    ['service.schema.json', top('The service', SERVICE_KEYS, undefined)],
    ['collection.schema.json', top('A collection', COLLECTION_KEYS, parts)],
    ['single.schema.json', top('A service in one file', SINGLE_KEYS, { collection })],
  ]);
}

function top(title: string, keys: Keys, definitions: JsonSchema | undefined): JsonSchema {
  const schema = { type: 'object', ...objectSchema(keys), ...(definitions && { definitions }) };
  return { $schema: DRAFT, title, ...withSharedProperties(schema) };
}

/** The length from which a property is shared, in characters of JSON. */
const SHARED_LENGTH = 50;

/** The same schema, in which equal properties in several places refer to one definition. */
function withSharedProperties(schema: JsonSchema): JsonSchema {
  const counts = new Map<string, number>();
  const visit = (
    value: unknown,
    replace: (name: string, property: unknown) => unknown,
  ): unknown => {
    if (Array.isArray(value)) return value.map((entry) => visit(entry, replace));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([key, inner]: [string, unknown]) => [
        key,
        key === 'properties'
          ? Object.fromEntries(
              Object.entries(inner as object).map(([name, property]: [string, unknown]) => [
                name,
                replace(name, property),
              ]),
            )
          : visit(inner, replace),
      ]),
    );
  };
  const count = (_name: string, property: unknown): unknown => {
    const text = JSON.stringify(property);
    const before = counts.get(text) ?? 0;
    counts.set(text, before + 1);
    // The parts of a shared property are counted once.
    return before === 0 ? visit(property, count) : property;
  };
  visit(schema, count);

  const own = Object.keys((schema['definitions'] as object | undefined) ?? {});
  const names = new Map<string, string>();
  const shared: Record<string, unknown> = {};
  const refer = (name: string, property: unknown): unknown => {
    const text = JSON.stringify(property);
    if (text.length < SHARED_LENGTH || (counts.get(text) ?? 0) < 2) return visit(property, refer);
    const known = names.get(text) ?? freeName(name, new Set([...own, ...names.values()]));
    if (!names.has(text)) {
      names.set(text, known);
      shared[known] = visit(property, refer);
    }
    return { $ref: `#/definitions/${known}` };
  };
  const whole = visit(schema, refer) as JsonSchema;
  const definitions = {
    ...(whole['definitions'] as object | undefined),
    ...shared,
  };
  return { ...whole, ...(Object.keys(definitions).length > 0 && { definitions }) };
}

/** The name, with a number if it is taken. */
function freeName(name: string, taken: ReadonlySet<string>): string {
  let free = name;
  for (let n = 2; taken.has(free); n++) free = `${name}_${n}`;
  return free;
}

/** A map with a type: which other keys may stand there hangs on the type. */
function typed(common: Keys, types: readonly TypeName[]): JsonSchema {
  return {
    type: 'object',
    required: ['type'],
    properties: { type: typeSchema(types) },
    allOf: types.map((type) => ({
      if: { properties: { type: { const: type } }, required: ['type'] },
      // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema
      then: optionsOf(type, common),
    })),
  };
}

function typeSchema(types: readonly TypeName[]): JsonSchema {
  const meanings = types.map((type) => `- ${type}: ${TYPES[type].description}`);
  return { enum: types, description: ['What it holds.', ...meanings].join('\n') };
}

function optionsOf(type: TypeName, common: Keys): JsonSchema {
  const { keys, description } = specOf({ type });
  const { properties, ...rest } = objectSchema({
    ...withValues(keysForType(common, type), type),
    ...keys,
  });
  return { properties: { type: { const: type, description }, ...(properties as object) }, ...rest };
}

/** The keys whose value is one of the field, with what the field holds. */
function withValues(common: Keys, type: TypeName): Keys {
  const { jsonSchemaType, hasSequence } = specOf({ type });
  const schema = jsonSchemaType === undefined ? {} : { type: [jsonSchemaType, 'null'] };
  return Object.fromEntries(
    Object.entries(common).map(([name, key]) => {
      const isValue = ['default', 'example', 'backfill'].includes(name);
      const isSequence = name === 'default' && 'set_by' in common && hasSequence === true;
      const value = isSequence ? { anyOf: [schema, { const: 'sequence' }] } : schema;
      return [name, isValue ? { ...key, shape: anything(value) } : key];
    }),
  );
}
