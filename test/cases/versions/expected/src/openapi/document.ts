/** The OpenAPI document of a version: what the service says of itself. */
import { tokensPaths, usersPaths } from '../auth/openapi.ts';
import { collectionPaths } from '../collections/openapi.ts';
import { vendorType } from '../http/versions.ts';
import { jobsPaths } from '../jobs/openapi.ts';
import { CHANGES } from './changes.ts';
import { CONVENTIONS } from './conventions.ts';
import { newDraft } from './draft.ts';
import type { Draft } from './draft.ts';
import { requestParameters } from './parameters.ts';
import { documentPaths, servicePaths } from './service.ts';
import type { Document, Paths } from './types.ts';

/** Which document, and for whom. */
export interface DocumentOptions {
  readonly version: number;
  /** What its paths begin with. */
  readonly base: string;
  /** The origin that clients see, or nothing. */
  readonly publicUrl: string;
}

/** What it says of each part of the API, in the order in which it is read. */
const partsOf = (version: number): readonly ((draft: Draft) => Paths)[] => [
  ...(collectionPaths[version] ?? []),
  usersPaths,
  tokensPaths,
  jobsPaths,
  documentPaths,
];

/** Puts the document together. Every route that clients reach is in it; a test sees to that. */
export function documentOf({ version, base, publicUrl }: DocumentOptions): Document {
  const isInPath = base !== '/api';
  const mediaTypes = [...(isInPath ? ['application/json'] : []), vendorType(version)];
  const draft = newDraft(base, mediaTypes);
  const paths = partsOf(version)
    .flatMap((part) => Object.entries(part(draft)))
    .map(([path, item]) => [
      base + path,
      { ...item, parameters: [...(item.parameters ?? []), ...requestParameters(draft)] },
    ]);
  return {
    openapi: '3.1.1',
    info: {
      title: 'Library',
      version: String(version),
      description: [CHANGES[version] ?? '', CONVENTIONS].filter((text) => text !== '').join('\n\n'),
      // Say here under which terms others may use the API.
      license: { name: 'Proprietary', identifier: 'LicenseRef-Proprietary' },
    },
    servers: [{ url: publicUrl === '' ? '/' : publicUrl, description: 'Library' }],
    tags: draft.tags,
    paths: { ...Object.fromEntries(paths), ...servicePaths(draft) },
    components: { ...draft.components, securitySchemes: SECURITY_SCHEMES },
  };
}

const SECURITY_SCHEMES = {
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
};
