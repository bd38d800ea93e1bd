/** What holds for every operation, in Markdown: it stands at the head of the OpenAPI document. */

export const CONVENTIONS = `## Versions

A version stands in the path: \`/api/v3/…\`. It may stand in the header instead: \`/api/…\` with
\`Accept: application/vnd.library.v3+json\` is the same.

## Formats

Bodies are JSON in UTF-8. \`Accept\` chooses between the media types that are served; for any other
the answer is 406, and for a body in any other it is 415. Values keep their exact meaning: decimals
and 64-bit integers are strings, times are RFC 3339 and answered in UTC, and nothing is converted or
dropped silently. A member or a parameter that is not known is refused by its name.

## Credentials

A caller shows who they are in \`Authorization\`, with an access token (\`Bearer\`) or with a username
and password (\`Basic\`). 401: the credential is missing or wrong, and a wrong one is refused even
where none is needed. 403: the caller is known, and may not do this.

## Pages

A list comes in pages of \`limit\` items. The header \`Link\` leads to the pages beside this one
(\`rel="next"\`, \`"prev"\`, \`"first"\`); following it visits every item once, whatever comes and
goes meanwhile. \`sort\`, \`fields\`, \`count\` and filters shape the list: \`name=value\`,
\`name[gte]=value\`, \`name[in]=a,b\`, \`name[null]=true\`.

## Changes

POST answers 201 and \`Location\`. Where work is done in the background it answers 202, and \`Location\` leads to
a job that tells what becomes of it. PUT replaces: members that are left out go back to their default
or null. PATCH is JSON Merge Patch (RFC 7396): members that are left out stay, and null clears.
DELETE is for good: from then on the path answers 410, on every method.

## Preconditions

An item comes with an \`ETag\`, which names its state. A PUT, PATCH or DELETE with \`If-Match\` is done
in that state alone; in another it is 412, and nothing has changed. GET with \`If-None-Match\` is 304 as long as the item stays as it was.

## Repetition

A POST with an \`Idempotency-Key\` may be sent again within 24 hours: it is done once, and answered as
the first time. The same key with another body is 422, and while the first is under way it is 409.

## Errors

Every error has its status and one payload of three members: \`status\`, the name of the status;
\`message\`, for a person; \`request_id\`, which is in the header \`X-Request-Id\` and in the log too.
Beside the errors that an operation names, HTTP itself may be answered with 404 (no such path), 405
with \`Allow\`, 408, 417 and 431.

HEAD answers what GET does, without the body. OPTIONS tells the methods of a path in \`Allow\`.`;
