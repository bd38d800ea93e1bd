/** The endpoints of a service, as its README lists them. */
import type { Collection, Model } from '../../model/types.ts';

export interface Endpoint {
  readonly method: string;
  readonly path: string;
  /** The statuses of success, and what comes with them. */
  readonly answer: string;
}

/** All endpoints of the collections, below the path of the current version. */
export function endpointsOf({ service, collections }: Model): Endpoint[] {
  const base = baseOf(service.versioning.includes('path'), service.versions.at(-1) ?? 1);
  return collections.flatMap((collection) => endpointsOfCollection(collection, base));
}

/** What paths begin with in the documentation. */
export const baseOf = (byPath: boolean, version: number): string =>
  byPath ? `/api/v${version}` : '/api';

function endpointsOfCollection({ names, relations }: Collection, base: string): Endpoint[] {
  const list = `${base}/${names.kebab}`;
  const item = `${list}/{id}`;
  const nested = relations.flatMap(({ nestedPath, target }): Endpoint[] => {
    if (nestedPath === undefined) return [];
    const path = `${base}/${target.names.kebab}/{id}/${nestedPath}`;
    return [
      { method: 'GET', path, answer: `200, those of ${target.names.anItem}` },
      { method: 'POST', path, answer: `201, ${names.anItem} of that ${target.names.itemWords}` },
    ];
  });
  return [
    { method: 'GET', path: list, answer: `200, a page of ${names.words}` },
    { method: 'POST', path: list, answer: `201, the new ${names.itemWords}` },
    { method: 'GET', path: item, answer: `200, the ${names.itemWords}` },
    { method: 'PUT, PATCH', path: item, answer: `200, the ${names.itemWords} as it is now` },
    { method: 'DELETE', path: item, answer: '204' },
    ...nested,
  ];
}
