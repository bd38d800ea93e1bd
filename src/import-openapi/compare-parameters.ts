/** How the parameters of an operation differ for its clients from those that the service has. */
import { caseOf } from '../definition/names.ts';
import type { Pages } from '../definition/types.ts';
import type { MemberTypes } from './field-type.ts';
import type { OfferedOperation } from './offered.ts';
import type { Operation, Parameter } from './operations.ts';
import { isPageSize, listOrders, SORT_PARAMETERS } from './propose-lists.ts';
import type { Action } from './resources.ts';
import { enumValues, numberOfKeyword } from './schemas.ts';
import type { ResolvedSchema, Schemas } from './schemas.ts';

/** Parameters by which other services page. */
const PAGE_PARAMETERS: ReadonlySet<string> = new Set([
  ...['page', 'offset', 'skip', 'start', 'after', 'before', 'starting_after', 'ending_before'],
  ...['page_token', 'next_token', 'continuation_token', 'page_number', 'pagination_token'],
]);

/** Headers that each service reads. */
const KNOWN_HEADERS: ReadonlySet<string> = new Set([
  ...['accept', 'authorization', 'content-type', 'if-match', 'if-none-match'],
  ...['idempotency-key', 'x-request-id'],
]);

interface ComparedTypes {
  readonly schemas: Schemas;
  readonly types: MemberTypes;
}

/** What clients have to change, a text each. */
export function parameterChanges(
  { parameters, unreadParameters }: Operation,
  action: Action,
  offered: OfferedOperation,
  document: ComparedTypes,
): readonly string[] {
  const changes = parameters.flatMap((parameter): readonly string[] => {
    const { name, in: place } = parameter;
    if (place === 'path') return [];
    if (place === 'header') {
      return KNOWN_HEADERS.has(name.toLowerCase()) ? [] : [`the header ${name} is not read`];
    }
    if (place !== 'query') return [`the ${place} parameter ${name} is not read`];
    if (action !== 'list') return [`the parameter ${name} is not offered`];
    return queryChanges(parameter, offered, document);
  });
  return [...changes, ...unreadParameters.map((reason) => `a parameter ${reason}`)];
}

/** A query parameter of a list. */
function queryChanges(
  parameter: Parameter,
  { definition: { filter, sort, pages }, filterTypes, response }: OfferedOperation,
  { schemas, types }: ComparedTypes,
): readonly string[] {
  const { name, schema } = parameter;
  const own = caseOf(name, '_');
  const resolved = schemas.resolve(schema ?? true);
  if (SORT_PARAMETERS.has(own)) {
    const isSame =
      name === 'sort' &&
      isListOf(
        parameter,
        sort.flatMap((member) => [member, `-${member}`]),
        schemas,
      );
    return isSame
      ? []
      : [`${name} is sort, which takes ${sort.join(', ')}, with - in front to descend`];
  }
  if (filter.includes(own)) {
    const text = filterChange(name, resolved, types.typeOf(schema ?? true).definition, {
      type: filterTypes.get(own) ?? {},
    });
    if (text !== undefined) return [text];
    return name === own ? [] : [`${name} is called ${own}`];
  }
  const [, member = '', operator] = /^(\w+)\[(\w+)\]$/.exec(name) ?? [];
  if (filter.includes(member) && operator !== undefined) {
    return operatorChange(parameter, { member, operator }, filterTypes.get(member) ?? {}, {
      schemas,
      types,
    });
  }
  if (isPageSize(own, schema, schemas)) return sizeChange(name, resolved, pages);
  const isText = resolved.unclear === undefined && resolved.type === 'string';
  if (name === 'cursor' && isText) return [];
  if (name === 'fields' && isListOf(parameter, [...(response?.keys() ?? [])], schemas)) return [];
  const isFlag = resolved.unclear === undefined && resolved.type === 'boolean';
  if (name === 'count' && isFlag && resolved.keywords.get('default') !== true) return [];
  if (own === 'cursor' || PAGE_PARAMETERS.has(own)) {
    return [`${name} is replaced by the links to pages`];
  }
  return [`the parameter ${name} is not offered`];
}

/** Whether a parameter takes some of these words: one, or several with commas between them. */
function isListOf(
  { schema, hasCommas }: Parameter,
  words: readonly string[],
  schemas: Schemas,
): boolean {
  const resolved = schemas.resolve(schema);
  if (resolved.unclear !== undefined || resolved.keywords.has('default')) return false;
  const own = listOrders(schema, schemas);
  const isReadable = resolved.type === 'string' || (resolved.type === 'array' && hasCommas);
  return isReadable && own.length > 0 && own.every((one) => words.includes(one));
}

/** What differs in the values of a filter. */
function filterChange(
  name: string,
  schema: ResolvedSchema,
  definition: Readonly<Record<string, unknown>> | undefined,
  { type: offered }: { readonly type: Readonly<Record<string, unknown>> },
): string | undefined {
  const expected = String(offered['type']);
  const type = definition?.['type'];
  // An id that is a number has the same text in a URL.
  const isNumberAsText = expected === 'string' && type === 'integer';
  if (type !== expected && !isNumberAsText) return `${name} takes a ${expected}`;
  if (schema.unclear !== undefined) return undefined;
  if (schema.keywords.get('default') !== undefined) return `${name} has no default`;
  const known = offered['values'] as readonly string[] | undefined;
  const others = known && enumValues(schema)?.filter((value) => !known.includes(value));
  return others === undefined || others.length === 0
    ? undefined
    : `${name} does not take ${others.join(', ')}`;
}

/** `price[gte]` and so on. */
function operatorChange(
  { name, schema, hasCommas }: Parameter,
  { member, operator }: { readonly member: string; readonly operator: string },
  offered: Readonly<Record<string, unknown>>,
  { schemas, types }: ComparedTypes,
): readonly string[] {
  const { definition } = types.typeOf(schema ?? true);
  const resolved = schemas.resolve(schema ?? true);
  const change = (text: string | undefined): readonly string[] =>
    text === undefined ? [] : [text];
  if (['ne', 'gt', 'gte', 'lt', 'lte'].includes(operator)) {
    const isOrdered = operator === 'ne' || !UNORDERED.has(String(offered['type']));
    if (isOrdered) return change(filterChange(name, resolved, definition, { type: offered }));
  }
  if (operator === 'null' && definition?.type === 'boolean') return [];
  if (operator === 'in') {
    const isText = definition?.type === 'string';
    if (isText || (definition?.type === 'list' && hasCommas)) return [];
    return [`${name} takes values of ${member} with commas between them`];
  }
  return [`the parameter ${name} is not offered`];
}

/** Types whose filters have no comparisons. */
const UNORDERED: ReadonlySet<string> = new Set(['uuid', 'boolean', 'enum']);

function sizeChange(name: string, schema: ResolvedSchema, pages: Pages): readonly string[] {
  const number = (key: string): number | undefined =>
    schema.unclear === undefined ? numberOfKeyword(schema, key) : undefined;
  const isSame =
    (number('default') ?? pages.default) === pages.default &&
    (number('minimum') ?? 1) >= 1 &&
    (number('maximum') ?? Infinity) <= pages.maximum;
  if (isSame) return name === 'limit' ? [] : [`${name} is called limit`];
  const range = `from 1 to ${pages.maximum}, and ${pages.default} by default`;
  return [name === 'limit' ? `limit is ${range}` : `${name} is limit, ${range}`];
}
