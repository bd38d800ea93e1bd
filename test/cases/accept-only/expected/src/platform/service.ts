/** The constants of the service: what its definitions say of it as a whole. */

/** The name, in media types and in the realm of credentials. */
export const NAME: string = 'accept-only';

/** The title and the description of its OpenAPI documents; the description may be empty. */
export const TITLE: string = 'Accept only';
export const DESCRIPTION: string = '';

/** The roles that a user can have. */
export const ROLES = ['admin'] as const;

/** Roles that may read the id and the username of all users. */
export const USER_READERS: readonly string[] = [];

/** The served versions in ascending order. */
export const VERSIONS: readonly number[] = [1, 2, 3];

/** The highest version, which new clients should use. */
export const CURRENT_VERSION: number = 3;

/** Versions that are not served any more. */
export const RETIRED_VERSIONS: readonly number[] = [];

/** Where requests may name the version: in the path (`/api/v3/…`) or in the header `Accept`. */
export const VERSIONING: readonly ('path' | 'accept')[] = ['accept'];

/** Whether versions have collections in different forms, and so different routes. */
export const VERSIONS_DIFFER: boolean = false;

/** The values of the headers of a deprecated version. */
export interface DeprecationDates {
  /** `@` and a Unix time in seconds (RFC 9745, section 2.1). */
  readonly deprecation: string;
  /** An HTTP date (RFC 8594, section 3). */
  readonly sunset?: string;
}

/** The deprecated versions. */
export const DEPRECATED: Readonly<Record<number, DeprecationDates>> = {};

/** Renamed paths, by deprecated version: the path in the current version, or an empty string if it has none. */
export const RENAMED_PATHS: Readonly<Record<number, Readonly<Record<string, string>>>> = {};

/** The changes of each version, in Markdown, for the description of its OpenAPI document; the first changed nothing. */
export const CHANGES: Readonly<Record<number, string>> = {};

/** Which conventions the service has that not all services have, for the description of its OpenAPI documents. */
export const CONVENTIONS: Readonly<Record<'include' | 'jobs' | 'requiredIfMatch', boolean>> = {
  include: false,
  jobs: false,
  requiredIfMatch: false,
};

/** Whether messages may name tables: all versions call the collections so, and no other program owns them. */
export const NAMES_TABLES: boolean = true;
