/** `eventsAndWebhooks`: changes of items write events, which clients read and webhooks get. */
import { workUntilClosed } from '../background-worker.ts';
import type { EventSource } from '../events/event-shapes.ts';
import { removeOldEvents } from '../events/retention.ts';
import { eventsRoutes } from '../events/routes.ts';
import type { Feature } from '../feature.ts';
import { eventTypes } from './event-types.ts';
import { addDeliveryMetrics } from './metrics.ts';
import { describeWebhooks } from './openapi.ts';
import { webhooksRoutes } from './webhook-routes.ts';
import { startDeliveries } from './worker.ts';

/** @param sources the collections with events in each version. */
export function eventsAndWebhooks(
  sources: Readonly<Record<number, readonly EventSource[]>>,
): Feature {
  const types = eventTypes(sources);
  return {
    services: ({ webhooks }) => ({ events: sources, receivers: webhooks }),
    routes: [eventsRoutes, webhooksRoutes],
    describeWebhooks: (version, context) => describeWebhooks(sources[version] ?? [], context),
    register: (app, { config, database }) => {
      removeOldEvents(app, database, config.eventsKeepDays);
      addDeliveryMetrics(app, database);
      const start = workUntilClosed(app, config);
      const { webhooks } = config;
      return () => start(() => startDeliveries({ database, log: app.log, webhooks, types }));
    },
    prepareWork:
      async (database, { webhooks }, log) =>
      () => {
        const worker = startDeliveries({ database, log, webhooks, types });
        log.info('delivering events to webhooks');
        return worker;
      },
  };
}
