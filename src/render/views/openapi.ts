/** What the template of a collection's part of the OpenAPI document says. */
import type { Field } from '../../definition/types.ts';
import { mayBeHeld } from '../../model/held.ts';
import { toPascal } from '../../model/names.ts';
import type { Names } from '../../model/names.ts';
import { exampleValues } from '../../model/samples-values.ts';
import type { Collection, Model } from '../../model/types.ts';
import type { CollectionView } from './collection.ts';
import { valueCode } from './test-values.ts';

/** The id of an item that examples refer to. */
const SOME_ID = '01890a5d-ac96-774b-bcce-b302099a8057';

/** The data of templates/collection/openapi.ts.hbs. */
export interface OpenapiView extends CollectionView {
  /** What the shapes are called in the code, and where they are. */
  readonly code: {
    readonly paths: string;
    readonly body: string;
    readonly lists: string;
    readonly permissions: string;
    readonly module: string;
    /** Where the permissions are, if that is another module. */
    readonly permissionsModule: string;
  };
  readonly tag: string;
  readonly tagDescription: string;
  /** The members of a body; none where one that is needed has no example. */
  readonly example: readonly { readonly name: string; readonly code: string }[];
  /** Members that two items may not share, alone or together. */
  readonly uniqueNames: readonly string[];
  /** Whether a change needs `If-Match`. */
  readonly demandsIfMatch: boolean;
  /** Why an item may not be removed; empty where nothing keeps it. */
  readonly heldBy: string;
  readonly parents: readonly DocumentedParent[];
  /** Names of other modules that tell who may read a parent. */
  readonly parentPermissions: readonly { readonly kebab: string; readonly name: string }[];
}

/** A collection that this one is nested in. */
interface DocumentedParent {
  readonly kebab: string;
  readonly path: string;
  readonly anItem: string;
  /** The member that refers to it. */
  readonly member: string;
  /** Code for who may read it. */
  readonly read: string;
  /** What the two operations are called. */
  readonly list: string;
  readonly create: string;
}

/**
 * @param view what all templates of the collection say.
 * @param key of the view of a version that it is a part of, where it is one.
 */
export function openapiView(
  collection: Collection,
  model: Model,
  view: CollectionView,
  key = '',
): OpenapiView {
  const { definition, names, code, relations } = collection;
  const suffix = key.toUpperCase();
  const nested = relations.filter(({ nestedPath }) => nestedPath !== undefined);
  const permissionsOf = ({ itemCamel }: Names): string => `${itemCamel}Permissions`;
  const others = new Map(
    nested
      .filter(({ target }) => target.collection !== 'users' && target.code !== code)
      .map(({ target }) => [target.code.kebab, permissionsOf(target.code)]),
  );
  const isUnique = (name: string): boolean =>
    definition.fields.some((field) => field.name === name && field.unique) ||
    definition.unique.some((group) => group.includes(name));
  return {
    ...view,
    code: {
      paths: `${code.camel}${suffix}Paths`,
      body: `${code.type}${suffix}`,
      lists: `${code.itemCamel}${suffix}Lists`,
      permissions: permissionsOf(code),
      module: key === '' ? './schema.ts' : `./${key}.ts`,
      permissionsModule: key === '' ? '' : './schema.ts',
    },
    tag: capital(names.words),
    tagDescription: definition.description ?? `${capital(names.words)}.`,
    example: exampleOf(definition.fields),
    uniqueNames: definition.fields.map(({ name }) => name).filter(isUnique),
    demandsIfMatch: definition.requireIfMatch,
    heldBy: mayBeHeld(definition.name, model)
      ? `Others still refer to the ${names.itemWords}.`
      : '',
    parents: nested.map(({ target, field, nestedPath = '' }) => ({
      kebab: target.names.kebab,
      path: nestedPath,
      anItem: target.names.anItem,
      member: field.name,
      read: target.collection === 'users' ? `['owner']` : `${permissionsOf(target.code)}.read`,
      list: `list${toPascal(nestedPath)}Of${target.names.type}`,
      create: `create${toPascal(nestedPath)}Of${target.names.type}`,
    })),
    parentPermissions: [...others].map(([kebab, name]) => ({ kebab, name })),
  };
}

/** A value for each member that clients write. */
function exampleOf(fields: readonly Field[]): OpenapiView['example'] {
  const written = fields.filter(({ readOnly }) => !readOnly);
  const members = written.flatMap((field) => {
    if (field.type.type === 'reference') return [{ name: field.name, code: valueCode(SOME_ID) }];
    // What no client may read is no example either, even if it stands in the definition.
    const { example: _, ...hidden } = field;
    const values = exampleValues(field.writeOnly ? hidden : field);
    // Of objects the last is whole.
    const value = field.type.type === 'object' ? values.at(-1) : values[0];
    return value === undefined ? [] : [{ name: field.name, code: valueCode(value) }];
  });
  const isMissing = ({ name, required }: Field): boolean =>
    required && !members.some((member) => member.name === name);
  // Many validators take such a member for one that every object inherits, and refuse the example.
  const isInherited = ({ name }: Field): boolean => name in Object.prototype;
  return written.some((field) => isMissing(field) || isInherited(field)) ? [] : members;
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
