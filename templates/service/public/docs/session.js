/**
 * Who is signed in. A password is exchanged for an access token at once and forgotten; the token is
 * kept in memory, or in this tab alone where that is asked for, and revoked on the way out.
 */

const KEPT = 'api-session';
/** How long the token of a session is good, in milliseconds. */
const LIFETIME = 8 * 60 * 60 * 1000;

let session = read();
const listeners = new Set();

/** Who is signed in: undefined for nobody. */
export const current = () => session;

/** Calls back whenever somebody signs in or out. */
export const onChange = (listener) => listeners.add(listener);

/**
 * Signs in with a username and a password.
 * @param {{ base: string, accept: string }} api
 * @throws an error with the service's own words where it refuses.
 */
export async function signInWithPassword(api, { username, password, keep }) {
  const basic = btoa(String.fromCharCode(...new TextEncoder().encode(`${username}:${password}`)));
  const made = await ask(api, 'POST', '/tokens', `Basic ${basic}`, {
    name: 'Session on the API page',
    expires_at: new Date(Date.now() + LIFETIME).toISOString(),
  });
  change({ name: username, token: made.token, id: made.id }, keep);
}

/** Signs in with an access token, once the service has taken it. */
export async function signInWithToken(api, { token, keep }) {
  await ask(api, 'GET', '/tokens?limit=1', `Bearer ${token}`);
  change({ name: 'token', token }, keep);
}

/** Signs out; a token that was made here ends. */
export async function signOut(api) {
  const { token, id } = session ?? {};
  change(undefined, false);
  if (id !== undefined) {
    await ask(api, 'DELETE', `/tokens/${id}`, `Bearer ${token}`).catch(() => undefined);
  }
}

async function ask({ base, accept }, method, path, authorization, body) {
  const answer = await fetch(base + path, {
    method,
    headers: {
      accept,
      authorization,
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  const value = text === '' ? undefined : JSON.parse(text);
  if (!answer.ok) throw new Error(value?.message ?? `The service answered ${answer.status}.`);
  return value;
}

function change(next, keep) {
  session = next;
  sessionStorage.removeItem(KEPT);
  if (keep && next !== undefined) sessionStorage.setItem(KEPT, JSON.stringify(next));
  for (const listener of listeners) listener();
}

function read() {
  try {
    return JSON.parse(sessionStorage.getItem(KEPT) ?? 'null') ?? undefined;
  } catch {
    return undefined;
  }
}
