/** The OpenAPI documents: one for each version and base path, made of the schemas of the routes. */
import { isDeepStrictEqual } from 'node:util';

import swagger from '@fastify/swagger';
import type { FastifyInstance, RouteOptions } from 'fastify';

import { DEPRECATED } from '../http/deprecation.ts';
import type { Linking } from '../http/page.ts';
import { ACCEPTED, BASES, vendorType } from '../http/versions.ts';
import { CHANGES } from './changes.ts';
import { conventions } from './conventions.ts';
import { describeRoute, NAME_MARK } from './operation.ts';
import type { Components, DocumentContext } from './operation.ts';

/** A whole document. */
export interface OpenapiDocument {
  readonly servers: readonly { readonly url: string }[];
  readonly tags: DocumentContext['tags'];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: Components;
}

/** A parameter of an operation: itself, or a reference to one. */
interface Parameter {
  name?: string;
  readonly $ref?: string;
}

/** What the plugin gives to transformations. */
interface Made {
  readonly openapiObject: OpenapiDocument;
}

/** An operation of a document, as far as it is finished here. */
interface Operation {
  readonly tags?: readonly string[];
  parameters?: readonly Parameter[];
  responses?: object;
  'x-responses'?: object;
}

/** All documents, each by the base path and version that it describes. */
export const DOCUMENTS = BASES.map(({ path, version }) => ({ base: path, version }));

const decoratorOf = (base: string, version: number): string => `openapi ${base} ${version}`;

/** The document of a version below a base path; the service must be ready. */
export const documentOf = (app: FastifyInstance, base: string, version: number): OpenapiDocument =>
  app.getDecorator<() => OpenapiDocument>(decoratorOf(base, version))();

/** Collects the routes that are registered after it. */
export async function registerDocuments(
  app: FastifyInstance,
  { publicUrl }: Pick<Linking, 'publicUrl'>,
): Promise<void> {
  // Schemas of routes document and do not validate: handlers validate, in the order in which the
  // errors of a request are told, and send bodies that are JSON already.
  app.setValidatorCompiler(() => () => true);
  app.setSerializerCompiler(() => JSON.stringify);
  for (const { base, version } of DOCUMENTS) {
    const mediaTypes = [...(base === '/api' ? [] : ['application/json']), vendorType(version)];
    await app.register(swagger, {
      decorator: decoratorOf(base, version),
      convertConstToEnum: false,
      stripBasePath: false,
      openapi: {
        openapi: '3.1.1',
        info: {
          title: 'Library',
          version: String(version),
          description: [CHANGES[version] ?? [], conventions(version)].flat().join('\n\n'),
          // Say here under which terms others may use the API.
          license: { name: 'Proprietary', identifier: 'LicenseRef-Proprietary' } as {
            name: string;
          },
        },
        tags: [],
        servers: [{ url: publicUrl === '' ? '/' : publicUrl, description: 'Library' }],
        components: {
          schemas: {},
          responses: {},
          headers: {},
          parameters: {},
          securitySchemes: {
            accessToken: {
              type: 'http',
              scheme: 'bearer',
              description: 'An access token, made by `POST /tokens`.',
            },
            usernameAndPassword: {
              type: 'http',
              scheme: 'basic',
              description: 'A username and a password.',
            },
          },
        },
      },
      transform: ({ schema, url, route, ...made }) => {
        if (schema?.hide === true || !isServed(route, base, version))
          return { schema: { hide: true }, url };
        const { components, tags } = (made as Made).openapiObject;
        return {
          schema: describeRoute(route, { components, mediaTypes, tags, ends: DEPRECATED[version] }),
          url,
        };
      },
      transformObject: (made) => finish((made as Made).openapiObject),
    });
  }
}

/** Base paths, the longest first: `/api/v1` is below `/api`, too. */
const BASE_PATHS = [...new Set(DOCUMENTS.map(({ base }) => base))].toSorted(
  (one, other) => other.length - one.length,
);

/** Whether a route is that of a version below a base path, or below none: `/health/live`. */
function isServed({ url, constraints = {} }: RouteOptions, base: string, version: number): boolean {
  const own = BASE_PATHS.find((path) => url.startsWith(`${path}/`));
  if (own === undefined) return true;
  return own === base && (constraints[ACCEPTED] ?? String(version)) === String(version);
}

/** Puts the responses in their place, and parameters that operations share under `components`. */
function finish(document: OpenapiDocument): object {
  const { paths, components } = document;
  for (const operation of Object.values(paths).flatMap((path) => Object.values(path))) {
    const { tags: [tag = ''] = [], parameters = [], 'x-responses': responses = {} } = operation;
    delete operation['x-responses'];
    operation.responses = responses;
    operation.parameters = parameters.map((parameter) => {
      parameter.name &&= parameter.name.replace(NAME_MARK, '');
      const name = (parameter.name ?? '').replaceAll(/[^\w-]+/g, '.').replace(/\.$/, '');
      for (const key of [name, `${tag.replaceAll(/\W/g, '')}.${name}`]) {
        components.parameters[key] ??= parameter;
        if (isDeepStrictEqual(components.parameters[key], parameter)) {
          return { $ref: `#/components/parameters/${key}` };
        }
      }
      return parameter;
    });
  }
  return document;
}
