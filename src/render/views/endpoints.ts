/** The endpoints of a service, as its README lists them. */
import { hasEvents } from '../../model/events.ts';
import { hasJobs, isBackground } from '../../model/jobs.ts';
import type { Collection, Model } from '../../model/types.ts';

export interface EndpointRow {
  readonly method: string;
  readonly path: string;
  /** The statuses of success, and what comes with them. */
  readonly answer: string;
}

/** All endpoints of the collections, below the path of the current version. */
export function endpointRows(model: Model): EndpointRow[] {
  const { service, collections } = model;
  const base = baseOf(service.versioning.includes('path'), service.versions.at(-1) ?? 1);
  const endpoints = collections.flatMap((collection) => endpointsOfCollection(collection, base));
  const events = { method: 'GET', path: `${base}/events`, answer: '200, a page of events' };
  const job = { method: 'GET', path: `${base}/jobs/{id}`, answer: '200, the job and its status' };
  return [...endpoints, ...(hasEvents(model) ? [events] : []), ...(hasJobs(model) ? [job] : [])];
}

/** What paths begin with in the documentation. */
export const baseOf = (byPath: boolean, version: number): string =>
  byPath ? `/api/v${version}` : '/api';

function endpointsOfCollection(collection: Collection, base: string): EndpointRow[] {
  const { names, relations } = collection;
  const made = (item: string): string =>
    isBackground(collection) ? `202, a job that creates ${item}` : `201, ${item}`;
  const list = `${base}/${names.kebab}`;
  const item = `${list}/{id}`;
  const nested = relations.flatMap(({ nestedPath, target }): EndpointRow[] => {
    if (nestedPath === undefined) return [];
    const path = `${base}/${target.names.kebab}/{id}/${nestedPath}`;
    return [
      {
        method: 'GET',
        path,
        answer: `200, a page of the ${target.names.itemWords}'s ${nestedPath.replaceAll('-', ' ')}`,
      },
      {
        method: 'POST',
        path,
        answer: made(`the new ${names.itemWords}`),
      },
    ];
  });
  return [
    { method: 'GET', path: list, answer: `200, a page of ${names.words}` },
    { method: 'POST', path: list, answer: made(`the new ${names.itemWords}`) },
    { method: 'GET', path: item, answer: `200, the ${names.itemWords}` },
    { method: 'PUT, PATCH', path: item, answer: `200, the updated ${names.itemWords}` },
    { method: 'DELETE', path: item, answer: '204' },
    ...nested,
  ];
}
