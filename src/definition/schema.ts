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
  UNNAMED_COLLECTION_KEYS,
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
  const collection = { type: 'object', ...objectSchema(UNNAMED_COLLECTION_KEYS) };
  return new Map([
    ['service.schema.json', top('The service', SERVICE_KEYS, undefined)],
    ['collection.schema.json', top('A collection', COLLECTION_KEYS, parts)],
    ['single.schema.json', top('A service in one file', SINGLE_KEYS, { ...parts, collection })],
  ]);
}

function top(title: string, keys: Keys, definitions: JsonSchema | undefined): JsonSchema {
  return {
    $schema: DRAFT,
    title,
    type: 'object',
    ...objectSchema(keys),
    ...(definitions && { definitions }),
  };
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
