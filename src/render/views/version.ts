/** What the template of a collection in an older version says: its shapes, and the way to what is stored. */
import { ownMember } from '../../shared/json.ts';
import { isAssigned } from '../../definition/set-by-hook.ts';
import type { Field, MemberRule } from '../../definition/types.ts';
import { membersOf, renameMembers } from '../../expressions/expression.ts';
import { ruleText } from '../../expressions/rule-text.ts';
import { specOf } from '../../types/registry.ts';
import type { FieldType } from '../../types/registry.ts';
import { isStringOrText } from '../../types/text.ts';
import { writtenRelations } from '../../model/set-by-code.ts';
import { viewColumns, searchedColumn } from '../../model/list-columns.ts';
import { toPascal } from '../../model/names.ts';
import { writesEvents } from '../../model/events.ts';
import { hiddenOwner } from '../../model/owner-paths.ts';
import { hasTransitions } from '../../model/transitions.ts';
import type { Names } from '../../model/names.ts';
import { quoted } from '../../shared/sql.ts';
import { narrowForTests } from '../../model/narrow-for-tests.ts';
import type { Collection, Model, Relation, View, ViewMember } from '../../model/types.ts';
import { teamMembers, teamName } from '../../model/versions.ts';
import { commonNames } from './type-imports.ts';
import { stringLiteral, valueLiteral } from '../../shared/literals.ts';
import { collectionView, columnViews } from './collection.ts';
import { checkViews } from './checks.ts';
import type { CollectionView } from './collection.ts';
import { documentationView, exampleOf } from './documentation.ts';
import { collectionImports, presentTexts } from './module-imports.ts';
import type { ModuleImport } from './module-imports.ts';
import { referenceUnion } from './repository.ts';

interface MemberValue {
  readonly name: string;
  readonly value: string;
}

/** A collection that another one is nested in, as code. */
interface NestedCode {
  /** The reference, by its name in what is stored. */
  readonly member: string;
  readonly parent: string;
  readonly path: string;
  /** Code for the resource of the parent. */
  readonly resource: string;
  /** The end of the names of its operations. */
  readonly name: string;
}

interface ParentImport {
  readonly kebab: string;
  readonly constant: string;
}

/** The data of templates/collection/version.ts.hbs. */
export interface VersionView extends Omit<CollectionView, 'columns' | 'unique' | 'transitions'> {
  /** What the file is about. */
  readonly about: string;
  /** `version 1`, or `versions 1 and 2`. */
  readonly which: string;
  /** What the collection is called in the code. */
  readonly code: Names;
  readonly type: string;
  readonly camel: string;
  readonly show: string;
  readonly store: string;
  readonly imports: readonly ModuleImport[];
  readonly conversions: readonly { name: string; code: string; doc: string }[];
  /** What is shown of an item, and what stays hidden. */
  readonly shown: readonly MemberValue[];
  readonly hidden: readonly MemberValue[];
  readonly stored: readonly MemberValue[];
  /** The doc comment, the parameters and the constants of the function that gives what is stored. */
  readonly storeDoc: string;
  readonly storeParameters: string;
  readonly storeConstants: readonly MemberValue[];
  /** The readers of bodies. */
  readonly bodies: string;
  readonly references: readonly { stored: string; shown: string }[];
  /** Stored members with transitions, with code for what the version calls them and their values. */
  readonly transitions: readonly { stored: string; shown: string }[];
  readonly unique: CollectionView['unique'];
  /** Whether some unique index does not hold all items, also if the version cannot state its rule. */
  readonly hasUniqueWhere: boolean;
  readonly columns: CollectionView['columns'];
  /** The stored member that each shown one is made of, and those that are converted. */
  readonly sources: readonly { name: string; stored: string }[];
  readonly converted: readonly string[];
  /** The column with the words that its searches look at, quoted, where that is one of its own. */
  readonly words: string | undefined;
  readonly nestedPaths: readonly NestedCode[];
}

export function versionView(stored: Collection, view: View): VersionView {
  const { collection, members, key } = view;
  const { names: code } = stored;
  const suffix = key.toUpperCase();
  const type = `${code.type}${suffix}`;
  const uses = new Set<string>();
  const constants = members.flatMap((member) => conversionConstants(member, suffix, code, uses));
  const constantFor = (member: ViewMember): string | undefined =>
    constants.find((constant) => constant.member === member)?.name;
  const wrap =
    ({ name }: Field) =>
    (shape: string): string => {
      const member = members.find(({ shown }) => shown.name === name);
      const constant = member && constantFor(member);
      if (member?.upTo === undefined || constant === undefined) return shape;
      // Each of the other names means a value.
      if (member.stored.readOnly || member.conversion.kind === 'values') return shape;
      uses.add('convertible');
      const hint = hintFor(member);
      return `convertible(${shape}, ${constant}, ${code.type}Body.properties.${member.stored.name}, ${stringLiteral(hint)})`;
    };
  const base = collectionView(collection, view.model, { type, wrap, uses: [...uses] });
  // A text of an older version is not any text.
  const [tested = collection] = narrowForTests({ ...view.model, collections: [collection] }, [
    view,
  ]).collections;
  const item = code.variable;
  const valueOf = ({ stored: field }: ViewMember, constant: string | undefined): string => {
    if (constant === undefined) return `${item}.${field.name}`;
    if (field.required) return `${constant}.show(${item}.${field.name})`;
    uses.add('orNull');
    return `orNull(${constant}.show, ${item}.${field.name})`;
  };
  const shownOf = (member: ViewMember): MemberValue => ({
    name: member.shown.name,
    value: valueOf(member, constantFor(member)),
  });
  const isKept = (member: ViewMember): boolean =>
    !member.stored.readOnly &&
    (member.conversion.kind === 'team' || Object.keys(member.substitutes).length > 0);
  /** The member that clients of the version send for a field; undefined if they send none. */
  const sentFor = (field: Field): ViewMember | undefined =>
    field.readOnly ? undefined : members.find((one) => one.stored === field);
  /** Whether the version does not have the member, and its default is known here. */
  const isUnsaid = (field: Field): boolean =>
    sentFor(field) === undefined && field.hasDatabaseDefault !== true;
  const storedOf = (field: Field): MemberValue => {
    const member = sentFor(field);
    if (member === undefined) {
      const source = isUnsaid(field) ? 'unseen' : 'stored?';
      return { name: field.name, value: `${source}.${field.name}` };
    }
    const constant = constantFor(member);
    const sent = `sent.${member.shown.name}`;
    if (constant === undefined) return { name: field.name, value: sent };
    const guard = field.hasDatabaseDefault === true ? `${sent} === undefined ? undefined : ` : '';
    uses.add('reading');
    if (!field.required) uses.add('orNull');
    const read = field.required
      ? `reading(${constant})(${sent})`
      : `orNull(reading(${constant}), ${sent})`;
    if (!isKept(member)) return { name: field.name, value: `${guard}${read}` };
    const shown = `shown?.${member.shown.name}`;
    return {
      name: field.name,
      value: `${guard}storedIfUnchanged(stored?.${field.name}, ${shown}, ${sent}) ?? ${read}`,
    };
  };
  const fields = stored.definition.fields.filter((field) => !isAssigned(field));
  const hasReadOnly = fields.some(({ readOnly }) => readOnly);
  const hasHidden = fields.some(({ writeOnly }) => writeOnly);
  const storedValues = fields.map(storedOf);
  const readable = members.filter((member) => !member.stored.writeOnly);
  const shown = [
    { name: 'id', value: `${item}.id` },
    ...readable.filter((member) => member.stored.name !== 'id').map(shownOf),
    ...stored.definition.times.map((name) => ({ name, value: `${item}.${name}` })),
    ...(base.existing ? [{ name: '[REVISION]', value: `${item}[REVISION]` }] : []),
  ];
  const hidden = members.filter((member) => member.stored.writeOnly).map(shownOf);
  const usesUnsaid = fields.some(isUnsaid);
  const usesStored = fields.some((field) => sentFor(field) === undefined);
  const usesShown = members.some(isKept);
  const showStored = `${code.itemCamel}To${suffix}${hidden.length > 0 ? 'Whole' : ''}`;
  const store = `${code.itemCamel}From${suffix}`;
  const storedType = hasHidden ? `Stored${code.type}` : code.type;
  const takesStored = usesShown || usesStored;
  const parameters = `sent: ${type}Values${takesStored ? `, stored?: ${storedType}` : ''}`;
  const nestedPaths = nestedCode(collection, members);
  const { checks } = checkViews(stored.table, collection.definition.checks);
  const hasChecks = checks.length > 0;
  const checkedStore = `(${parameters}) => checked(checks, ${store}(sent${takesStored ? ', stored' : ''}))`;
  const bodies = `bodiesOf(${base.bodyReader}, {${hasChecks ? '\n' : ' '}show: ${showStored}, store: ${hasChecks ? checkedStore : store}, references })`;
  const which = versionList(view.versions);
  const hasDefaults = base.databaseDefaults.length > 0;
  const unsaid = hasReadOnly
    ? `{ ...defaultsOf(${code.type}Body), ...defaultsOf(${code.type}ReadOnly) }`
    : `defaultsOf(${code.type}Body)`;
  const owner = hiddenOwner(stored, view);
  return {
    ...base,
    checks,
    transitions: stored.definition.fields
      .filter(({ transitions }) => transitions !== undefined)
      .map((field) => {
        const member = members.find((one) => one.stored === field);
        return {
          stored: field.name,
          shown: member ? shownCode(member, constantFor(member)) : 'null',
        };
      }),
    example: exampleOf(tested.definition),
    about: fileComment(stored, view),
    which,
    code,
    type,
    camel: `${code.itemCamel}${suffix}`,
    show: `${code.itemCamel}To${suffix}`,
    store,
    imports: collectionImports([
      ['http/body.ts', ['bodyReader']],
      ['http/checks.ts', [hasChecks && 'checked']],
      ['http/conversions.ts', commonNames([...uses])],
      [
        'http/database-defaults.ts',
        hasDefaults ? ['databaseDefault', 'exceptDatabaseDefaults'] : [],
        [hasDefaults && 'WithDatabaseDefaults'],
      ],
      ...base.typeImports.map(({ module, names }) => [`http/${module}.ts`, names] as const),
      ['http/filters.ts', base.filterImports],
      ['http/hidden-owner.ts', [owner !== undefined && 'withHiddenOwner']],
      ['http/list.ts', [], ['ListOptions']],
      ['http/preconditions.ts', [base.existing && 'REVISION']],
      ...base.listParameters.map(({ module, value }) => [module, [value]] as const),
      ['http/shapes.ts', base.shapeImports, ['Complete']],
      ['http/transitions.ts', base.hasInitial ? ['keepsInitial', 'withInitial'] : []],
      [
        'http/view.ts',
        [
          'bodiesOf',
          'computedMembers',
          'computedSources',
          usesUnsaid && 'defaultsOf',
          usesShown && 'storedIfUnchanged',
        ],
      ],
      ...parentImports(nestedPaths, collection, code).map(
        ({ kebab, constant }) => [`../${kebab}.ts`, [constant]] as const,
      ),
      ['./repository.ts', [code.constant, `${code.itemCamel}Table`]],
      [
        './schema.ts',
        presentTexts([
          (usesUnsaid || uses.has('convertible')) && `${code.type}Body`,
          `${code.type}Computed`,
          usesUnsaid && hasReadOnly && `${code.type}ReadOnly`,
          hasChecks && `${code.itemCamel}Checks`,
          hasTransitions(stored.definition.fields) && `${code.itemCamel}Transitions`,
        ]).toSorted(),
        [...new Set([storedType, code.type, `${code.type}Values`])].toSorted(),
      ],
      [
        './versions.ts',
        [
          members.some(({ conversion }) => conversion.kind === 'team') &&
            `${code.itemCamel}Versions`,
        ],
      ],
      ['./views.ts', [], [`${code.type}View`]],
    ]),
    conversions: constants.map(({ name, code: text, doc }) => ({ name, code: text, doc })),
    shown,
    hidden,
    stored: storedValues,
    storeDoc: `The stored values of ${code.anItem} that ${which} writes.${
      takesStored
        ? ' Members that it does not have keep their\nstored value, or get their default.'
        : ''
    }`,
    storeParameters: fields.some((field) => sentFor(field) !== undefined)
      ? parameters
      : `_${parameters}`,
    storeConstants: [
      ...(usesShown ? [{ name: 'shown', value: `stored && ${showStored}(stored)` }] : []),
      ...(usesUnsaid ? [{ name: 'unseen', value: `stored ?? ${unsaid}` }] : []),
    ],
    bodies: owner === undefined ? bodies : `withHiddenOwner(${stringLiteral(owner)}, ${bodies})`,
    references: writtenRelations(stored).map(({ field }) => ({
      stored: field.name,
      shown: members.find((member) => member.stored === field)?.shown.name ?? field.name,
    })),
    unique: stored.table.indexes
      .filter(({ unique }) => unique)
      .map(({ name, fields: unique }) => ({
        name,
        members: unique.flatMap(
          (field) => members.find((member) => member.stored.name === field)?.shown.name ?? [],
        ),
      })),
    uniqueWhere: stored.table.indexes.flatMap(({ name, where }) => {
      const rule = where && whereIn(where.rule, members);
      return rule === undefined ? [] : [{ name, rule }];
    }),
    hasUniqueWhere: base.uniqueWhere.length > 0,
    sources: [
      { name: 'id', stored: 'id' },
      ...readable
        .filter((member) => member.stored.name !== 'id')
        .map((member) => ({ name: member.shown.name, stored: member.stored.name })),
      ...stored.definition.times.map((time) => ({ name: time, stored: time })),
    ],
    converted: readable
      .filter((member) => constantFor(member) !== undefined)
      .map((member) => member.stored.name),
    columns: columnViews(viewColumns(stored, view)),
    words: ownWords(stored, view),
    nestedPaths,
  };
}

/** A rule over what is stored, in the words of a version; undefined if that has not all of its members as they are. */
function whereIn({ expression }: MemberRule, members: readonly ViewMember[]): string | undefined {
  const shownAs = (name: string): string | undefined =>
    members.find(
      ({ stored, conversion, substitutes }) =>
        stored.name === name && conversion.kind === 'same' && Object.keys(substitutes).length === 0,
    )?.shown.name;
  return membersOf(expression).every(({ name }) => shownAs(name) !== undefined)
    ? ruleText(renameMembers(expression, (name) => shownAs(name) ?? name))
    : undefined;
}

/** The data of templates/collection/views.ts.hbs. */
export interface ViewsView {
  readonly names: Names;
  readonly tag: string;
  readonly uniqueNames: readonly string[];
  readonly same: boolean;
  readonly parents: readonly ParentImport[];
  readonly views: readonly { readonly camel: string; readonly key: string }[];
  /** The references, as a union of literal types. */
  readonly references: string;
  readonly team: readonly { name: string; stored: string; older: string; doc: string }[];
  readonly nestedPaths: readonly NestedCode[];
  readonly entries: readonly { readonly version: number; readonly view: string }[];
  /** Whether changes write events, and the form in which each version has the item there. */
  readonly events: boolean;
  readonly forms: readonly EventForm[];
}

/** Code for the form of items from a version on; `null` if it does not have them. */
interface EventForm {
  readonly version: number;
  readonly code: string;
}

export function viewsView(collection: Collection, model: Model): ViewsView {
  const { names, definition } = collection;
  const { same = [], views = [] } = model.versions?.collections.get(definition.name) ?? {};
  const camelOf = ({ key }: View): string => `${names.itemCamel}${key.toUpperCase()}`;
  const nestedPaths = nestedCode(collection, []);
  const { tag, uniqueNames } = documentationView(collection);
  const entries = model.service.versions.flatMap((version) => {
    const view = views.find(({ versions }) => versions.includes(version));
    if (view !== undefined) return [{ version, view: camelOf(view) }];
    return same.includes(version) ? [{ version, view: 'stored' }] : [];
  });
  const events = writesEvents(collection);
  return {
    names,
    tag,
    uniqueNames,
    same: same.length > 0,
    parents: parentImports(nestedPaths, collection, names),
    views: views.map((view) => ({ camel: camelOf(view), key: view.key })),
    references: referenceUnion(collection),
    team: teamMembers(model, definition.name).map((member) => ({
      name: teamName(member),
      stored: typeCode(member.stored.type),
      older: typeCode(member.shown.type),
      doc: `\`${member.stored.name}\` as versions up to ${member.upTo} have it${
        member.shown.name === member.stored.name ? '' : `, in \`${member.shown.name}\``
      }.`,
    })),
    nestedPaths,
    entries,
    events,
    forms: events ? eventForms(model.service.versions, entries, names) : [],
  };
}

/** The forms of items in events: one for each run of versions that have the same. */
const eventForms = (
  versions: readonly number[],
  entries: ViewsView['entries'],
  { variable }: Names,
): EventForm[] =>
  versions
    .map((version) => {
      const entry = entries.find((one) => one.version === version);
      return { version, code: entry === undefined ? 'null' : `${entry.view}.show(${variable})` };
    })
    .filter(({ code }, at, all) => code !== all[at - 1]?.code);

/** Code for what a version calls a member with transitions and its values. */
function shownCode(
  { stored: { type }, shown, substitutes }: ViewMember,
  constant: string | undefined,
): string {
  const hidden = Object.keys(substitutes);
  const others = hidden.length === 0 ? '' : `, hidden: ${valueLiteral(hidden)}`;
  const value = constant === undefined ? 'value' : `${constant}.show(value as ${typeCode(type)})`;
  return `{ member: ${stringLiteral(shown.name)}, value: (value) => ${value}${others} }`;
}

/** The TypeScript type of the values of a type. */
const typeCode = (type: FieldType): string => specOf(type).typescript(type);

const listed = (numbers: readonly number[]): string =>
  numbers.length < 2
    ? numbers.join('')
    : `${numbers.slice(0, -1).join(', ')} and ${numbers.at(-1)}`;

/** `version 1`, or `versions 1 and 2`. */
const versionList = (versions: readonly number[]): string =>
  `version${versions.length > 1 ? 's' : ''} ${listed(versions)}`;

function fileComment({ names }: Collection, { collection, versions }: View): string {
  const has = `${capital(names.words)} as ${versionList(versions)} ha${versions.length > 1 ? 've' : 's'} them`;
  return collection.names.words === names.words
    ? `${has}, and the way to what is stored and back.`
    : `${has}: as ${collection.names.words}. And the way to what is stored and back.`;
}

interface Constant {
  readonly member: ViewMember;
  readonly name: string;
  readonly code: string;
  readonly doc: string;
}

/** How a member is converted, where it is; what is needed for it is added to `uses`. */
function conversionConstants(
  member: ViewMember,
  suffix: string,
  code: Names,
  uses: Set<string>,
): Constant[] {
  const { stored, conversion, substitutes, upTo } = member;
  const name = `${stored.name.toUpperCase()}_IN_${suffix}`;
  const constant = (text: string, doc = ''): Constant[] => [{ member, name, code: text, doc }];
  const call = (helper: string, ...args: readonly string[]): Constant[] => {
    uses.add(helper);
    return constant(`${helper}(${args.join(', ')})`);
  };
  if (conversion.kind === 'team') return constant(`${code.itemCamel}Versions.${teamName(member)}`);
  const others = Object.keys(substitutes);
  if (conversion.kind === 'values' || others.length > 0) {
    const values = stored.type.type === 'enum' ? stored.type.values : [];
    const shownFor = (value: string): string => {
      const here = ownMember(substitutes, value) ?? value;
      return conversion.kind === 'values' ? (ownMember(conversion.names, here) ?? here) : here;
    };
    // What the version has comes first: it is what is meant by what is sent.
    const order = [...values.filter((value) => !others.includes(value)), ...others];
    const pairs = Object.fromEntries(order.map((value) => [value, shownFor(value)]));
    uses.add('shownAs');
    return constant(
      `shownAs(${valueLiteral(pairs)})`,
      others.length > 0 ? 'Values that the version does not have are shown as others.' : '',
    );
  }
  if (upTo === undefined) return [];
  switch (conversion.kind) {
    case 'same':
      if (isStringOrText(member.shown.type)) {
        // Texts have one form for a value; decimals and UUIDs have several.
        const own = specOf(stored.type).asText?.(stored.type);
        if (own !== undefined) {
          for (const helper of own.uses) uses.add(helper);
          return constant(own.text);
        }
      }
      uses.add('unchanged');
      return constant(`unchanged<${typeCode(stored.type)}, ${typeCode(member.shown.type)}>()`);
    case 'number-of-text':
      return call(
        'numberOfText',
        String(conversion.scale),
        ...(stored.type.type === 'decimal' ? [String(stored.type.precision)] : []),
      );
    case 'text-of-integer':
      uses.add('textOfInteger');
      return constant('textOfInteger');
    case 'decimal-of-integer':
      return call('decimalOfInteger', String(conversion.scale));
    case 'longer-text':
      return call('longerText', String(conversion.from), String(conversion.to));
    case 'midnight':
      uses.add('midnight');
      return constant('midnight');
    case 'list-of-one':
      uses.add('listOfOne');
      return constant(`listOfOne<${typeCode(stored.type)}>()`);
    case 'only-entry':
      uses.add('onlyEntry');
      return constant(`onlyEntry<${typeCode(member.shown.type)}>()`);
  }
}

/** What is wrong with a value that the older type has and the field cannot hold. */
const hintFor = ({ stored: { type }, shown }: ViewMember): string =>
  specOf(type).hint?.(type, shown.type) ?? 'must be a value that can be kept';

function nestedCode({ relations }: Collection, members: readonly ViewMember[]): NestedCode[] {
  return relations.flatMap(({ field, nestedPath, target }) => {
    if (nestedPath === undefined) return [];
    const constant = resourceOf(target);
    const isCalledOtherwise = target.names.itemWords !== target.code.itemWords;
    return [
      {
        member: members.find(({ shown }) => shown.name === field.name)?.stored.name ?? field.name,
        parent: target.names.kebab,
        path: nestedPath,
        name: `${toPascal(nestedPath)}Of${target.names.type}`,
        resource: isCalledOtherwise
          ? `{ ...${constant}, item: ${stringLiteral(target.names.itemWords)}, anItem: ${stringLiteral(target.names.anItem)} }`
          : constant,
      },
    ];
  });
}

const resourceOf = ({ collection, code }: Relation['target']): string =>
  collection === 'users' ? 'USER_RESOURCE' : code.constant;

/** The imports of the resources of parents, except the collection's own. */
function parentImports(
  nested: readonly NestedCode[],
  { relations }: Collection,
  own: Names,
): ParentImport[] {
  const targets = relations.filter(({ nestedPath }) => nestedPath !== undefined);
  const imports = new Map(
    targets
      .filter(({ target }) => target.code.kebab !== own.kebab && nested.length > 0)
      .map(({ target }) => [resourceOf(target), target] as const),
  );
  return [...imports]
    .map(([constant, { collection, code }]) => ({
      constant,
      kebab: collection === 'users' ? '../auth/users' : `${code.kebab}/repository`,
    }))
    .toSorted((one, other) => (one.kebab < other.kebab ? -1 : 1));
}

/** The column with the words of just what the version searches in; absent where that is the first. */
function ownWords(collection: Collection, view: View): string | undefined {
  const words = searchedColumn(collection, view);
  return words === undefined || words === collection.table.words[0]?.name
    ? undefined
    : quoted(words);
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
