/** What the template of a collection's routes says. */
import type { Permissions } from '../../definition/types.ts';
import { hasInclude } from '../../model/includes.ts';
import { isBackground } from '../../model/jobs.ts';
import { toPascal } from '../../model/names.ts';
import type { Names } from '../../model/names.ts';
import { allowsOwners, neededToChange, ownCreationOf, readOf } from '../../model/permissions.ts';
import { writtenRelations } from '../../model/set-by-code.ts';
import { hasStepRoles, hasTransitions } from '../../model/transitions.ts';
import type { Collection, Model, Relation } from '../../model/types.ts';
import { isVersioned } from '../../model/versions.ts';
import { stringLiteral, valueLiteral } from '../../shared/literals.ts';
import { quoted } from '../../shared/sql.ts';
import type { KeyType } from '../../types/key.ts';
import type { Code } from '../../types/type.ts';
import { permissionCode } from './access.ts';
import { uniqueNamesOf } from './documentation.ts';
import { embeddingName } from './embedding.ts';
import { codeWords, routeCode } from './route-code.ts';
import type { CodeWords, RouteCode } from './route-code.ts';
import { callWithPermissions, nestedHooks, routeHooks } from './route-hooks.ts';
import type { RouteHooks } from './route-hooks.ts';
import { moduleImports } from './module-imports.ts';
import type { ImportRow, ModuleImport } from './module-imports.ts';
import { namesInTemplate, platformModules } from './route-imports.ts';

/** Code for the name and the summary of an operation. */
interface OperationView {
  readonly operationId: string;
  readonly summary: string;
}

/** Code for a route that creates items: the schema of its body, and the arguments of the function that reads it. */
interface CreationView {
  readonly sentBody: string;
  readonly creationArguments: readonly string[];
}

/** A collection that is nested in a parent: `/authors/{id}/books`. */
interface NestedView extends CreationView {
  /** The member that refers to the parent, and code for the parameters of paths with ids; empty for UUIDs. */
  readonly member: string;
  readonly idParameter: string;
  readonly hooks: Pick<RouteHooks, 'list' | 'create'>;
  readonly listArguments: readonly string[];
  /** Code for the parent's resource, and for the paths of the routes and of the list. */
  readonly resource: string;
  readonly url: string;
  readonly below: string;
  /** A constant that holds the path, where versions differ in it. */
  readonly variable: string;
  readonly operations: Readonly<Record<'list' | 'create', OperationView>>;
}

/** The data of templates/collection/routes.ts.hbs. */
export interface RoutesView extends CreationView {
  readonly name: string;
  readonly names: Names;
  readonly description: string;
  readonly fastifyTypes: readonly string[];
  readonly imports: readonly ModuleImport[];
  readonly parameters: readonly string[];
  /** Whether some version has the collection otherwise than it is stored, and the members of its view. */
  readonly versioned: boolean;
  readonly viewMembers: readonly string[];
  readonly code: RouteCode;
  /** Whether a creation is a job. */
  readonly background: boolean;
  /** Code for the arguments of `includesOf`; undefined without `include`. */
  readonly includes: string | undefined;
  readonly hooks: RouteHooks;
  readonly operations: Readonly<Record<'list' | 'create' | 'get' | 'delete', OperationView>>;
  /** PUT and PATCH, each with the function that reads its body. */
  readonly updates: readonly (OperationView & { readonly method: string; readonly read: string })[];
  /** Code for the parameters of the function that reads an update, which is asynchronous if it checks references. */
  readonly updateParameters: string;
  readonly listArguments: readonly string[];
  /** Code for the parameters of a path with an id; empty for UUIDs. */
  readonly idParameter: string;
  /** The headers of a change. */
  readonly ifMatch: string;
  /** Code for the responses of creations and updates. */
  readonly creationResponses: readonly string[];
  readonly updateResponses: readonly string[];
  /** Code for the options that routes pass to the repository. */
  readonly changeOptions: Readonly<Record<'create' | 'update' | 'delete', string>>;
  /** The check that a new item is the caller's; undefined if all who may create may create any. */
  readonly ownCreation: Code | undefined;
  /** Code for the references that some callers may not read. */
  readonly readable: readonly Code[];
  /** Whether some steps of transitions are those of certain roles. */
  readonly stepRoles: boolean;
  readonly nested: readonly NestedView[];
}

/** What the code of all routes of a collection depends on. */
interface RouteContext {
  readonly collection: Collection;
  readonly model: Model;
  readonly versioned: boolean;
  readonly code: RouteCode;
  readonly words: CodeWords;
  /** The filter of lists, where some callers read only items of their own. */
  readonly ownScope: Code | undefined;
  readonly ownership: Ownership | undefined;
}

/** How routes create items that belong to the user at the end of a path. */
interface Ownership {
  readonly check: Code;
  /** The owner of a new item whose body names none, and the reference to the owner; undefined without a default. */
  readonly byDefault: { readonly owner: string; readonly reference: string } | undefined;
  readonly refusal: string;
}

export function routesView(collection: Collection, model: Model): RoutesView {
  const { names, definition } = collection;
  const { name, description = '', fields, permissions } = definition;
  const versioned = isVersioned(model, name);
  const background = isBackground(collection);
  const includes = hasInclude(collection);
  const byVersion = model.versions !== undefined;
  const embedding = embeddingName({ collection: name, code: collection.code }, model);
  const code = routeCode(names, versioned);
  const words = codeWords(names, versioned);
  const operation = (verb: string, type = words.type, about = words.anItem): OperationView => ({
    operationId: words.text(`${verb.toLowerCase()}${type}`),
    summary: words.text(`${verb} ${about}`),
  });
  const ownScope = allowsOwners(permissions.read)
    ? callWithPermissions(names, ['read'], 'ownItemsFilter', 'request', code.resource)
    : undefined;
  const ownership = ownershipOf(collection, code, words);
  const context = { collection, model, versioned, code, words, ownScope, ownership };
  const hooks = routeHooks(collection, code.resource);
  const nested = collection.relations
    .filter(({ nestedPath }) => nestedPath !== undefined)
    .map((relation) => nestedView(context, relation));
  const readable = readableReferences(context);
  const stepRoles = hasStepRoles(fields);
  const hasSteps = hasTransitions(fields);
  const ifMatch = definition.requireIfMatch ? 'requiredIfMatch' : 'ifMatch';
  const unique = uniqueNamesOf(definition).map(stringLiteral).join(', ');
  const takenNames = versioned ? '...doc.unique' : unique;
  const taken = takenNames === '' ? [] : [`...taken(${takenNames})`];
  const steps = `...stepRefusals(${code.resource}, ${versioned ? 'doc.unique' : `[${unique}]`})`;
  const changeOptions = (...owning: readonly (keyof Permissions)[]): string => {
    const isLimited = owning.some((action) => allowsOwners(permissions[action]));
    return `principal: request.principal${isLimited ? ', ownedBy: request.ownedBy' : ''}${code.resourceArgument}`;
  };
  const uses = new Set([
    ...namesInTemplate(includes, background),
    ...[...Object.values(hooks), ...nested.flatMap((one) => Object.values(one.hooks)), ...readable]
      .concat(ownScope ?? [], ownership?.check ?? [])
      .flatMap((one) => one.uses),
    ...nested.flatMap((one) => ['bodyBelow', one.idParameter, one.resource]),
    ...(taken.length > 0 ? ['taken'] : []),
    ...(hasSteps ? ['stepRefusals'] : []),
    ...(stepRoles ? ['requireStepRoles'] : []),
    code.resource,
    idParameter(definition.key),
    ifMatch,
  ]);
  return {
    name,
    names,
    description,
    fastifyTypes: ['FastifyInstance', ...(readable.length > 0 ? ['FastifyRequest'] : [])],
    imports: moduleImports([
      ...platformModules(uses),
      ...otherModules(collection, uses),
      ['import', './embedding.ts', includes ? [embedding] : []],
      ...ownModules(context, uses),
    ]),
    parameters: [
      'app: FastifyInstance',
      'services: Services',
      ...(versioned || (includes && byVersion) ? ['version: number'] : []),
    ],
    versioned,
    viewMembers: [
      ...['path', 'resource', 'bodies', 'lists', 'table'],
      ...(nested.length > 0 ? ['nested'] : []),
      ...['show', 'doc'],
    ],
    code,
    background,
    includes: includes
      ? `${embedding}${versioned ? '[version]' : ''}${byVersion ? ', version' : ''}`
      : undefined,
    hooks,
    operations: {
      list: operation('List', words.types, words.words),
      create: operation('Create'),
      get: operation('Get'),
      delete: operation('Delete'),
    },
    updates: [
      { ...operation('Replace'), method: 'put', read: 'replace' },
      { ...operation('Update'), method: 'patch', read: 'patch' },
    ],
    updateParameters: readable.length > 0 ? 'async (stored)' : '(stored)',
    sentBody: ownedBody(code.body, ownership?.byDefault),
    creationArguments: ['request', ...optional(ownership?.byDefault?.owner)],
    listArguments: [
      ...['database', 'list'],
      ...(versioned ? [ownScope?.text ?? '[]', 'table'] : optional(ownScope?.text)),
    ],
    idParameter: idParameter(definition.key),
    ifMatch,
    creationResponses: [
      background ? '202: JobShape' : `201: ${code.item}`,
      ...optional(ownership?.refusal),
      ...taken,
    ],
    updateResponses: [`200: ${code.item}`, ...(hasSteps ? [steps] : taken)],
    changeOptions: {
      create: changeOptions(),
      update: changeOptions(...neededToChange(permissions)),
      delete: changeOptions('delete'),
    },
    ownCreation: ownership?.check,
    readable,
    stepRoles,
    nested,
  };
}

/** A text, or none. */
const optional = (text: string | undefined): string[] => (text === undefined ? [] : [text]);

/** Code for a body whose reference to the owner may be left out. */
const ownedBody = (body: string, byDefault: Ownership['byDefault']): string =>
  byDefault === undefined ? body : `ownedBody(${body}, ${byDefault.reference})`;

function ownershipOf(
  { definition, names }: Collection,
  { resource }: RouteCode,
  { text, itemWords, reference }: CodeWords,
): Ownership | undefined {
  const creation = ownCreationOf(definition);
  if (creation === undefined) return undefined;
  const { member, others, isDirect } = creation;
  const permissions = `${names.itemCamel}Permissions`;
  const value = member === undefined ? 'null' : `values.${member}`;
  const refusal = text(
    `You do not have the permission, or the ${itemWords} would not belong to you, and you may create only your own.`,
  );
  const byDefault =
    isDirect && member !== undefined
      ? {
          owner: `ownByDefault(request, ${stringLiteral(member)}, ${reference(member)}, ${permissions}.${others})`,
          reference: reference(member),
        }
      : undefined;
  return {
    check: {
      text: `requireOwnCreation(inside, request, ${resource}, ${value}, ${permissions}.${others})`,
      uses: [
        ...['requireOwnCreation', 'refusal', permissions],
        ...(byDefault === undefined ? [] : ['ownByDefault', 'ownedBody']),
      ],
    },
    byDefault,
    refusal: `403: refusal(${refusal})`,
  };
}

/** The references that some callers may not read: each as an entry for `requireReadable`. */
const readableReferences = ({ collection, model, versioned }: RouteContext): Code[] =>
  writtenRelations(collection).flatMap(({ field: { name }, target }) => {
    const { constant, itemCamel } = target.names;
    const permission = readOf(target.collection, model);
    if (permission.kind === 'public') return [];
    const permissions = `${itemCamel}Permissions`;
    const isUsers = target.collection === 'users';
    const read = isUsers ? permissionCode(permission) : `${permissions}.read`;
    const shown = versioned ? `shown: references.${name}, ` : '';
    return {
      text: `{ member: ${stringLiteral(name)}, ${shown}resource: ${constant}, id: values.${name}, read: ${read} }`,
      uses: ['requireReadable', 'Database', constant, ...(isUsers ? [] : [permissions])],
    };
  });

/** What the routes of a nested collection say. */
function nestedView(
  { collection, model, versioned, code, words, ownScope, ownership }: RouteContext,
  relation: Relation,
): NestedView {
  const { field, column, nestedPath = '', target } = relation;
  const variable = `by${toPascal(field.name.replace(/_id$/, ''))}`;
  const of = versioned
    ? {
        resource: `${variable}.resource`,
        parent: '${' + variable + '.parent}',
        path: '${' + variable + '.path}',
        name: '${' + variable + '.name}',
        anItem: '${' + variable + '.resource.anItem}',
      }
    : {
        resource: target.names.constant,
        parent: target.names.kebab,
        path: nestedPath,
        name: `${toPascal(nestedPath)}Of${target.names.type}`,
        anItem: target.names.anItem,
      };
  const url = `/${of.parent}/:id/${of.path}`;
  const key = (field.type.type === 'reference' ? field.type.key : undefined) ?? 'uuid';
  const id = key === 'string' ? 'encodeURIComponent(id)' : 'id';
  const scope = `{ column: ${valueLiteral(`${quoted(collection.table.name)}.${quoted(column)}`)}, id }`;
  const scopes = [scope, ...optional(ownScope && `...${ownScope.text}`)];
  const isOwner = field.name === collection.definition.owner?.[0]?.field;
  const byDefault = isOwner ? undefined : ownership?.byDefault;
  const more = byDefault === undefined ? '' : `, ...${byDefault.owner}`;
  return {
    member: field.name,
    idParameter: idParameter(key),
    hooks: nestedHooks(collection, relation, model, of.resource),
    listArguments: ['database', 'list', `[${scopes.join(', ')}]`, ...(versioned ? ['table'] : [])],
    resource: of.resource,
    url: versioned ? `\`${url}\`` : `'${url}'`,
    below: `\`${of.parent}/\${${id}}/${of.path}\``,
    variable,
    operations: {
      list: {
        operationId: words.text(`list${of.name}`),
        summary: words.text(`List the ${words.words} of ${of.anItem}`),
      },
      create: {
        operationId: words.text(`create${of.name}`),
        summary: words.text(`Create ${words.anItem} of ${of.anItem}`),
      },
    },
    sentBody: ownedBody(`bodyBelow(${code.body}, ${words.reference(field.name)})`, byDefault),
    creationArguments: ['request', `{ ${field.name}: id${more} }`],
  };
}

/** The modules of the collections that references lead to. */
function otherModules({ names, relations }: Collection, uses: ReadonlySet<string>): ImportRow[] {
  const others = relations
    .filter(({ target }) => target.names !== names && target.collection !== 'users')
    .map(({ target }) => [target.names.kebab, target.names] as const);
  return [...new Map(others).values()]
    .toSorted((one, other) => (one.kebab < other.kebab ? -1 : 1))
    .flatMap(({ kebab, constant, itemCamel }): ImportRow[] => [
      ['import', `../${kebab}/repository.ts`, [constant].filter((name) => uses.has(name))],
      [
        'import',
        `../${kebab}/schema.ts`,
        [`${itemCamel}Permissions`].filter((name) => uses.has(name)),
      ],
    ]);
}

/** The modules of the collection itself. */
function ownModules(
  { collection, versioned }: RouteContext,
  uses: ReadonlySet<string>,
): ImportRow[] {
  const { type, pascal, itemCamel, constant, lists } = collection.names;
  const background = isBackground(collection);
  const readable = uses.has('requireReadable');
  const permissions = [`${itemCamel}Permissions`].filter((name) => uses.has(name));
  return [
    [
      'import',
      './repository.ts',
      [
        ...(background ? [] : [`create${type}`]),
        `delete${type}`,
        ...(background ? [`dryRun${type}`] : []),
        ...[`find${type}`, `list${pascal}`],
        ...[constant].filter((name) => uses.has(name)),
        `update${type}`,
      ],
    ],
    [
      'import',
      './schema.ts',
      versioned
        ? permissions
        : [`${itemCamel}Bodies`, `${type}Body`, lists, ...permissions, `${type}Shape`],
    ],
    ['import type', './schema.ts', readable ? [`${type}Values`] : []],
    ['import', './views.ts', versioned ? [`${itemCamel}Views`] : []],
    ['import type', './views.ts', versioned && readable ? [`${type}View`] : []],
  ];
}

/** Code for the parameters of a path with an id; empty for UUIDs. */
const idParameter = (key: KeyType): string =>
  ({
    uuid: '',
    smallint: 'numericIdParameter',
    integer: 'numericIdParameter',
    bigint: 'numericIdParameter',
    string: 'textIdParameter',
    composite: 'compositeIdParameter',
  })[key];
