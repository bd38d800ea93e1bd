/** Shapes (`src/platform/http/shapes.ts`) as the JSON Schemas of an OpenAPI document. */
import type { TObject, TSchema } from 'typebox';

import { DEFAULT, KEYWORDS } from '../http/shapes.ts';
import type { ShapeParts } from '../http/shapes.ts';

export type Schema = Readonly<Record<string, unknown>>;

/** The body of a POST or PUT. PUT keeps an immutable member that is absent. */
export function bodySchema(shape: ShapeParts, method: string): Schema {
  const { required = [], ...schema } = convert(shape, (part) => bodySchema(part, 'POST'));
  const needed = (required as readonly string[]).filter(
    (name) => method !== 'PUT' || shape.properties?.[name]?.immutable !== true,
  );
  return needed.length === 0 ? schema : { ...schema, required: needed };
}

/** For `body` of a POST below another item: the path sets a member, and the body may repeat it. */
export function bodyBelow(shape: TObject, member: string): ShapeParts {
  const description = 'The id in the path: may be absent, another id is 422.';
  const { properties = {}, required = [], examples }: ShapeParts = shape as TSchema;
  return {
    ...shape,
    properties: { ...properties, [member]: { ...properties[member], description } },
    required: required.filter((name) => name !== member),
    ...(examples !== undefined && {
      examples: examples.map((example) =>
        Object.fromEntries(Object.entries(example).filter(([name]) => name !== member)),
      ),
    }),
  };
}

/** A JSON Merge Patch (RFC 7396): no member is required, at any depth. */
export function patchSchema(shape: ShapeParts): Schema {
  const { required: _, default: __, ...schema } = convert(shape, patchSchema);
  const examples = shape.examples?.map((example) => firstChange(shape, example));
  return {
    ...schema,
    ...(examples !== undefined && { examples }),
    // An array is replaced as a whole.
    ...(shape.items !== undefined && { items: bodySchema(shape.items, 'PATCH') }),
  };
}

/** One member of an example, which a patch may change. */
const firstChange = ({ properties = {} }: ShapeParts, example: object): object =>
  Object.fromEntries(
    Object.entries(example)
      .filter(([name]) => properties[name]?.immutable !== true)
      .slice(0, 1),
  );

/**
 * A value in an answer: every member is present, null where it has no value.
 * @param components receives the shapes that have a name, which are referred to.
 */
export function answerSchema(shape: ShapeParts, components: Record<string, object>): Schema {
  const {
    default: _,
    additionalProperties: __,
    $id,
    ...schema
  } = convert(shape, (part) => answerSchema(part, components));
  const whole =
    shape.properties === undefined
      ? schema
      : { ...schema, required: shape.sparse === true ? ['id'] : Object.keys(shape.properties) };
  if (typeof $id !== 'string') return whole;
  components[$id] ??= whole;
  return { $ref: `#/components/schemas/${$id}` };
}

/** The keywords of a shape, including what it checks by functions; `inner` converts its parts. */
function convert(shape: ShapeParts, inner: (part: ShapeParts) => Schema): Record<string, unknown> {
  const { properties, items, description, immutable, sparse: _, ...plain } = shape;
  const { note, ...keywords } = shape[KEYWORDS] ?? {};
  const schema: Record<string, unknown> = { ...plain, ...keywords };
  const isComputed = shape[DEFAULT] !== undefined && schema['default'] === undefined;
  const text = [
    description,
    note,
    isComputed ? 'Defaults to the current time.' : undefined,
    immutable === true
      ? 'Immutable: a PUT may leave it out, a PUT or PATCH may repeat its value, another value is 422.'
      : undefined,
  ]
    .filter((part) => part !== undefined)
    .join('\n\n');
  return {
    ...schema,
    ...(text !== '' && { description: withoutHtml(text) }),
    ...(items !== undefined && { items: inner(items) }),
    ...(properties !== undefined && {
      properties: Object.fromEntries(
        Object.entries(properties).map(([name, part]) => [name, inner(part)]),
      ),
    }),
  };
}

/** Markdown in which HTML is shown as text. */
export const withoutHtml = (text: string): string => text.replaceAll(/<(?=[A-Za-z/!?])/g, '&lt;');
