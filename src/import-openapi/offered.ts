/** What a service that is made from definitions offers: each operation, as a client meets it. */
import { typeKeys } from '../compatibility/definition-yaml.ts';
import type { CollectionDefinition, Field } from '../definition/types.ts';
import type { Collection, Model } from '../model/types.ts';
import type { KeyType } from '../types/key.ts';
import type { Action } from './resources.ts';

/** A member of an item, in requests or responses of the service. */
export interface OfferedMember {
  readonly name: string;
  /** Its type with the options, as definitions write it. */
  readonly type: Readonly<Record<string, unknown>>;
  /** Whether it may be null. */
  readonly isNullable: boolean;
  /** Whether a request that creates or replaces an item has to have it. */
  readonly isDemanded: boolean;
  /** The value where a request gives none; undefined: null. */
  readonly default?: unknown;
}

/** An operation of the service. */
export interface OfferedOperation {
  readonly method: string;
  /** With the prefix of the version. */
  readonly path: string;
  /** The keys of the ids in the path, in its order. */
  readonly keys: readonly KeyType[];
  /** The media type of its version, which it takes and sends beside `application/json`. */
  readonly mediaType: string;
  /** The status of its success. */
  readonly status: string;
  /** By name; undefined: it has no body. */
  readonly request: ReadonlyMap<string, OfferedMember> | undefined;
  /** The members of an item; undefined: the body is empty. */
  readonly response: ReadonlyMap<string, OfferedMember> | undefined;
  readonly isPublic: boolean;
  /** The type of the values of each filter of a list. */
  readonly filterTypes: ReadonlyMap<string, OfferedMember['type']>;
  readonly definition: CollectionDefinition;
}

/** An operation as `explain` lists it, below the prefix. */
export interface OfferedEndpoint {
  readonly method: string;
  readonly path: string;
  readonly permission: readonly string[];
  readonly statuses: readonly number[];
}

const METHOD_OF: Readonly<Record<Action, string>> = {
  list: 'GET',
  create: 'POST',
  read: 'GET',
  replace: 'PUT',
  update: 'PATCH',
  remove: 'DELETE',
};

/** Finds what a service offers for an action of a collection. */
export class OfferedService {
  readonly #collections: ReadonlyMap<string, Collection>;
  readonly #endpoints: ReadonlyMap<string, OfferedEndpoint>;
  readonly #mediaType: string;
  /** `/api/v1`. */
  readonly prefix: string;

  constructor(model: Model, endpoints: readonly OfferedEndpoint[]) {
    this.#collections = new Map(model.collections.map((one) => [one.definition.name, one]));
    this.#endpoints = new Map(endpoints.map((one) => [`${one.method} ${one.path}`, one]));
    const version = String(model.service.versions.at(-1));
    this.prefix = `/api/v${version}`;
    this.#mediaType = `application/vnd.${model.service.name}.v${version}+json`;
  }

  /**
   * The operation for an action.
   * @param parent the collection below whose items it lists or creates; undefined: it is at the top.
   */
  find(name: string, action: Action, parent: string | undefined): OfferedOperation | undefined {
    const collection = this.#collections.get(name);
    if (collection === undefined) return undefined;
    const { definition, names, relations } = collection;
    const above = relations.find(
      ({ target, nestedPath }) => target.collection === parent && nestedPath !== undefined,
    );
    const isOfList = action === 'list' || action === 'create';
    const list =
      above !== undefined && isOfList
        ? `/${above.target.names.kebab}/{id}/${String(above.nestedPath)}`
        : `/${names.kebab}`;
    const path = isOfList ? list : `${list}/{id}`;
    const method = METHOD_OF[action];
    const endpoint = this.#endpoints.get(`${method} ${path}`);
    if (endpoint === undefined) return undefined;
    const status = endpoint.statuses.find((one) => one >= 200 && one < 300);
    const keyOf: KeyOf = (to) => this.#collections.get(to)?.definition.key ?? 'uuid';
    const isWrite = ['create', 'replace', 'update'].includes(action);
    const reference = isOfList ? above?.field.name : undefined;
    return {
      method,
      path: this.prefix + path,
      keys: isOfList
        ? above === undefined
          ? []
          : [keyOf(above.target.collection)]
        : [definition.key],
      mediaType: this.#mediaType,
      status: String(status),
      request: isWrite ? requestMembers(definition, reference, keyOf) : undefined,
      response: action === 'remove' ? undefined : responseMembers(definition, keyOf),
      filterTypes: new Map(
        [...responseMembers(definition, keyOf)].map(([member, { type }]) => [member, type]),
      ),
      isPublic: endpoint.permission.includes('public'),
      definition,
    };
  }
}

/** Gives the key of a collection; users have UUIDs. */
type KeyOf = (collection: string) => KeyType;

/** Of a reference clients see the id. */
const idType = (key: KeyType): string => (key === 'uuid' ? 'uuid' : 'string');

const memberOf = (
  field: Field,
  isDemanded: boolean,
  keyOf: KeyOf,
): readonly [string, OfferedMember] => [
  field.name,
  {
    name: field.name,
    type:
      field.type.type === 'reference'
        ? { type: idType(keyOf(field.type.to)) }
        : typeKeys(field.type),
    isNullable: !field.required,
    ...(field.default !== undefined && { default: field.default }),
    isDemanded,
  },
];

/** @param given the reference that the path says already. */
const requestMembers = (
  { fields }: CollectionDefinition,
  given: string | undefined,
  keyOf: KeyOf,
): ReadonlyMap<string, OfferedMember> =>
  new Map(
    fields
      .filter(({ readOnly }) => !readOnly)
      .map((field) =>
        memberOf(
          field,
          field.required && field.default === undefined && field.name !== given,
          keyOf,
        ),
      ),
  );

function responseMembers(
  { key, times, fields }: CollectionDefinition,
  keyOf: KeyOf,
): ReadonlyMap<string, OfferedMember> {
  const builtIn = (name: string, type: string): readonly [string, OfferedMember] => [
    name,
    { name, type: { type }, isNullable: false, isDemanded: false },
  ];
  return new Map([
    builtIn('id', idType(key)),
    ...fields.filter(({ writeOnly }) => !writeOnly).map((field) => memberOf(field, false, keyOf)),
    ...times.map((time) => builtIn(time, 'timestamp')),
  ]);
}
