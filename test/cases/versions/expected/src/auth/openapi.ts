/** What the OpenAPI document says of users and tokens. */
import { refer } from '../openapi/draft.ts';
import type { Draft } from '../openapi/draft.ts';
import { idParameter } from '../openapi/parameters.ts';
import { resource } from '../openapi/resource.ts';
import { headers } from '../openapi/responses.ts';
import type { Operation, Paths, Response } from '../openapi/types.ts';
import { TokenBody, TOKEN_LISTS } from './tokens.ts';
import { UserBody, USER_LISTS } from './users.ts';

/** The paths of users. */
export function usersPaths(draft: Draft): Paths {
  const users = resource(draft, {
    tag: 'Users',
    description: 'Who may show a password, and which roles that gives them.',
    words: { one: 'user', a: 'a user', many: 'users', owner: 'the user themselves' },
    types: { one: 'User', many: 'Users' },
    body: UserBody,
    writeOnly: ['password'],
    lists: USER_LISTS,
    permissions: { read: ['owner'], create: ['admin'], update: ['owner'], delete: ['admin'] },
    example: { username: 'ada', password: 'a-long-one-of-your-own', roles: [] },
    unique: ['username'],
  });
  return {
    '/users': { get: users.list(['admin']), post: users.create() },
    '/users/{id}': {
      parameters: [idParameter(draft)],
      get: users.read(),
      put: users.replace(),
      patch: users.patch(),
      delete: users.remove(),
    },
  };
}

/** The paths of tokens. */
export function tokensPaths(draft: Draft): Paths {
  const tokens = resource(draft, {
    tag: 'Tokens',
    description: 'What a caller shows in place of a password. The secret of one is shown once.',
    words: { one: 'token', a: 'a token', many: 'tokens', owner: 'the user whose it is' },
    types: { one: 'Token', many: 'Tokens' },
    body: TokenBody,
    lists: TOKEN_LISTS,
    permissions: { read: ['owner'], create: 'authenticated', update: [], delete: ['owner'] },
    example: { name: 'My laptop', expires_at: null },
  });
  return {
    '/tokens': {
      get: tokens.list('authenticated'),
      post: withSecret(draft, tokens.create()),
    },
    '/tokens/{id}': {
      parameters: [idParameter(draft)],
      get: tokens.read(),
      delete: tokens.remove(),
    },
  };
}

/** The answer that makes a token has its secret, that one time: no key makes it come again. */
function withSecret(draft: Draft, create: Operation): Operation {
  const created = create.responses[201] as Response;
  const token = draft.components.schemas?.['Token'] as {
    readonly properties: object;
    readonly required: readonly string[];
  };
  const schema = refer(draft, 'schemas', 'Token.created', () => ({
    type: 'object',
    properties: {
      ...token.properties,
      token: { type: 'string', description: 'The secret, for `Authorization: Bearer`. Keep it.' },
    },
    required: [...token.required, 'token'],
  }));
  const { parameters: _, ...unrepeatable } = create;
  const { 409: __, ...responses } = create.responses;
  return {
    ...unrepeatable,
    responses: {
      ...responses,
      201: {
        ...created,
        description: 'The new token, with its secret.',
        headers: headers(draft, 'Location', 'ETag', 'Cache-Control'),
        content: Object.fromEntries(
          Object.entries(created.content ?? {}).map(([type, { example }]) => [
            type,
            { schema, example: { ...(example as object), token: '…' } },
          ]),
        ),
      },
    },
  };
}
