/** The types of events that webhooks can have, by the version of their data. */
import type { EventSource, EventType } from '../events/event-shapes.ts';
import { typesOf } from '../events/event-shapes.ts';

/** A type of events in a version. */
export interface VersionedType extends EventType {
  readonly version: number;
  /** An item as the version has it. */
  readonly shape: EventSource['shape'];
}

/** All types of all versions. @param events the collections with events in each version. */
export const eventTypes = (
  events: Readonly<Record<number, readonly EventSource[]>>,
): VersionedType[] =>
  Object.entries(events).flatMap(([version, sources]) => inVersion(sources, Number(version)));

const inVersion = (sources: readonly EventSource[], version: number): VersionedType[] =>
  sources.flatMap((source) =>
    typesOf(source).map(({ stored, name }) => ({ version, stored, name, shape: source.shape })),
  );
