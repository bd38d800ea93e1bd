/** What the OpenAPI document says of jobs, and of a POST that is answered with one. */
import type { ListOptions } from '../http/list.ts';
import { object, oneOf, optional, string } from '../http/shapes.ts';
import { inEveryType } from '../openapi/draft.ts';
import type { Draft } from '../openapi/draft.ts';
import { itemSchema } from '../openapi/items.ts';
import { idParameter } from '../openapi/parameters.ts';
import { resource } from '../openapi/resource.ts';
import type { Resource } from '../openapi/resource.ts';
import { headers } from '../openapi/responses.ts';
import type { Operation, Paths } from '../openapi/types.ts';

/** There is no list of jobs; this names their members. */
const LISTS: ListOptions = {
  pages: { default: 1, maximum: 1 },
  members: ['id', 'status', 'resource', 'error', 'created_at', 'updated_at'],
  sort: [],
  filter: {},
  search: false,
};

const JOBS: Resource = {
  tag: 'Jobs',
  description:
    'Work that was accepted with 202. `resource` is the URL of the item once the job has succeeded, `error` a sentence once it has failed.',
  words: { one: 'job', a: 'a job', many: 'jobs', owner: 'who asked for the work' },
  types: { one: 'Job', many: 'Jobs' },
  body: object({}),
  readOnly: object({
    status: oneOf(['queued', 'running', 'succeeded', 'failed']),
    resource: optional(string()),
    error: optional(string()),
  }),
  lists: LISTS,
  permissions: { read: ['owner'], create: [], update: [], delete: [] },
};

/** The path of a job. */
export function jobsPaths(draft: Draft): Paths {
  const jobs = resource(draft, JOBS);
  return { '/jobs/{id}': { parameters: [idParameter(draft)], get: jobs.read() } };
}

/** A POST whose item is made in the background: its answer is a job. */
export function accepted(draft: Draft, create: Operation): Operation {
  const { 201: _made, ...others } = create.responses;
  return {
    ...create,
    description: `${create.description ?? ''}\n\nIt is made in the background: \`Location\` says where its job is.`,
    responses: {
      202: {
        description: 'The work is stored, and this is its job.',
        headers: headers(draft, 'Location', 'Idempotency-Replayed'),
        content: inEveryType(draft, { schema: itemSchema(draft, JOBS) }),
        links: {
          getJob: { operationId: 'getJob', parameters: { id: '$response.body#/id' } },
        },
      },
      ...others,
    },
  };
}
