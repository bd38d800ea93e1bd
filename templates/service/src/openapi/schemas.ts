/**
 * The shapes of bodies (`src/http/shapes.ts`) as JSON Schemas: what a request may hold, and what an
 * answer does.
 */
import { DEFAULT, KEYWORDS } from '../http/shapes.ts';
import type { ShapeParts } from '../http/shapes.ts';
import type { Schema } from './types.ts';
import { withoutHtml } from './words.ts';

/** The body of a POST or PUT. `optional` are members that may be left out all the same. */
export function bodySchema(shape: ShapeParts, optional: readonly string[] = []): Schema {
  const { required = [], ...schema } = schemaOf(shape, bodySchema);
  const needed = (required as readonly string[]).filter((name) => !optional.includes(name));
  return needed.length === 0 ? schema : { ...schema, required: needed };
}

/** A JSON Merge Patch (RFC 7396): any member may be left out, and those of objects in it too. */
export function patchSchema(shape: ShapeParts): Schema {
  const { required: _, default: __, ...schema } = schemaOf(shape, patchSchema);
  // An array is replaced as a whole.
  return shape.items === undefined ? schema : { ...schema, items: bodySchema(shape.items) };
}

/** A value in an answer: every member is there, null where it has no value. */
export function answerSchema(shape: ShapeParts): Schema {
  const { default: _, additionalProperties: __, ...schema } = schemaOf(shape, answerSchema);
  if (shape.properties === undefined) return schema;
  return { ...schema, required: Object.keys(shape.properties) };
}

/** The keywords of a shape, those that TypeBox does not see among them; `inner` does its parts. */
function schemaOf(shape: ShapeParts, inner: (part: ShapeParts) => Schema): Record<string, unknown> {
  const { properties, items, description: words, ...plain } = shape;
  const { note, ...keywords } = shape[KEYWORDS] ?? {};
  const schema: Record<string, unknown> = { ...plain, ...keywords };
  const isMoving = shape[DEFAULT] !== undefined && schema['default'] === undefined;
  const description = [words, note, isMoving ? 'Left out, it is the present.' : undefined]
    .filter((text) => text !== undefined)
    .join('\n\n');
  return {
    ...schema,
    ...(description !== '' && { description: withoutHtml(description) }),
    ...(items !== undefined && { items: inner(items) }),
    ...(properties !== undefined && {
      properties: Object.fromEntries(
        Object.entries(properties).map(([name, part]) => [name, inner(part)]),
      ),
    }),
  };
}
