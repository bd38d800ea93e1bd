/** Shapes (`src/platform/http/shapes.ts`) as the JSON Schemas of an OpenAPI document. */
import type { TObject, TSchema } from 'typebox';

import { isSameJson } from '../http/json.ts';
import { DEFAULT, KEYWORDS } from '../http/shapes.ts';
import type { ShapeParts } from '../http/shapes.ts';

export type Schema = Readonly<Record<string, unknown>>;

/** An object of parameters, as Fastify wants it in the schema of a route. */
export interface Parameters {
  readonly type: 'object';
  readonly properties: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
}

/** A response in the schema of a route: a shape, or content by media type. */
export type RouteResponse = ShapeParts & { readonly content?: object };

/** The schema of a route: what `@fastify/swagger` adds to Fastify's own, with shapes. */
export interface RouteSchema {
  readonly hide?: boolean;
  readonly operationId?: string;
  readonly tags?: readonly string[];
  readonly summary?: string;
  readonly description?: string;
  readonly security?: readonly object[];
  readonly params?: Parameters;
  readonly querystring?: Parameters;
  readonly headers?: Parameters;
  readonly body?: ShapeParts;
  readonly response?: Readonly<Record<number, RouteResponse>>;
}

/** What operations of a document refer to. */
type Components = Record<
  'schemas' | 'responses' | 'headers' | 'parameters',
  Record<string, object>
>;

/** What the operations of a document have in common. */
export interface DocumentContext {
  readonly components: Components;
  /** The media types of bodies. */
  readonly mediaTypes: readonly string[];
  /** When the version was deprecated, and when it ends; undefined where it is not deprecated. */
  readonly ends: { readonly sunset?: string } | undefined;
}

/** A reference to a component, which is made at its first use. */
export function refer(
  components: Components,
  kind: keyof Components,
  name: string,
  make: () => object,
): { $ref: string } {
  components[kind][name] ??= make();
  return { $ref: `#/components/${kind}/${name}` };
}

/** What the schemas of a document come from. */
interface Origins {
  /** The operation that is being described, as `POST /api/v1/books`. */
  operation: string;
  readonly schemas: Map<string, { readonly shape: ShapeParts; readonly operation: string }>;
}

const ORIGINS = new WeakMap<Components, Origins>();

function originsOf(components: Components): Origins {
  const origins = ORIGINS.get(components) ?? { operation: 'the service', schemas: new Map() };
  ORIGINS.set(components, origins);
  return origins;
}

/** Says which operation of a document is described next, for error messages. */
export function nameOperation({ components }: DocumentContext, operation: string): void {
  originsOf(components).operation = operation;
}

/**
 * A reference to the schema of a shape, which is made at its first use.
 * @throws if the document has another schema of that name: the first one would describe both.
 */
function referToSchema(
  components: Components,
  name: string,
  shape: ShapeParts,
  make: () => Schema,
): { $ref: string } {
  const { schemas, operation } = originsOf(components);
  const reference = refer(components, 'schemas', name, () => {
    schemas.set(name, { shape, operation });
    return make();
  });
  const first = schemas.get(name);
  // Two shapes can have equal schemas: those of lists are made for each list.
  if (first?.shape !== shape && !isSameJson(components.schemas[name], make())) {
    throw new Error(
      `${first?.operation} and ${operation} have different schemas of the name ${JSON.stringify(name)} in one document. ` +
        'If it is a collection, your own endpoint must use its shape in this version: views.<collection>(version) ' +
        'of src/collections/views.ts. Otherwise, give one of them another $id or operationId.',
    );
  }
  return reference;
}

/** The same schema in each media type. */
export const inEach = (types: readonly string[], schema: object): object =>
  Object.fromEntries(types.map((type) => [type, { schema }]));

/** The request body of an operation. */
export function requestBodyOf(
  method: string,
  { operationId, body = {} }: RouteSchema,
  { components, mediaTypes }: DocumentContext,
): object {
  const types = method === 'PATCH' ? [...mediaTypes, 'application/merge-patch+json'] : mediaTypes;
  // openapi-typescript makes a member with a default required, unless it is in a `requestBody`.
  const schema = referToSchema(components, `${operationId}.requestBody`, body, () =>
    method === 'PATCH' ? patchSchema(body) : bodySchema(body, method),
  );
  return { required: true, content: inEach(types, schema) };
}

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

/** A value in an answer: every member is present, null where it has no value. */
export function answerSchema(shape: ShapeParts, components: Components): Schema {
  const { $id, sparse = false, properties } = shape;
  const schema = (): Schema => {
    const {
      default: _,
      additionalProperties: __,
      $id: ___,
      ...rest
    } = convert(shape, (part) => answerSchema(part, components));
    return properties === undefined
      ? rest
      : { ...rest, required: sparse ? ['id'] : Object.keys(properties) };
  };
  return $id === undefined ? schema() : referToSchema(components, $id, shape, schema);
}

/** The keywords of a shape, including what it checks by functions; `inner` converts its parts. */
export function convert(
  shape: ShapeParts,
  inner: (part: ShapeParts) => Schema = convert,
): Record<string, unknown> {
  const { properties, items, description, immutable, sparse: _, ...plain } = nullableEnum(shape);
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

/** An enum with null as two alternatives: generators of clients take all values of an enum for texts. */
function nullableEnum(shape: ShapeParts): ShapeParts {
  const { type: _, enum: values, ...rest } = shape;
  if (values?.includes(null) !== true) return shape;
  const texts = { type: 'string', enum: values.filter((value) => value !== null) };
  return Object.assign(rest, { anyOf: [texts, { type: 'null' }] });
}

/** Markdown in which HTML is shown as text. */
export const withoutHtml = (text: string): string => text.replaceAll(/<(?=[A-Za-z/!?])/g, '&lt;');

/** A text as HTML that shows it, in an element or in a quoted attribute. */
export const escapeHtml = (text: string): string =>
  text.replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
