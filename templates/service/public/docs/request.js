/** Requests that people try: how they are put together, sent, and told as a command. */

/**
 * Puts a request together from a form.
 * @param operation as in a document.
 * @param values by the name of a parameter; what is empty is left out.
 */
export function requestOf(operation, values, body, { accept, token }) {
  const named = (place) =>
    operation.parameters.filter(({ name, in: at }) => at === place && (values[name] ?? '') !== '');
  let path = operation.path;
  for (const { name } of named('path')) {
    path = path.replace(`{${name}}`, encodeURIComponent(values[name]));
  }
  const query = named('query').map(
    ({ name }) => `${encodeURIComponent(name)}=${encodeURIComponent(values[name])}`,
  );
  const headers = { accept };
  if (token !== undefined) headers.authorization = `Bearer ${token}`;
  for (const { name } of named('header')) headers[name.toLowerCase()] = values[name];
  if (body !== undefined) headers['content-type'] = bodyTypeOf(operation);
  return {
    method: operation.method,
    url: path + (query.length > 0 ? `?${query.join('&')}` : ''),
    headers,
    body,
  };
}

const bodyTypeOf = ({ requestBody }) => Object.keys(requestBody?.content ?? {})[0];

/** Sends a request; gives the answer, its body as text, and how many milliseconds it took. */
export async function send({ url, ...request }) {
  const begun = performance.now();
  const answer = await fetch(url, { ...request, cache: 'no-store' });
  const text = await answer.text();
  return {
    status: answer.status,
    reason: answer.statusText,
    headers: [...answer.headers],
    header: (name) => answer.headers.get(name) ?? undefined,
    text,
    milliseconds: Math.round(performance.now() - begun),
  };
}

/** A text that a shell takes as it is. */
const quote = (text) => `'${text.replaceAll("'", String.raw`'\''`)}'`;

/** A request as a command to copy. The credential is a variable, never the secret itself. */
export function curlOf({ method, url, headers, body }) {
  const parts = [
    `curl -i ${method === 'GET' ? '' : `-X ${method} `}${quote(location.origin + url)}`,
  ];
  for (const [name, value] of Object.entries(headers)) {
    const isSecret = name === 'authorization';
    parts.push(`-H ${isSecret ? '"Authorization: Bearer $TOKEN"' : quote(`${name}: ${value}`)}`);
  }
  if (body !== undefined) parts.push(`--data ${quote(body)}`);
  return parts.join(' \\\n  ');
}

/** The pages beside a page, by relation (RFC 8288). */
export const linksOf = (header = '') =>
  [...header.matchAll(/<([^>]*)>; rel="(\w+)"/g)].map(([, url, relation]) => ({ url, relation }));
