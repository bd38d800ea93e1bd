/** The operations of a collection, as its routes keep them. */
import type { TObject } from 'typebox';

import type { Permission, Permissions } from '../auth/permissions.ts';
import type { ListOptions } from '../http/list.ts';
import { access, credentialErrors, security } from './access.ts';
import { inEveryType, refer } from './draft.ts';
import type { Draft } from './draft.ts';
import { exampleOf, itemSchema, pageContent } from './items.ts';
import { idempotencyKey, ifMatch, ifNoneMatch, listParameters } from './parameters.ts';
import { conflict, errors, headers } from './responses.ts';
import type { ErrorName } from './responses.ts';
import { bodySchema, patchSchema } from './schemas.ts';
import type { Content, Operation, RequestBody, Responses, Schema } from './types.ts';
import { withoutHtml } from './words.ts';

/** What is known of a collection. */
export interface Resource {
  readonly tag: string;
  readonly description: string;
  /** What items are called in sentences. */
  readonly words: {
    /** `book` */
    readonly one: string;
    /** `a book` */
    readonly a: string;
    /** `books` */
    readonly many: string;
    /** The owner of one, where they are called otherwise. */
    readonly owner?: string;
  };
  /** `Book` and `Books`, for the names of schemas and operations. */
  readonly types: { readonly one: string; readonly many: string };
  readonly body: TObject;
  /** Members that the service alone writes. */
  readonly readOnly?: TObject;
  /** Members that no client reads. */
  readonly writeOnly?: readonly string[];
  /** Members that keep the value they were created with. */
  readonly immutable?: readonly string[];
  readonly lists: ListOptions;
  readonly permissions: Permissions;
  /** A body, for examples; absent where none is known. */
  readonly example?: object;
  /** Members whose values no two items share. */
  readonly unique?: readonly string[];
  /** Whether a change needs `If-Match`. */
  readonly demandsIfMatch?: boolean;
}

/** A collection that another one is nested in. */
export interface Parent {
  /** What the operation is called in clients. */
  readonly operationId: string;
  /** `an author`, for sentences. */
  readonly words: string;
  /** Who may read the parent. */
  readonly read: Permission;
}

/** The operations, one for each route. */
export interface ResourceOperations {
  /** @param permission who may, where that is not whoever reads items. */
  list(permission?: Permission): Operation;
  create(): Operation;
  read(): Operation;
  replace(): Operation;
  patch(): Operation;
  /** @param conflicts why a removal may be refused; absent where it is not. */
  remove(conflicts?: string): Operation;
  listIn(parent: Parent): Operation;
  /** @param member the member that the path sets. */
  createIn(parent: Parent, member: string): Operation;
}

/** What every answer of the API may be. */
const ALWAYS: readonly ErrorName[] = [
  'badRequest',
  'notAcceptable',
  'tooMany',
  'unforeseen',
  'unavailable',
];
const ITEM: readonly ErrorName[] = ['notFound', 'gone'];
const BODY: readonly ErrorName[] = ['tooLarge', 'unsupported', 'unprocessable'];
const PATCH: readonly ErrorName[] = ['tooLarge', 'unsupportedPatch', 'unprocessable'];

/** Describes a collection. */
export function resource(draft: Draft, about: Resource): ResourceOperations {
  const { words, types, permissions, immutable = [], unique = [] } = about;
  const { demandsIfMatch = false } = about;
  const taken =
    unique.length === 0
      ? undefined
      : `A value that no two ${words.many} share is taken: ${unique.join(', ')}.`;
  const underWay = 'The same `Idempotency-Key` is still under way.';
  const state: readonly ErrorName[] = [
    'preconditionFailed',
    ...(demandsIfMatch ? (['preconditionRequired'] as const) : []),
  ];
  draft.tags.push({ name: about.tag, description: withoutHtml(about.description) });

  const operation = (
    operationId: string,
    summary: string,
    permission: Permission,
    more: Pick<Operation, 'responses'> & Partial<Operation>,
  ): Operation => ({
    operationId,
    tags: [about.tag],
    summary,
    description: `${access(permission, words.owner)}${more.description === undefined ? '' : `\n\n${more.description}`}`,
    security: security(permission),
    ...(more.parameters !== undefined && { parameters: more.parameters }),
    ...(more.requestBody !== undefined && { requestBody: more.requestBody }),
    responses: { ...more.responses, ...credentialErrors(draft, permission) },
  });

  const item = itemSchema(draft, about);
  const one = (): Content => inEveryType(draft, { schema: item, ...exampleOf(about) });
  const changed = (...names: readonly ErrorName[]): Responses => ({
    200: {
      description: `The ${words.one} as it is now.`,
      headers: headers(draft, 'ETag'),
      content: one(),
    },
    ...errors(draft, ...ALWAYS, ...ITEM, ...state, ...names),
    ...(taken !== undefined && conflict(draft, taken)),
  });
  const listed = (...names: readonly ErrorName[]): Pick<Operation, 'parameters' | 'responses'> => ({
    parameters: listParameters(draft, types.many, about.lists),
    responses: {
      200: {
        description: `A page of ${words.many}.`,
        headers: headers(draft, 'Link', 'Total-Count'),
        content: pageContent(draft, about),
      },
      ...errors(draft, ...ALWAYS, ...names),
    },
  });
  const made = (...names: readonly ErrorName[]): Responses => ({
    201: {
      description: `The new ${words.one}.`,
      headers: headers(draft, 'Location', 'ETag', 'Idempotency-Replayed'),
      content: one(),
      links: {
        [`get${types.one}`]: {
          operationId: `get${types.one}`,
          parameters: { id: '$response.body#/id' },
        },
      },
    },
    ...errors(draft, ...ALWAYS, ...BODY, ...names),
    ...conflict(draft, taken === undefined ? underWay : `${taken} Or: ${underWay}`),
  });
  const body = (operationId: string, schema: () => Schema, example = about.example): RequestBody =>
    requestBody(draft, operationId, schema, example, draft.mediaTypes);

  /** A change answers the item: it is for those who may read it, too. */
  const change = (inner: Operation): Operation =>
    isWider(permissions.read, permissions.update)
      ? inner
      : within(draft, { read: permissions.read, words: words.a }, inner);

  return {
    list: (permission = permissions.read) =>
      operation(`list${types.many}`, `Lists ${words.many}`, permission, listed()),

    create: () =>
      operation(`create${types.one}`, `Adds ${words.a}`, permissions.create, {
        parameters: [idempotencyKey(draft)],
        requestBody: body(`create${types.one}`, () => hide(about, bodySchema(about.body))),
        responses: made(),
      }),

    read: () =>
      operation(`get${types.one}`, `Reads ${words.a}`, permissions.read, {
        parameters: [ifNoneMatch(draft), ifMatch(draft, false)],
        responses: {
          200: {
            description: `The ${words.one}.`,
            headers: headers(draft, 'ETag'),
            content: one(),
          },
          304: { description: 'The client has it as it is.', headers: headers(draft, 'ETag') },
          ...errors(draft, ...ALWAYS, ...ITEM, 'preconditionFailed'),
        },
      }),

    replace: () =>
      change(
        operation(`replace${types.one}`, `Replaces ${words.a}`, permissions.update, {
          description: 'Members that are left out go back to their default or null.',
          parameters: [ifMatch(draft, demandsIfMatch)],
          requestBody: body(`replace${types.one}`, () =>
            hide(about, bodySchema(about.body, immutable)),
          ),
          responses: changed(...BODY),
        }),
      ),

    patch: () =>
      change(
        operation(`update${types.one}`, `Changes ${words.a}`, permissions.update, {
          description:
            'A JSON Merge Patch (RFC 7396): members that are left out stay as they are, and null clears.',
          parameters: [ifMatch(draft, demandsIfMatch)],
          requestBody: requestBody(
            draft,
            `update${types.one}`,
            () => hide(about, patchSchema(about.body)),
            somethingOf(about.example, immutable),
            [...draft.mediaTypes, 'application/merge-patch+json'],
          ),
          responses: changed(...PATCH),
        }),
      ),

    remove: (conflicts) =>
      operation(`delete${types.one}`, `Removes ${words.a}`, permissions.delete, {
        description: 'For good: its path answers 410 from then on.',
        parameters: [ifMatch(draft, demandsIfMatch)],
        responses: {
          204: { description: `The ${words.one} is removed.`, headers: headers(draft) },
          // A body has no meaning here, and is refused where it is none that the service reads.
          ...errors(draft, ...ALWAYS, ...ITEM, ...state, 'tooLarge', 'unsupported'),
          ...(conflicts !== undefined && conflict(draft, conflicts)),
        },
      }),

    listIn: (parent) =>
      within(
        draft,
        parent,
        operation(
          parent.operationId,
          `Lists the ${words.many} of ${parent.words}`,
          permissions.read,
          {
            ...listed(...ITEM),
          },
        ),
      ),

    createIn: (parent, member) =>
      within(
        draft,
        parent,
        operation(parent.operationId, `Adds ${words.a} to ${parent.words}`, permissions.create, {
          description: `The path sets \`${member}\`: the body may leave it out, or repeat it.`,
          parameters: [idempotencyKey(draft)],
          requestBody: body(
            parent.operationId,
            () => hide(about, bodySchema(about.body, [member])),
            without(about.example, member),
          ),
          responses: made(...ITEM),
        }),
      ),
  };
}

/** Whether who may do the one thing may do the other anyway. */
const isWider = (read: Permission, update: Permission): boolean =>
  read === 'public' ||
  (read === 'authenticated' && update !== 'public') ||
  JSON.stringify(read) === JSON.stringify(update);

/** An operation for those who may read something: who may not is refused. */
function within(
  draft: Draft,
  { read, words }: Pick<Parent, 'read' | 'words'>,
  inner: Operation,
): Operation {
  if (read === 'public') return inner;
  return {
    ...inner,
    description: `${inner.description ?? ''}\n\nAnd it takes reading ${words}. ${access(read)}`,
    security: security('authenticated'),
    responses: {
      ...inner.responses,
      ...credentialErrors(draft, read),
    },
  };
}

/** A body, in each media type that is taken. */
function requestBody(
  draft: Draft,
  operationId: string,
  schema: () => Schema,
  example: object | undefined,
  mediaTypes: readonly string[],
): RequestBody {
  // Generated clients take a member with a default for one that is always there, but not in what is
  // called a requestBody.
  const media = {
    schema: refer(draft, 'schemas', `${operationId}.requestBody`, schema),
    ...(example !== undefined && { example }),
  };
  return {
    required: true,
    content: Object.fromEntries(mediaTypes.map((type) => [type, media])),
  };
}

/** A body in which the members that no client reads are marked. */
const hide = ({ writeOnly = [] }: Resource, schema: Schema): Schema => ({
  ...schema,
  properties: Object.fromEntries(
    Object.entries(schema['properties'] as Record<string, Schema>).map(([name, member]) => [
      name,
      writeOnly.includes(name) ? { ...member, writeOnly: true } : member,
    ]),
  ),
});

/** One member of an example, fit for a patch. */
function somethingOf(
  example: object | undefined,
  immutable: readonly string[],
): object | undefined {
  const found = Object.entries(example ?? {}).find(([name]) => !immutable.includes(name));
  return example && (found === undefined ? {} : Object.fromEntries([found]));
}

const without = (example: object | undefined, member: string): object | undefined =>
  example && Object.fromEntries(Object.entries(example).filter(([name]) => name !== member));
