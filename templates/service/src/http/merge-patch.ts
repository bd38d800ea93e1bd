/** JSON Merge Patch (RFC 7396), applied to an item by the shape of its body. */
import type { TSchema } from 'typebox';

import type { JsonObject } from './json.ts';
import type { ShapeParts } from './shapes.ts';

/**
 * What a body would be after the patch. A member that the patch sets to null becomes null, not
 * absent: cleared is not the same as back to its default. Inside a free JSON value, where
 * members have no shape, null takes the member away, as the RFC says.
 */
export function applyPatch(shape: TSchema, current: JsonObject, patch: JsonObject): JsonObject {
  const { properties = {} }: ShapeParts = shape;
  const merged: JsonObject = Object.assign(Object.create(null), current);
  for (const [name, given] of Object.entries(patch)) {
    const member = properties[name];
    if (isObject(given) && member?.properties !== undefined) {
      const before = merged[name];
      merged[name] = applyPatch(member, isObject(before) ? before : {}, given);
    } else {
      merged[name] = isObject(given) ? mergeJson(merged[name], given) : given;
    }
  }
  return merged;
}

function mergeJson(current: unknown, patch: JsonObject): JsonObject {
  const merged: JsonObject = Object.assign(Object.create(null), isObject(current) ? current : {});
  for (const [name, given] of Object.entries(patch)) {
    if (given === null) delete merged[name];
    else merged[name] = isObject(given) ? mergeJson(merged[name], given) : given;
  }
  return merged;
}

const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
