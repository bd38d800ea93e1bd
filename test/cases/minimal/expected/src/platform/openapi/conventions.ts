/** What holds for every operation, in Markdown: the beginning of each OpenAPI document. */
import { vendorType } from '../http/versions.ts';

/** The conventions, with the paths and media types of a version. */
export const conventions = (version: number): string => `## Versions

This is version ${version}: its paths begin with \`/api/v${version}\`, its media types are \`application/json\`
and \`${vendorType(version)}\`. \`/api/…\` with the latter in \`Accept\` is the same.

## Formats

Bodies are JSON in UTF-8. Decimals and 64-bit integers are strings. Timestamps are RFC 3339, and are
returned in UTC. Values are never converted: \`"5"\` is not an integer. Unknown members are 422, unknown
query parameters 400.

## Authentication

\`Authorization\` has an access token (\`Bearer\`) or a username and password (\`Basic\`). A missing or
invalid credential is 401, also where none is required if one is sent; a forbidden action is 403.
Failed logins are rate-limited by address and by username: 429.

## Lists

A list is divided into pages of \`limit\` items or, where items are large, fewer. \`Link\` has the URLs
of the next, previous, and first page. Items that exist throughout are returned exactly once.
Filters: \`name=value\`, \`name[gte]=value\`, \`name[in]=a,b\`, \`name[null]=true\`.

## Changes

POST returns 201 and \`Location\`. PUT replaces an item: absent members return to their default or
null. PATCH is JSON Merge Patch (RFC 7396). DELETE is permanent: the path answers 410 from then on.

An item has an \`ETag\`. With \`If-Match\` it is changed only in that revision (412). With \`If-None-Match\` a GET of the same revision is 304.

A POST with an \`Idempotency-Key\` is safe to repeat for 24 hours: it is done once, and the first
response is sent again. The same key with another body is 422; while the first request runs, 409.

## Errors

Every error has a JSON payload of \`status\`, \`message\` and \`request_id\`. Besides the errors of each
operation, any request may be answered 404 (unknown path), 405, 408, 417 or 431.
HEAD answers like GET without the body. OPTIONS returns the methods of a path in \`Allow\`.`;
