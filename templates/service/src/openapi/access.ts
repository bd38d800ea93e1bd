/** Who may use an operation, and what is answered to those who may not. */
import type { Permission } from '../auth/permissions.ts';
import type { Draft } from './draft.ts';
import { errors } from './responses.ts';
import type { Operation, Responses } from './types.ts';

/** The credentials that an operation takes: none is one of them where everybody may use it. */
export const security = (permission: Permission): Operation['security'] => [
  ...(permission === 'public' ? [{}] : []),
  { accessToken: [] },
  { usernameAndPassword: [] },
];

/** 401, and 403 where a known caller may be refused. */
export const credentialErrors = (draft: Draft, permission: Permission): Responses =>
  errors(
    draft,
    permission === 'public' ? 'credentialWrong' : 'credentialNeeded',
    ...(permission === 'public' || permission === 'authenticated' ? [] : (['forbidden'] as const)),
  );

/**
 * Who may, in a sentence.
 * @param owner what the owner of an item is called.
 */
export function access(permission: Permission, owner = 'the owner of the item'): string {
  if (permission === 'public') return 'For everybody.';
  if (permission === 'authenticated') return 'For everybody with a credential.';
  const roles = new Set([...permission.filter((role) => role !== 'owner'), 'admin']);
  return `For ${[
    ...(permission.includes('owner') ? [owner] : []),
    ...[...roles].map((role) => `\`${role}\``),
  ].join(', ')}.`;
}
