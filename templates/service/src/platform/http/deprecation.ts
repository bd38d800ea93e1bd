/**
 * Adds `Deprecation` (RFC 9745), `Sunset` (RFC 8594) and a link to the successor (RFC 5829) to
 * responses of deprecated versions.
 */
import type { FastifyInstance, FastifyRequest } from 'fastify';

import type { Feature } from '../feature.ts';
import { CURRENT_VERSION, DEPRECATED, RENAMED_PATHS } from '../service.ts';
import { vendorType } from './versions.ts';

/** The longest path that the link repeats: headers of responses must stay below 16 KB. */
const MAX_PATH_LENGTH = 1_000;

/** Adds the headers to all responses, errors included. */
export const DEPRECATION: Feature = {
  exposedHeaders: ['Deprecation', 'Sunset'],
  register: (app, { config: { publicUrl } }) => {
    addDeprecationHeaders(app, publicUrl);
    return undefined;
  },
};

function addDeprecationHeaders(app: FastifyInstance, publicUrl: string): void {
  app.addHook('onSend', (request, reply, _payload, done) => {
    const version = versionOf(request);
    const dates = version === undefined ? undefined : DEPRECATED[version];
    if (version !== undefined && dates !== undefined) {
      reply.header('deprecation', dates.deprecation);
      if (dates.sunset !== undefined) reply.header('sunset', dates.sunset);
      const successor =
        `<${publicUrl}${successorOf(request, version)}>; rel="successor-version"; ` +
        `type="${vendorType(CURRENT_VERSION)}"`;
      const others = reply.getHeader('link');
      reply.header('link', typeof others === 'string' ? `${others}, ${successor}` : successor);
    }
    done();
  });
}

/** The requested version. If no route matched, only the path names it. */
function versionOf({
  api,
  url,
}: Partial<Pick<FastifyRequest, 'api'>> & Pick<FastifyRequest, 'url'>) {
  const inPath = /^\/api\/v([1-9]\d*)(?:[/?]|$)/.exec(url)?.[1];
  return api?.version ?? (inPath === undefined ? undefined : Number(inPath));
}

/** The same path in the current version, or its OpenAPI document if it has no such path. */
function successorOf({ url, is404 }: FastifyRequest, version: number): string {
  const [path = ''] = url.split('?', 1);
  const isInPath = /^\/api\/v\d/.test(path);
  const base = isInPath ? `/api/v${CURRENT_VERSION}` : '/api';
  const [first = '', id, last] = path.split('/').slice(isInPath ? 3 : 2);
  const key = last === undefined ? first : `${first}/${last}`;
  const target =
    is404 || path.length > MAX_PATH_LENGTH ? '' : (RENAMED_PATHS[version]?.[key] ?? key);
  if (target === '') return `${base}/openapi.json`;
  const [collection, nested] = target.split('/');
  return [base, collection, id, nested].filter((part) => part !== undefined).join('/');
}
