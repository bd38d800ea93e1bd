/** The OpenAPI documents, and whether what the service answers is in them. */
import type { FastifyInstance } from 'fastify';
import { Validator } from 'typebox/schema';

import { DOCUMENTS, documentOf } from '../../src/platform/openapi/documents.ts';
import type { Answer } from './service.ts';

/** An OpenAPI document, as far as tests look at it. */
export interface Document {
  readonly info: { readonly description: string };
  readonly servers: readonly { readonly url: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: Readonly<Record<string, Readonly<Record<string, object>>>>;
}

export interface Operation {
  readonly operationId?: string;
  readonly summary?: string;
  readonly tags?: readonly string[];
  readonly deprecated?: boolean;
  readonly security: readonly object[];
  readonly responses: Readonly<Record<string, Response | Reference>>;
}

interface Reference {
  readonly $ref: string;
}

interface Response {
  readonly headers: object;
  /** By media types. */
  readonly content?: Readonly<Record<string, Content>>;
}

interface Content {
  readonly schema: object;
}

interface Served {
  /** What paths begin with. */
  readonly base: string;
  readonly version: number;
  readonly document: Document;
}

let served: readonly Served[] | undefined;

/** Every document that the service gives: they are built once, for all services under test. */
export const documentsOf = (app: FastifyInstance): readonly Served[] =>
  (served ??= DOCUMENTS.map(({ base, version }) => ({
    base,
    version,
    document: documentOf(app, base, version) as unknown as Document,
  })));

interface DocumentedPath extends Served {
  readonly shape: RegExp;
  readonly operations: Readonly<Record<string, Operation>>;
}

let paths: readonly DocumentedPath[] | undefined;

const pathsOf = (app: FastifyInstance): readonly DocumentedPath[] =>
  (paths ??= documentsOf(app).flatMap((one) =>
    Object.entries(one.document.paths).map(([path, operations]) =>
      Object.assign({ shape: shapeOf(path), operations }, one),
    ),
  ));

/** Paths of this form: a parameter is any segment. */
function shapeOf(path: string): RegExp {
  const literal = path.replaceAll('.', String.raw`\.`);
  return new RegExp(`^${literal.replaceAll(/\{[^{}]+\}/g, '[^/]+')}$`);
}

/**
 * The problem with an answer that the documents do not have, and what to add; undefined for a documented
 * one. HEAD is documented as GET. Errors of methods without a route need no documentation.
 */
export function undocumented(
  app: FastifyInstance,
  method: string,
  path: string,
  answer: Answer,
  accept: string,
): string | undefined {
  if (method === 'OPTIONS') return undefined;
  const [plain = ''] = path.split('?');
  // The version of the answer decides, or else that in `Accept`: versions have different paths.
  const type = answer.headers.get('content-type') ?? '';
  const requested = [type, accept].map((text) => /\.v(\d+)\+json/.exec(text)?.[1]).find(Boolean);
  const problems = pathsOf(app)
    .filter(({ shape }) => shape.test(plain))
    .filter(({ base, version }) => base !== '/api' || Number(requested ?? version) === version)
    .map((found) => missingIn(found, method, plain, answer));
  // Where the version is not in the path, one of several documents has it.
  return problems.includes(undefined) ? undefined : problems[0];
}

/** The problem with an answer that one document does not have. */
function missingIn(
  { operations, document }: DocumentedPath,
  method: string,
  plain: string,
  { status, headers, body }: Answer,
): string | undefined {
  const operation = operations[method === 'HEAD' ? 'get' : method.toLowerCase()];
  if (operation === undefined) {
    return status < 400 ? `no document has ${method} ${plain}: give its route a schema` : undefined;
  }
  const response = operation.responses[status];
  const where = `the route of ${method} ${plain}`;
  if (response === undefined) return `${where} answers ${status}: add it to response in its schema`;
  const type = headers.get('content-type')?.split(';')[0] ?? 'nothing';
  if (method === 'HEAD') return undefined;
  const { content } = resolve(response, document);
  const types = Object.keys(content ?? { nothing: {} });
  if (!types.includes(type)) {
    return `${where} answers ${status} with ${type}: its schema has ${types.join(', ')}`;
  }
  const documented = content?.[type];
  const problem = documented && problemOf(body, documented, document);
  return (
    problem && `${where} answers ${status} with a body that its schema does not have: ${problem}`
  );
}

/** The validators of bodies: each is made once. */
const validators = new WeakMap<Content, Validator<object, unknown>>();

/** The first problem with a body. */
function problemOf(body: unknown, content: Content, { components }: Document): string | undefined {
  // `Compile` would infer the type of the value, which takes TypeScript longer than all else.
  const validator =
    validators.get(content) ??
    new Validator<object, unknown>({}, { ...content.schema, components });
  validators.set(content, validator);
  if (validator.Check(body)) return undefined;
  // 9.99 is no exact multiple of 0.01: numbers are binary.
  const first = validator.Errors(body)[1].find(({ keyword }) => keyword !== 'multipleOf');
  return first && `${first.instancePath} ${first.message}`;
}

/** A response itself, where the operation only refers to it. */
export const resolve = (response: Response | Reference, { components }: Document): Response =>
  '$ref' in response
    ? (components['responses']?.[response.$ref.split('/').at(-1) ?? ''] as Response)
    : response;
