/** The requests that webhooks send, for the OpenAPI document. */
import { documentEvents, eventShape, typesOf } from '../events/event-shapes.ts';
import type { EventSource } from '../events/event-shapes.ts';
import { answerSchema } from '../openapi/schemas.ts';
import type { DocumentContext } from '../openapi/schemas.ts';

const header = (
  name: string,
  description: string,
  schema: object = { type: 'string' },
): object => ({
  in: 'header',
  name,
  description,
  required: true,
  schema,
});

const HEADERS = [
  header('webhook-id', 'The id of the event, the same in each attempt.', {
    type: 'string',
    format: 'uuid',
  }),
  header('webhook-timestamp', 'When the attempt was made, in seconds since 1970.'),
  header('webhook-signature', 'Signatures of the id, the time and the body (Standard Webhooks).'),
];

const RESPONSES = {
  '2XX': { description: 'The event is delivered.' },
  410: { description: 'The webhook is disabled.' },
  429: { description: 'The event is delivered again, after the seconds of `Retry-After`.' },
  default: { description: 'The event is delivered again later.' },
};

/**
 * Adds the shapes of events to a document.
 * @param sources the collections of the version.
 * @returns its `webhooks`: a request for each type of events.
 */
export function describeWebhooks(
  sources: readonly EventSource[],
  context: DocumentContext,
): Record<string, object> {
  documentEvents(sources, context);
  const { components } = context;
  return Object.fromEntries(
    sources.flatMap((source) => {
      const schema = answerSchema(eventShape(source), components);
      return typesOf(source).map(({ name }) => [
        name,
        {
          post: {
            operationId: `receive.${name}`,
            tags: ['Webhooks'],
            summary: `The event ${name}`,
            description: 'Sent to webhooks that have this version and this type of events.',
            security: [],
            parameters: HEADERS,
            requestBody: { required: true, content: { 'application/json': { schema } } },
            responses: RESPONSES,
          },
        },
      ]);
    }),
  );
}
