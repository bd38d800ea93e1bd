/** JSON Merge Patch (RFC 7396) for items. */
import type { TSchema } from 'typebox';

import type { JsonObject } from './json.ts';
import type { ShapeParts } from './shapes.ts';

/**
 * Applies a patch to the stored values. A declared member that is patched to null becomes null, and
 * not absent, because validation would fill an absent one with its default. Inside `json` members,
 * null removes the member, as in the RFC.
 */
export function applyPatch(shape: TSchema, current: JsonObject, patch: JsonObject): JsonObject {
  const { properties = {} }: ShapeParts = shape;
  const merged: JsonObject = Object.assign(Object.create(null), current);
  for (const name of Object.keys(patch)) {
    const value = patch[name];
    const member = properties[name];
    if (isObject(value) && member?.properties !== undefined) {
      const before = merged[name];
      merged[name] = applyPatch(member, isObject(before) ? before : {}, value);
    } else {
      merged[name] = isObject(value) ? mergeJson(merged[name], value) : value;
    }
  }
  return merged;
}

function mergeJson(current: unknown, patch: JsonObject): JsonObject {
  const merged: JsonObject = Object.assign(Object.create(null), isObject(current) ? current : {});
  for (const name of Object.keys(patch)) {
    const value = patch[name];
    if (value === null) delete merged[name];
    else merged[name] = isObject(value) ? mergeJson(merged[name], value) : value;
  }
  return merged;
}

const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
