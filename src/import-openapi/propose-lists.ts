/** The query parameters of lists → what lists are filtered and sorted by, and how large their pages are. */
import { caseOf } from '../definition/names.ts';
import { LIST_PARAMETERS } from '../definition/field-lists.ts';
import type { FieldTypeDefinition } from '../import/column-type.ts';
import { isComparable } from '../import/propose-field.ts';
import { BUILT_IN_TIMES } from '../shared/built-in-members.ts';
import type { MemberTypes } from './field-type.ts';
import type { Resource } from './resources.ts';
import type { Schemas } from './schemas.ts';
import { enumValues, numberOfKeyword } from './schemas.ts';

interface ProposedLists {
  readonly keys: Readonly<Record<string, unknown>>;
}

/** Names of the parameter that lists are sorted by. */
export const SORT_PARAMETERS: ReadonlySet<string> = new Set([
  ...['sort', 'sort_by', 'order_by', 'ordering'],
]);

/** Names of the parameter with the size of a page. */
const SIZE_PARAMETERS: ReadonlySet<string> = new Set([
  ...['limit', 'per_page', 'page_size', 'max_results', 'count'],
]);

/** Whether a parameter has the size of a page. A flag `count` asks how many items there are. */
export function isPageSize(name: string, schema: unknown, schemas: Schemas): boolean {
  const resolved = schemas.resolve(schema ?? true);
  const isFlag = resolved.unclear === undefined && resolved.type === 'boolean';
  return SIZE_PARAMETERS.has(name) && !isFlag;
}

const LARGEST_PAGE = 10_000;

/** Proposes what the lists of a collection offer. */
export function proposeLists(
  all: readonly Resource[],
  fields: ReadonlyMap<string, FieldTypeDefinition>,
  document: { readonly schemas: Schemas; readonly types: MemberTypes },
): ProposedLists {
  const parameters = all
    .flatMap(({ actions }) => actions.get('list')?.parameters ?? [])
    .filter((one) => one.in === 'query');
  const filter = new Set<string>();
  const sort = new Set<string>();
  let pages: object | undefined;
  for (const { name, schema } of parameters) {
    const own = caseOf(name, '_');
    if (SORT_PARAMETERS.has(own)) {
      for (const member of listOrders(schema, document.schemas).map(sortedMember)) {
        if (isSortable(member, fields)) sort.add(member);
      }
    } else if (isPageSize(own, schema, document.schemas))
      pages ??= pagesOf(schema, document.schemas);
    else if (!LIST_PARAMETERS.has(own) && isFilter(own, schema, fields, document.types)) {
      filter.add(own);
    }
  }
  return {
    keys: {
      ...(sort.size > 0 && { sort: [...sort] }),
      ...(filter.size > 0 && { filter: [...filter] }),
      ...(pages !== undefined && { pages }),
    },
  };
}

type Fields = ReadonlyMap<string, FieldTypeDefinition>;

/** Whether a parameter has the name and the type of a member that lists can be filtered by. */
function isFilter(name: string, schema: unknown, fields: Fields, types: MemberTypes): boolean {
  const type = types.typeOf(schema ?? true).definition?.type;
  if (BUILT_IN_TIMES.some((time) => time === name)) return type === 'timestamp';
  const field = fields.get(name);
  if (field === undefined || !isComparable(field)) return false;
  return type === field.type || (field.type === 'reference' && type !== undefined);
}

const isSortable = (name: string, fields: Fields): boolean => {
  const field = fields.get(name);
  const isTime = BUILT_IN_TIMES.some((time) => time === name);
  return isTime || (field !== undefined && isComparable(field));
};

/** The orders of an enum of them: `-created_at`, `created_at:desc`. */
export function listOrders(schema: unknown, schemas: Schemas): readonly string[] {
  const resolved = schemas.resolve(schema);
  if (resolved.unclear !== undefined) return [];
  const items =
    resolved.type === 'array' ? schemas.resolve(resolved.keywords.get('items')) : resolved;
  return (items.unclear === undefined ? enumValues(items) : undefined) ?? [];
}

/** The member that an order names: `-created_at` and `created_at:desc` name one. */
const sortedMember = (order: string): string =>
  caseOf(order.replace(/^[-+]/, '').replace(/[ :.](?:asc|desc)$/i, ''), '_');

function pagesOf(schema: unknown, schemas: Schemas): object | undefined {
  const resolved = schemas.resolve(schema);
  if (resolved.unclear !== undefined) return undefined;
  const usable = (value: number | undefined): number | undefined =>
    value !== undefined && Number.isInteger(value) && value >= 1 && value <= LARGEST_PAGE
      ? value
      : undefined;
  const given = usable(numberOfKeyword(resolved, 'default'));
  const most = usable(numberOfKeyword(resolved, 'maximum'));
  if (given === undefined && most === undefined) return undefined;
  const maximum = most ?? Math.max(100, given ?? 0);
  return { default: Math.min(given ?? 20, maximum), maximum };
}
