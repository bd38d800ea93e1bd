/** What a body of a request or a response holds: an item, or a list of items. */
import type { ClearSchema, Schemas } from './schemas.ts';

export interface Payload {
  /** The schema of an item. */
  readonly item: ClearSchema;
  /** The member that holds the item or the list; undefined: the body itself. */
  readonly envelope: string | undefined;
}

/** The list of items in a body; undefined if it has none, or several. */
export function listPayload(schema: unknown, schemas: Schemas): Payload | undefined {
  const body = schemas.resolve(schema);
  if (body.unclear !== undefined) return undefined;
  const list = itemsOf(body, schemas);
  if (list !== undefined) return { item: list, envelope: undefined };
  // Beside the list an envelope has counts and links, and no id.
  if (!isItem(body) || body.properties.has('id')) return undefined;
  const lists: Payload[] = [];
  for (const [envelope, property] of body.properties) {
    const resolved = schemas.resolve(property);
    const item = resolved.unclear === undefined ? itemsOf(resolved, schemas) : undefined;
    if (item !== undefined) lists.push({ item, envelope });
  }
  return lists.length === 1 ? lists[0] : undefined;
}

/**
 * The item in a body; undefined if it has none.
 * @param envelope the member that holds the items of the collection.
 */
export function itemPayload(
  schema: unknown,
  envelope: string | undefined,
  schemas: Schemas,
): Payload | undefined {
  const body = schemas.resolve(schema);
  if (body.unclear !== undefined || !isItem(body)) return undefined;
  const inner = envelope === undefined ? undefined : memberItem(body, envelope, schemas);
  return inner === undefined ? { item: body, envelope: undefined } : { item: inner, envelope };
}

/** Members that JSON:API has beside an item. */
const BESIDE_ITEM: ReadonlySet<string> = new Set(['links', 'meta', 'included', 'jsonapi']);

/**
 * The member that holds the item in all bodies of a collection: the only one of each. One body alone says nothing:
 * its item may have one member.
 * @param listed the items of lists.
 */
export function commonEnvelope(
  bodies: readonly unknown[],
  listed: readonly ClearSchema[],
  schemas: Schemas,
): string | undefined {
  let envelope: string | undefined;
  let agreeing = 0;
  for (const schema of bodies) {
    const body = schemas.resolve(schema);
    if (body.unclear !== undefined || !isItem(body)) continue;
    const names = [...body.properties.keys()].filter((name) => !BESIDE_ITEM.has(name));
    const [name] = names;
    const inner = name === undefined ? undefined : memberItem(body, name, schemas);
    if (name === undefined || names.length > 1 || inner === undefined) return undefined;
    if (name !== (envelope ??= name)) return undefined;
    agreeing += listed.includes(inner) ? 2 : 1;
  }
  const isInList = listed.some(({ properties }) => properties.has(envelope ?? ''));
  return agreeing >= 2 && !isInList ? envelope : undefined;
}

function memberItem(body: ClearSchema, name: string, schemas: Schemas): ClearSchema | undefined {
  const member = schemas.resolve(body.properties.get(name));
  return member.unclear === undefined && isItem(member) ? member : undefined;
}

/** Why a body is neither an item nor a list of items: the end of a sentence that begins with it. */
export function unreadReason(schema: unknown, schemas: Schemas): string | undefined {
  if (schema === undefined) return 'has no schema';
  const body = schemas.resolve(schema);
  if (body.unclear !== undefined) return body.unclear;
  if (body.type === 'array') {
    const items = schemas.resolve(body.keywords.get('items') ?? true);
    if (items.unclear !== undefined) return `has items of which the schema ${items.unclear}`;
    return isItem(items) ? undefined : 'has items that are no objects';
  }
  return isItem(body) ? undefined : 'is no object with properties';
}

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
