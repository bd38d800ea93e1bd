/** The OpenAPI documents, and whether what the service answers is in them. */
import { documentOf } from '../../src/openapi/document.ts';
import type { Document, Operation, PathItem, Response } from '../../src/openapi/types.ts';
import { VERSIONS } from '../../src/http/versions.ts';
import type { Answer } from './service.ts';

interface Served {
  /** What paths begin with. */
  readonly base: string;
  readonly version: number;
  readonly document: Document;
}

const served = (base: string, version: number): Served => ({
  base,
  version,
  document: documentOf({ version, base, publicUrl: '' }),
});

/** Every document that the service gives. */
export const DOCUMENTS: readonly Served[] = [
  ...VERSIONS.map((version) => served(`/api/v${version}`, version)),
  ...VERSIONS.map((version) => served('/api', version)),
];

type Method = Exclude<keyof PathItem, 'parameters'>;

const PATHS = DOCUMENTS.flatMap(({ document: { paths, components }, base, version }) =>
  Object.entries(paths).map(([path, item]) => ({
    shape: shapeOf(path),
    item,
    components,
    base,
    version,
  })),
);

/** Paths of this form: a parameter is any segment. */
function shapeOf(path: string): RegExp {
  const literal = path.replaceAll('.', String.raw`\.`);
  return new RegExp(`^${literal.replaceAll(/\{[^}]+\}/g, '[^/]+')}$`);
}

/**
 * What no document says of an answer; nothing where all is said. HEAD is like GET; what a path
 * answers to a method that it has not is no matter of an operation.
 */
export function undocumented(
  method: string,
  path: string,
  answer: Pick<Answer, 'status' | 'headers'>,
  accept: string,
): string | undefined {
  if (method === 'OPTIONS') return undefined;
  const [plain = ''] = path.split('?');
  // Not every version has each path: the one that was answered counts, or else that in `Accept`.
  const type = answer.headers.get('content-type') ?? '';
  const asked = [type, accept].map((text) => /\.v(\d+)\+json/.exec(text)?.[1]).find(Boolean);
  const problems = PATHS.filter(({ shape }) => shape.test(plain))
    .filter(({ base, version }) => base !== '/api' || Number(asked ?? version) === version)
    .map((found) => missingIn(found, method, plain, answer));
  // Where the version is not in the path, one of several documents has it.
  return problems.includes(undefined) ? undefined : problems[0];
}

/** What one document does not say of an answer. */
function missingIn(
  { item, components }: (typeof PATHS)[number],
  method: string,
  plain: string,
  { status, headers }: Pick<Answer, 'status' | 'headers'>,
): string | undefined {
  const operation = item[(method === 'HEAD' ? 'get' : method.toLowerCase()) as Method];
  if (operation === undefined) {
    return status < 400 ? `no document has ${method} ${plain}` : undefined;
  }
  const response = responseOf(operation, status, components);
  if (response === undefined) return `the document of ${operation.operationId} has no ${status}`;
  const type = headers.get('content-type')?.split(';')[0] ?? 'nothing';
  const types = Object.keys(response.content ?? { nothing: {} });
  if (types.includes(type) || method === 'HEAD') return undefined;
  return `the document of ${operation.operationId} has no ${type} for ${status}`;
}

function responseOf(
  { responses }: Operation,
  status: number,
  components: Document['components'],
): Response | undefined {
  const response = responses[status];
  if (response === undefined || !('$ref' in response)) return response;
  return components['responses']?.[response.$ref.split('/').at(-1) ?? ''] as Response;
}
