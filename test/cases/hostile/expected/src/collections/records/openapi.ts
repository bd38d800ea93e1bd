/** What the OpenAPI document says of records. What `routes.ts` gains by hand, say here too. */
import type { Static } from 'typebox';

import type { Draft } from '../../openapi/draft.ts';
import { idParameter } from '../../openapi/parameters.ts';
import { resource } from '../../openapi/resource.ts';
import type { Paths } from '../../openapi/types.ts';
import { RecordItemBody, recordLists, recordPermissions } from './schema.ts';

/** A record as examples show it. */
const EXAMPLE = {
  text: '\'"`\\${x}{{y}}*/--$$',
  kind: "'",
  code: '\\\'"`$',
  note: '\u2028\u2029\u202e',
  tags: ["x'y"],
  extra: { __proto_: '`${1}`', '*/': ["'", null, 1.5, true], constructor: { a: '\\' } },
  inner: { constructor: 'Constructor 1', value: 'Value 2' },
} satisfies Static<typeof RecordItemBody>;

/** The paths, as in `routes.ts`. */
export function recordsPaths(draft: Draft): Paths {
  const records = resource(draft, {
    tag: 'Records',
    description:
      "*/ } process.exit(1); /*\n`${process.exit(1)}`\n'; drop table _tombstones; --\n\"\n\\\n\\'\n</script><script>alert(1)</script>\n{{name}} {{{name}}} {{#each}}\n$$ $1 $tag$\na\u2028b\u2029c\n\u202e evil \u200b\ufeff\n| pipe | `tick` | [link](http://x) <b>bold</b> # head\n-- sql comment\n*/\n/* nested\n%s %d %00\nnull\n\t tab\n🦄 𝔘𝔫𝔦𝔠𝔬𝔡𝔢",
    words: { one: 'record', a: 'a record', many: 'records' },
    types: { one: 'RecordItem', many: 'Records' },
    body: RecordItemBody,

    lists: recordLists,
    permissions: recordPermissions,
    example: EXAMPLE,
  });
  return {
    '/records': { get: records.list(), post: records.create() },
    '/records/{id}': {
      parameters: [idParameter(draft)],
      get: records.read(),
      put: records.replace(),
      patch: records.patch(),
      delete: records.remove(),
    },
  };
}
