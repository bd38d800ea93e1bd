/** A measured list as the request of a client. */
import type { MeasuredList } from '../../database/measure-lists.ts';
import type { ListColumn } from '../../model/list-columns.ts';

/** `/books?status=draft&sort=published_at`; values that are not those of an enum or a boolean are left out. */
export function listRequest({ list, reading }: MeasuredList): string {
  const { path, filter, sort, words } = list;
  const parameters = [
    ...(filter === undefined ? [] : [`${filter.member}=${shown(filter, reading?.values.filter)}`]),
    ...(sort === undefined ? [] : [`sort=${sort.member}`]),
    ...(words === undefined ? [] : ['q=…']),
  ];
  return parameters.length === 0 ? path : `${path}?${parameters.join('&')}`;
}

/** A value that the definitions have; data of the table are nobody's business. */
function shown({ type }: ListColumn, value: string | undefined): string {
  if (value === undefined) return '…';
  if (type.type === 'boolean') return value === 't' || value === 'true' ? 'true' : 'false';
  return type.type === 'enum' && type.values.includes(value) ? encodeURIComponent(value) : '…';
}
