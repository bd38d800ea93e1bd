/** Request bodies: checks their media type, and parses and validates them against a TypeBox schema. */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { TObject } from 'typebox';

import { parseMediaType } from './accept.ts';
import { HttpError } from './errors.ts';
import { hasBody, isSingleHeader } from './request.ts';
import { applyPatch, hasTooManyNames, isSameJson, MAX_NAMES, parseJsonObject } from './json.ts';
import type { JsonObject } from './json.ts';
import { complete, completeMembers } from './shapes.ts';
import type { ShapeParts, ValuesOf } from './shapes.ts';
import { validator } from './validation.ts';
import type { Problem } from './validation.ts';
import { vendorType } from './versions.ts';

/** Reads and validates the bodies of one resource. */
export interface BodyReader<Values> {
  /**
   * The values of a POST, with defaults filled in.
   * @param given members that the path sets: a body may only repeat their values.
   */
  create<Given extends keyof Values>(
    request: Pick<FastifyRequest, 'body'>,
    given?: Pick<Values, Given>,
  ): Values;
  /** The values of a PUT: absent members get their default, or null, unless the database sets them. */
  replace(request: FastifyRequest, stored: object): Values;
  /** The values of a PATCH: absent members keep their stored values. */
  patch(request: FastifyRequest, stored: object): Values;
}

/** A rule over members of a body, beside its schema. It leaves out members that `found` names already. */
export interface BodyRule<Values> {
  /** The problems of the body of a POST, in which members may be absent. */
  readonly checkNew?: (body: JsonObject, found: readonly Problem[]) => Problem[];
  /** The problems of the complete values; those of invalid members are not the values of the body. */
  readonly check?: (values: Values, found: readonly Problem[]) => Problem[];
}

/** How absent members are filled in: by their default or null, unless a collection does it otherwise. */
export interface Completion {
  /** Fills in the members of a valid body. */
  readonly complete: (shape: TObject, members: object) => object;
  /** The members that a PUT without them keeps. */
  readonly keptNames: (shape: TObject) => readonly string[];
}

const WITH_DEFAULTS: Completion = { complete: completeMembers, keptNames: () => [] };

/** What bodies of some resources have beside their schema. */
export interface BodyOptions<Values, ReadOnly extends TObject = TObject> {
  /** The schema of the stored members that only the service writes. */
  readonly readOnly?: ReadOnly | undefined;
  readonly rules?: readonly BodyRule<Values>[];
  readonly completion?: Completion;
}

/** 422 for an invalid body. The error has its problems one by one, because seeds say where each stands. */
export class InvalidBody extends HttpError {
  readonly problems: readonly Problem[];

  constructor(problems: readonly Problem[]) {
    super(422, `${problems.map(({ member, text }) => `${member} ${text}`).join('; ')}.`);
    this.problems = problems;
  }
}

/** @throws `InvalidBody` if there are problems. */
function refuseBody(problems: readonly Problem[]): void {
  if (problems.length > 0) throw new InvalidBody(problems);
}

const MERGE_PATCH = 'application/merge-patch+json';

/**
 * Replaces Fastify's body parsers. Bodies of other media types are refused before they are read
 * (415). JSON stays a buffer that the handler parses, so that errors of the query are found first.
 */
export function acceptJsonBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
  app.addHook('preParsing', (request, _reply, _payload, done) => {
    refuseOtherTypes(request);
    done();
  });
}

/** @throws 415 for a body that is not unencoded JSON in UTF-8. */
function refuseOtherTypes(request: FastifyRequest): void {
  const { headers } = request.raw;
  const coding = headers['transfer-encoding'];
  if (!hasBody(request.raw)) return;
  if (headers['content-encoding'] !== undefined || (coding ?? 'chunked') !== 'chunked') {
    throw unsupported(request, 'A body must not have a Content-Encoding: send it unencoded.');
  }
  const type = headers['content-type'];
  if (
    type === undefined ||
    !isSingleHeader(request.raw, 'content-type') ||
    !isJson(request, type)
  ) {
    const types = mediaTypes(request).join(' or ');
    throw unsupported(request, `A body must be JSON in UTF-8: name it ${types} in Content-Type.`);
  }
}

/**
 * Compiles the schema of the bodies of one resource.
 * @param item the schema of the items: a body must not have the members that only items have.
 */
export function bodyReader<Shape extends TObject, ReadOnly extends TObject = TObject<{}>>(
  shape: Shape,
  item: TObject,
  options?: BodyOptions<ValuesOf<Shape> & ValuesOf<ReadOnly>, ReadOnly>,
): BodyReader<ValuesOf<Shape> & ValuesOf<ReadOnly>>;
export function bodyReader(
  shape: TObject,
  item: TObject,
  { readOnly, rules = [], completion = WITH_DEFAULTS }: BodyOptions<object> = {},
): BodyReader<object> {
  const writable = Object.keys(shape.properties);
  const immutable = writable.filter(
    (name) => (shape.properties[name] as ShapeParts).immutable === true,
  );
  const readOnlyNames = Object.keys(readOnly?.properties ?? {});
  const keptNames = [...readOnlyNames, ...completion.keptNames(shape)];
  const validate = validator(shape, Object.keys(item.properties));
  const completed = (readOnlyValues: object, body: JsonObject): object => ({
    ...readOnlyValues,
    ...completion.complete(shape, body),
  });

  /** The problems that the rules find. @param found the problems of single members. */
  const ruleProblems = (
    body: JsonObject,
    readOnlyValues: object,
    found: readonly Problem[],
  ): Problem[] => {
    // With too many problems, not each invalid member is named.
    if (rules.length === 0 || found.some(({ name }) => name === '')) return [];
    const valid = { ...body };
    for (const { name } of found) delete valid[name];
    const values = completed(readOnlyValues, valid);
    return rules.flatMap(({ check }) => check?.(values, found) ?? []);
  };

  /**
   * The complete values of a valid body.
   * @param invalid the members that the rules leave to the database.
   * @throws 422 if there are problems.
   */
  const valuesOf = (
    body: JsonObject,
    readOnlyValues: object,
    problems: readonly Problem[],
    invalid = problems,
  ): object => {
    refuseBody([...problems, ...ruleProblems(body, readOnlyValues, invalid)]);
    return completed(readOnlyValues, body);
  };

  /** A problem for each immutable member that changes, except for members that `found` names already. */
  const immutableChanges = (
    before: JsonObject,
    body: JsonObject,
    found: readonly Problem[],
  ): Problem[] =>
    immutable
      .filter((name) => !found.some((problem) => problem.name === name))
      .filter((name) => {
        const member = shape.properties[name];
        if (member === undefined || !Object.hasOwn(body, name)) return false;
        return !isSameJson(complete(member, body[name]), complete(member, before[name]));
      })
      .map((name) => ({ name, member: name, text: 'may not change once it is set' }));

  return {
    create(request, given) {
      const body = readObject(request);
      const problems: Problem[] = [];
      for (const [name, value] of Object.entries<unknown>(given ?? {})) {
        if (Object.hasOwn(body, name) && !isSameId(shape.properties[name], body[name], value)) {
          problems.push({
            name,
            member: name,
            text: 'must equal the id in the path, or be left out',
          });
        }
        body[name] = value;
      }
      const defaults = readOnly === undefined ? {} : completion.complete(readOnly, {});
      problems.push(...validate(body));
      const found = rules.flatMap(({ checkNew }) => checkNew?.(body, problems) ?? []);
      return valuesOf(body, defaults, [...problems, ...found]);
    },
    replace(request, stored) {
      const body = readObject(request);
      const before = pick(stored, writable);
      for (const name of immutable) if (!Object.hasOwn(body, name)) body[name] = before[name];
      const problems = validate(body);
      return valuesOf(body, pick(stored, keptNames), [
        ...problems,
        ...immutableChanges(before, body, problems),
      ]);
    },
    patch(request, stored) {
      const patch = readObject(request);
      const before = pick(stored, writable);
      const body = applyPatch(shape, before, patch);
      // Stored values that the patch leaves alone may predate a stricter schema: they are not refused.
      const invalid = validate(body);
      const problems = invalid.filter(({ name }) => name === '' || Object.hasOwn(patch, name));
      const found = [
        ...problems,
        ...immutableChanges(before, body, problems),
        ...largeMembers(body, patch, request.routeOptions.bodyLimit),
      ];
      return valuesOf(body, pick(stored, readOnlyNames), found, [...invalid, ...found]);
    },
  };
}

/**
 * Problems with members that a merge patch made larger than a body may be. A JSON value could grow with
 * each patch otherwise, and it is read and written as a whole.
 * @param limit in bytes.
 */
function largeMembers(body: JsonObject, patch: JsonObject, limit: number): Problem[] {
  return Object.keys(patch)
    .filter((name) => typeof patch[name] === 'object' && patch[name] !== null)
    .flatMap((name) => {
      const problem = (text: string): Problem => ({ name, member: name, text });
      if (Buffer.byteLength(JSON.stringify(body[name])) > limit) {
        return [problem(`must have at most ${limit} bytes as JSON`)];
      }
      return hasTooManyNames(body[name])
        ? [problem(`must have members with at most ${MAX_NAMES} different names`)]
        : [];
    });
}

/** The stored values of the named members. */
const pick = (stored: object, names: readonly string[]): JsonObject =>
  Object.fromEntries(Object.entries(stored).filter(([name]) => names.includes(name)));

/** The JSON object in the body of a request. @throws 400 for an absent or malformed one. */
export function readObject(request: Pick<FastifyRequest, 'body'>): JsonObject {
  const { body } = request;
  return parseJsonObject(Buffer.isBuffer(body) ? body : Buffer.alloc(0));
}

const isSameId = (shape: ShapeParts | undefined, sent: unknown, id: unknown): boolean =>
  typeof sent === 'string' && shape !== undefined && complete(shape, sent) === id;

function isJson(request: FastifyRequest, contentType: string): boolean {
  const type = parseMediaType(contentType);
  if (type === undefined || !mediaTypes(request).includes(type.type)) return false;
  return (type.parameters.get('charset') ?? 'utf-8').toLowerCase() === 'utf-8';
}

/** The media types that this request may have. */
function mediaTypes(request: FastifyRequest): string[] {
  const types = ['application/json', vendorType(request.api.version)];
  return request.method === 'PATCH' ? [...types, MERGE_PATCH] : types;
}

/** 415 with `Accept` or `Accept-Patch` (RFC 9110, section 15.5.16; RFC 5789, section 2.2). */
function unsupported(request: FastifyRequest, message: string): HttpError {
  const header = request.method === 'PATCH' ? 'accept-patch' : 'accept';
  return new HttpError(415, message, { [header]: mediaTypes(request).join(', ') });
}
