/** The bodies of requests: which media types are taken, and what a body means for an item. */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Static, TObject } from 'typebox';

import { parseMediaType } from './accept.ts';
import { HttpError } from './errors.ts';
import { isSingle } from './headers.ts';
import { isSameJson, parseJsonObject } from './json.ts';
import type { JsonObject } from './json.ts';
import { applyPatch } from './merge-patch.ts';
import { complete } from './shapes.ts';
import type { Complete } from './shapes.ts';
import { refuse, validator } from './validation.ts';
import type { Problem } from './validation.ts';
import { vendorType } from './versions.ts';

/** How to read the bodies of one kind of item. */
export interface BodyReader<Values> {
  /**
   * The body of a POST, with its defaults.
   * @param given members that the path has named already: a body may only repeat them.
   */
  create(request: FastifyRequest, given?: Partial<Values>): Values;
  /** What an item becomes by PUT: members that are absent go back to default or null. */
  replace(request: FastifyRequest, stored: object): Values;
  /** What an item becomes by PATCH: members that are absent stay. */
  patch(request: FastifyRequest, stored: object): Values;
}

interface BodyRules<ReadOnly extends TObject> {
  /** The shape of the members that only this service writes. */
  readonly readOnly?: ReadOnly;
  /** Members that keep the value they were created with. */
  readonly immutable?: readonly string[];
}

const MERGE_PATCH = 'application/merge-patch+json';

/**
 * Reads bodies as they come, and refuses all but JSON before a byte of it is read; what the bytes
 * say is looked at by the handler, after the query.
 */
export function acceptJsonBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
  app.addHook('preParsing', (request, _reply, _payload, done) => {
    refuseOtherTypes(request);
    done();
  });
}

/** @throws 415 for a body that is not JSON in UTF-8, as it is. */
function refuseOtherTypes(request: FastifyRequest): void {
  const { headers } = request.raw;
  const coding = headers['transfer-encoding'];
  if (coding === undefined && Number(headers['content-length'] ?? 0) === 0) return;
  if (headers['content-encoding'] !== undefined || (coding ?? 'chunked') !== 'chunked') {
    throw unsupported(request, 'A body must not be encoded: send it as it is.');
  }
  const type = headers['content-type'];
  if (type === undefined || !isSingle(request.raw, 'content-type') || !isJson(request, type)) {
    const types = mediaTypes(request).join(' or ');
    throw unsupported(request, `A body must be JSON in UTF-8: name it ${types} in Content-Type.`);
  }
}

/** Compiles the shape of the bodies of one kind of item. */
export function bodyReader<Shape extends TObject, ReadOnly extends TObject = TObject<{}>>(
  shape: Shape,
  { readOnly, immutable = [] }: BodyRules<ReadOnly> = {},
): BodyReader<Complete<Static<Shape>> & Complete<Static<ReadOnly>>> {
  type Values = Complete<Static<Shape>> & Complete<Static<ReadOnly>>;
  const written = Object.keys(shape.properties);
  const kept = Object.keys(readOnly?.properties ?? {});
  const validate = validator(shape, kept);

  /** Refuses a body that has problems, and gives the others their whole meaning. */
  const meaning = (body: JsonObject, unwritten: object, problems: readonly Problem[]): Values => {
    refuse(problems);
    return { ...unwritten, ...complete(shape, body as Static<Shape>) } as Values;
  };

  /** The members that may not change and do; those with a problem of their own are passed over. */
  const changes = (before: JsonObject, body: JsonObject, found: readonly Problem[]): Problem[] =>
    immutable
      .filter((name) => !found.some((problem) => problem.name === name))
      .filter((name) => {
        const member = shape.properties[name];
        if (member === undefined || !Object.hasOwn(body, name)) return false;
        return !isSameJson(complete(member, body[name]), complete(member, before[name]));
      })
      .map((name) => ({ name, member: name, text: 'may not change once it is set' }));

  return {
    create(request, given = {}) {
      const body = readObject(request);
      const problems: Problem[] = [];
      for (const [name, value] of Object.entries<unknown>(given)) {
        if (Object.hasOwn(body, name) && !isSameId(body[name], value)) {
          problems.push({ name, member: name, text: 'must be that of the path, or be left out' });
        }
        body[name] = value;
      }
      const unwritten = readOnly === undefined ? {} : complete(readOnly, {} as Static<ReadOnly>);
      return meaning(body, unwritten, [...problems, ...validate(body)]);
    },
    replace(request, stored) {
      const body = readObject(request);
      const before = pick(stored, written);
      for (const name of immutable) if (!Object.hasOwn(body, name)) body[name] = before[name];
      const problems = validate(body);
      return meaning(body, pick(stored, kept), [...problems, ...changes(before, body, problems)]);
    },
    patch(request, stored) {
      const patch = readObject(request);
      const before = pick(stored, written);
      const body = applyPatch(shape, before, patch);
      // What the patch does not touch is as it was stored, and no fault of this client.
      const problems = validate(body).filter(
        ({ name }) => name === '' || Object.hasOwn(patch, name),
      );
      return meaning(body, pick(stored, kept), [...problems, ...changes(before, body, problems)]);
    },
  };
}

/** What is stored of some members. */
const pick = (stored: object, names: readonly string[]): JsonObject =>
  Object.fromEntries(Object.entries(stored).filter(([name]) => names.includes(name)));

/** The JSON object that a request carries. A body that is missing is an empty one. */
export function readObject(request: FastifyRequest): JsonObject {
  const { body } = request;
  return parseJsonObject(Buffer.isBuffer(body) ? body : Buffer.alloc(0));
}

const isSameId = (left: unknown, right: unknown): boolean =>
  typeof left === 'string' && left.toLowerCase() === right;

function isJson(request: FastifyRequest, contentType: string): boolean {
  const given = parseMediaType(contentType);
  if (given === undefined || !mediaTypes(request).includes(given.type)) return false;
  return (given.parameters.get('charset') ?? 'utf-8').toLowerCase() === 'utf-8';
}

/** The media types that a body of this request may have. */
function mediaTypes(request: FastifyRequest): string[] {
  const types = ['application/json', vendorType(request.api.version)];
  return request.method === 'PATCH' ? [...types, MERGE_PATCH] : types;
}

/** 415, with the header that says what is taken (RFC 9110, 15.5.16; RFC 5789, 2.2). */
function unsupported(request: FastifyRequest, message: string): HttpError {
  const header = request.method === 'PATCH' ? 'accept-patch' : 'accept';
  return new HttpError(415, message, { [header]: mediaTypes(request).join(', ') });
}
