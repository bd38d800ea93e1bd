/** Tells the clients of versions that are going to end (RFC 9745, RFC 8594), and where to go on (RFC 5829). */
import type { FastifyInstance, FastifyRequest } from 'fastify';

import { CURRENT_VERSION, vendorType } from './versions.ts';

/** When a version is deprecated, and when it ends. */
interface End {
  /** Seconds since 1970 after an @ (RFC 9745, section 2.1). */
  readonly deprecation: string;
  /** A date of HTTP (RFC 8594, section 3). */
  readonly sunset?: string;
}

const ENDS: Readonly<Record<number, End>> = {
  1: { deprecation: '@1793491200', sunset: 'Sat, 01 May 2027 00:00:00 GMT' },
};

/** What paths of these versions are called in the current one; nothing where it does not have them. */
const MOVED: Readonly<Record<number, Readonly<Record<string, string>>>> = {
  1: { 'writers/books': 'people/books', loans: '', 'books/loans': '', writers: 'people' },
};

/** Adds the headers to every answer of these versions. */
export function tellDeprecation(app: FastifyInstance, publicUrl: string): void {
  app.addHook('onSend', (request, reply, _payload, done) => {
    const version = versionOf(request);
    const end = version === undefined ? undefined : ENDS[version];
    if (version !== undefined && end !== undefined) {
      reply.header('deprecation', end.deprecation);
      if (end.sunset !== undefined) reply.header('sunset', end.sunset);
      const successor =
        `<${publicUrl}${successorOf(request, version)}>; rel="successor-version"; ` +
        `type="${vendorType(CURRENT_VERSION)}"`;
      const others = reply.getHeader('link');
      reply.header('link', typeof others === 'string' ? `${others}, ${successor}` : successor);
    }
    done();
  });
}

/** The version that a request asked for; what no route takes has it in its path alone. */
function versionOf({
  api,
  url,
}: Partial<Pick<FastifyRequest, 'api'>> & Pick<FastifyRequest, 'url'>) {
  const inPath = /^\/api\/v([1-9]\d*)(?:[/?]|$)/.exec(url)?.[1];
  return api?.version ?? (inPath === undefined ? undefined : Number(inPath));
}

/** The same in the current version, or the description of that where it does not have it. */
function successorOf({ url, is404 }: FastifyRequest, version: number): string {
  const [path = ''] = url.split('?', 1);
  const isInPath = /^\/api\/v\d/.test(path);
  const base = isInPath ? `/api/v${CURRENT_VERSION}` : '/api';
  const [first = '', id, last] = path.split('/').slice(isInPath ? 3 : 2);
  const key = last === undefined ? first : `${first}/${last}`;
  const target = is404 ? '' : (MOVED[version]?.[key] ?? key);
  if (target === '') return `${base}/openapi.json`;
  const [collection, nested] = target.split('/');
  return [base, collection, id, nested].filter((part) => part !== undefined).join('/');
}
