/** How a version of a service is reached. */
import type { ServiceDefinition } from '../../definition/types.ts';

/** A line for each version and way: `/api/v1`, or `/api with Accept: …`. */
export const addressesOf = ({ name, versions, versioning }: ServiceDefinition): string[] =>
  versions.flatMap((version) =>
    versioning.map((way) =>
      way === 'path'
        ? `/api/v${version}`
        : `/api with Accept: application/vnd.${name}.v${version}+json`,
    ),
  );
