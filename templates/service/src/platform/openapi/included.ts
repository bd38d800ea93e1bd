/** How documents have `include`: the parameter, the embedded members, and their refusals. */
import type { TObject } from 'typebox';

import { pathsOf } from '../http/include.ts';
import type { Include } from '../http/include.ts';
import type { ListOptions } from '../http/list.ts';
import { COMPUTED } from '../http/shapes.ts';
import type { ShapeParts } from '../http/shapes.ts';
import { listQuery } from './parameters.ts';
import { pageOf, refusal } from './responses.ts';
import type { Parameters, RouteSchema, Schema } from './schemas.ts';

type Includes = readonly Include[];

/** For `querystring` of a request for an item: what `readInclude` reads. */
export const includeQuery = (includes: Includes): Parameters => ({
  type: 'object',
  properties: includeParameter(includes),
});

/** For `querystring` of a list: what `readList` reads. */
export const includingListQuery = (lists: ListOptions, includes: Includes): Parameters => {
  const { properties, ...parameters } = listQuery(lists);
  return { ...parameters, properties: { ...properties, ...includeParameter(includes) } };
};

const includeParameter = (includes: Includes): Record<string, Schema> =>
  includes.length === 0
    ? {}
    : {
        include: {
          type: 'array',
          items: { type: 'string', enum: pathsOf(includes) },
          minItems: 1,
          uniqueItems: true,
          description:
            'The references whose items are embedded. An embedded item is null if there is none, or if ' +
            'the caller may not read it.',
        },
      };

/** For `response` of a request for an item. */
export function includingItem(item: TObject, includes: Includes): ShapeParts {
  if (includes.length === 0) return item;
  const { $id, description = '', [COMPUTED]: computed = [] }: ShapeParts = item;
  const shape = { $id: `${$id}.including`, description, [COMPUTED]: computed };
  return Object.assign(shape, { allOf: [reference(item), embeddedMembers(includes)] });
}

/** For `response` of a list. */
export function includingPage(item: TObject, lists: ListOptions, includes: Includes): ShapeParts {
  const { properties } = item;
  const { properties: embedded } = embeddedMembers(includes);
  return pageOf(Object.assign({}, item, { properties: { ...properties, ...embedded } }), lists);
}

/** For `response`: 403, if `include` may name items that not every caller may read. */
export const includeRefusals = (includes: Includes): RouteSchema['response'] =>
  hasLimited(includes)
    ? {
        403: refusal(
          'The caller does not have permission to do this, or to read the items that `include` names.',
        ),
      }
    : {};

const hasLimited = (includes: Includes): boolean =>
  includes.some(({ target, inner }) => Array.isArray(target.read) || hasLimited(inner));

/** The document has each item as a component, because its own routes answer it. */
const reference = ({ $id }: ShapeParts): Schema => ({ $ref: `#/components/schemas/${$id}` });

const embeddedMembers = (includes: Includes) => ({
  type: 'object',
  properties: Object.fromEntries(
    includes.map(({ name, member, target, inner }): [string, Schema] => {
      const item = reference(target.shape);
      const shape = inner.length === 0 ? item : { allOf: [item, embeddedMembers(inner)] };
      return [
        name,
        {
          description: `The item that \`${member}\` refers to, with \`include\`.`,
          anyOf: [shape, { type: 'null' }],
        },
      ];
    }),
  ),
});
