/** The constants of the service: what its definitions say of it as a whole. */

/** The name, in media types and in the realm of credentials. */
export const NAME: string = 'library';

/** The title and the description of its OpenAPI documents; the description may be empty. */
export const TITLE: string = 'Library';
export const DESCRIPTION: string = '';

/** The roles that a user can have. */
export const ROLES = ['admin', 'editor'] as const;

/** Roles that may read the id and the username of all users. */
export const USER_READERS: readonly string[] = [];

/** The served versions in ascending order. */
export const VERSIONS: readonly number[] = [1, 2, 3];

/** The highest version, which new clients should use. */
export const CURRENT_VERSION: number = 3;

/** Versions that are not served any more. */
export const RETIRED_VERSIONS: readonly number[] = [];

/** Where requests may name the version: in the path (`/api/v3/…`) or in the header `Accept`. */
export const VERSIONING: readonly ('path' | 'accept')[] = ['path', 'accept'];

/** Whether versions have collections in different forms, and so different routes. */
export const VERSIONS_DIFFER: boolean = true;

/** The values of the headers of a deprecated version. */
export interface DeprecationDates {
  /** `@` and a Unix time in seconds (RFC 9745, section 2.1). */
  readonly deprecation: string;
  /** An HTTP date (RFC 8594, section 3). */
  readonly sunset?: string;
}

/** The deprecated versions. */
export const DEPRECATED: Readonly<Record<number, DeprecationDates>> = {
  1: { deprecation: '@1793491200', sunset: 'Sat, 01 May 2027 00:00:00 GMT' },
};

/** Renamed paths, by deprecated version: the path in the current version, or an empty string if it has none. */
export const RENAMED_PATHS: Readonly<Record<number, Readonly<Record<string, string>>>> = {
  1: { 'writers/books': 'people/books', loans: '', 'books/loans': '', writers: 'people' },
};

/** The changes of each version, in Markdown, for the description of its OpenAPI document; the first changed nothing. */
export const CHANGES: Readonly<Record<number, string>> = {
  2: '## What version 2 changed\n\n- `books.isbn`: `isbn`; in version 1 it was `ean`\n- `books.price`: `price`; in version 1 it was `cost`\n- `books.stock`: integer, from 0, to 100000; in version 1 it was string, a 64-bit integer, from 0, to 100000\n- `books.number`: `number`; in version 1 it was `place`\n- `books.state`: one of "draft", "published", "archived"; in version 1 it was one of "new", "public"\n- `books.genre`: string, at most 40 long; in version 1 it was array: string\n- `books.secret`: new: string, at most 40 long\n- `books.rating`: `rating`; in version 1 it was `stars`\n- `books.series`: new: string, at most 40 long\n- `books.person_id`: `person_id`, string, the id of an item of `/people`, required; in version 1 it was `writer_id`, string, the id of an item of `/writers`, required\n- `/people/{id}/books`: `/people/{id}/books`; in version 1 it was `/writers/{id}/books`\n- `/desks`: new\n- `/loans` was removed\n- `/people`: `/people`; in version 1 it was `/writers`\n- `people.born`: string, `YYYY-MM-DD`; in version 1 it was string, RFC 3339, from 0001-01-01T00:00:00.000Z, to 9999-12-31T00:00:00.000Z\n- `people.country`: new: string, at most 2 long\n- `/opinions`: new',
  3: '## What version 3 changed\n\n- `books.price`: string, a decimal with 2 digits after the point, from 0.00; in version 2 it was number, from 0\n- `books.number`: integer, required, read-only; in version 2 it was string, required, read-only\n- `books.state`: one of "draft", "published", "archived", "withdrawn"; in version 2 it was one of "draft", "published", "archived"\n- `desks.opens_at`: string, a time of day `HH:MM:SS`, required; in version 2 it was string, required\n- `desks.closes_at`: string, a time of day `HH:MM:SS`, from 12:00:00, to 22:00:00; in version 2 it was string, a time of day `HH:MM:SS`, from 09:00:00, to 22:00:00\n- `desks.loan`: string, a duration such as `PT1H30M`; in version 2 it was string\n- `desks.terminal`: string, an IP address or network; in version 2 it was string\n- `desks.logo`: string, base64; in version 2 it was string\n- `desks.opens_at`: sortable\n- `desks.opens_at`: filterable\n- `people.name`: `name`; in version 2 it was `full_name`\n- `people.score`: integer; in version 2 it was string, a decimal with 2 digits after the point\n- `people.nickname` was removed\n- `/reviews`: `/reviews`; in version 2 it was `/opinions`\n- `reviews.book_id`: `book_id`; in version 2 it was `title_id`\n- `/books/{id}/reviews`: `/books/{id}/reviews`; in version 2 it was `/books/{id}/opinions`',
};

/** Which conventions the service has that not all services have, for the description of its OpenAPI documents. */
export const CONVENTIONS: Readonly<Record<'include' | 'jobs' | 'requiredIfMatch', boolean>> = {
  include: false,
  jobs: true,
  requiredIfMatch: false,
};

/** Whether messages may name tables: all versions call the collections so, and no other program owns them. */
export const NAMES_TABLES: boolean = false;
