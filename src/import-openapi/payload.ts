/** What a body of a request or a response holds: an item, a list of items, or something else. */
import type { ClearSchema, Schemas } from './schemas.ts';

export interface Payload {
  readonly kind: 'item' | 'list';
  /** The schema of an item. */
  readonly item: ClearSchema;
  /** The member that holds it; undefined: the body itself. */
  readonly envelope: string | undefined;
}

/** What a body holds; undefined if that is neither an item nor a list of items, or not clear. */
export function payloadOf(schema: unknown, schemas: Schemas): Payload | undefined {
  const body = schemas.resolve(schema);
  if (body.unclear !== undefined) return undefined;
  const list = itemsOf(body, schemas);
  if (list !== undefined) return { kind: 'list', item: list, envelope: undefined };
  if (!isItem(body)) return undefined;
  const members = [...body.properties];
  const lists: Payload[] = [];
  for (const [name, property] of members) {
    const resolved = schemas.resolve(property);
    const item = resolved.unclear === undefined ? itemsOf(resolved, schemas) : undefined;
    if (item !== undefined) lists.push({ kind: 'list', item, envelope: name });
  }
  const [only] = lists;
  // Beside the list an envelope has counts and links, and no id.
  if (only !== undefined && lists.length === 1 && !hasId(body)) return only;
  const [[name, property] = []] = members;
  if (name !== undefined && members.length === 1) {
    const inner = schemas.resolve(property);
    if (inner.unclear === undefined && isItem(inner)) {
      return { kind: 'item', item: inner, envelope: name };
    }
  }
  return { kind: 'item', item: body, envelope: undefined };
}

const hasId = ({ properties }: ClearSchema): boolean => properties.has('id');

const isItem = ({ type, properties }: ClearSchema): boolean =>
  type === 'object' && properties.size > 0;

/** The items of a schema for a list of them. */
function itemsOf(schema: ClearSchema, schemas: Schemas): ClearSchema | undefined {
  if (schema.type !== undefined && schema.type !== 'array') return undefined;
  const items = schema.keywords.get('items');
  if (items === undefined) return undefined;
  const resolved = schemas.resolve(items);
  return resolved.unclear === undefined && isItem(resolved) ? resolved : undefined;
}
