/** What the routes of a collection say of themselves: the code of their `schema`. */
import type { CollectionDefinition, Field } from '../../definition/types.ts';
import { ruleText } from '../../expressions/rule-text.ts';
import { placeholderIdOf } from '../../expressions/candidate-values.ts';
import { checkValues, isKeptValue } from '../../model/check-values.ts';
import { keptValues } from '../../model/samples.ts';
import { exampleValues } from '../../types/example-values.ts';
import { keySpec } from '../../types/key.ts';
import { specOf } from '../../types/registry.ts';
import { hasInclude } from '../../model/includes.ts';
import { ownerPathText } from '../../model/owner-paths.ts';
import { ownCreationOf } from '../../model/permissions.ts';
import type { Collection, Model } from '../../model/types.ts';
import { isVersioned } from '../../model/versions.ts';
import { hasTransitions } from '../../model/transitions.ts';
import { stringLiteral, valueCode } from '../../shared/literals.ts';

/** Code for the name and the summary of an operation. */
export interface OperationView {
  readonly operationId: string;
  readonly summary: string;
}

type Action = 'list' | 'create' | 'get' | 'replace' | 'update' | 'delete';

/** Code for the schemas of the routes of a collection. */
export interface DocumentationView {
  /** The group of its operations, and what it is. */
  readonly tag: string;
  readonly tagDescription: string;
  readonly operations: Readonly<Record<Action, OperationView>>;
  /** Code for the shapes of an item and of a body, what lists offer, and the tag. */
  readonly schemas: Readonly<Record<'item' | 'body' | 'lists' | 'tag', string>>;
  /** The members of an example of a body; none where one that is required has no example. */
  readonly example: readonly { readonly name: string; readonly code: string }[];
  /** Members that two items may not share, alone or together; with the rule of the items if that is not all. */
  readonly uniqueNames: readonly string[];
  /** A call for their 409, with a comma before it; empty where there are none. */
  readonly taken: string;
  /** The same for PUT and PATCH, with the refusals of steps. */
  readonly updateRefusals: string;
  /** What routes import from `transitions.ts`. */
  readonly transitionImports: readonly string[];
  /** The headers of a change. */
  readonly ifMatch: string;
  readonly parameterImports: readonly string[];
  readonly responseImports: readonly string[];
}

export function documentationView(collection: Collection, model: Model): DocumentationView {
  const { definition, names } = collection;
  const versioned = isVersioned(model, definition.name);
  const uniqueNames = uniqueNamesOf(definition);
  const ifMatch = definition.requireIfMatch ? 'requiredIfMatch' : 'ifMatch';
  const taken = versioned ? ['...doc.unique'] : uniqueNames.map((name) => stringLiteral(name));
  const takenCode = taken.length === 0 ? '' : `, ...taken(${taken.join(', ')})`;
  const resource = versioned ? 'resource' : names.constant;
  const refusals = `, ...stepRefusals(${resource}, ${versioned ? 'doc.unique' : `[${taken.join(', ')}]`})`;
  const hasSteps = hasTransitions(definition.fields);
  const { text, type, types, words, anItem } = wordsOf(collection, versioned);
  return {
    tag: capital(names.words),
    tagDescription: [
      definition.description ?? `${capital(names.words)}.`,
      ...ownerSentence(definition),
    ].join(' '),
    operations: {
      list: { operationId: text(`list${types}`), summary: text(`List ${words}`) },
      create: { operationId: text(`create${type}`), summary: text(`Create ${anItem}`) },
      get: { operationId: text(`get${type}`), summary: text(`Get ${anItem}`) },
      replace: { operationId: text(`replace${type}`), summary: text(`Replace ${anItem}`) },
      update: { operationId: text(`update${type}`), summary: text(`Update ${anItem}`) },
      delete: { operationId: text(`delete${type}`), summary: text(`Delete ${anItem}`) },
    },
    schemas: {
      item: versioned ? 'doc.item' : `${names.type}Shape`,
      body: versioned ? 'doc.body' : `${names.type}Body`,
      lists: versioned ? 'lists' : names.lists,
      tag: versioned ? 'doc.tag' : stringLiteral(capital(names.words)),
    },
    example: exampleOf(definition),
    uniqueNames,
    taken: takenCode,
    updateRefusals: hasSteps ? refusals : takenCode,
    transitionImports: hasSteps ? ['stepRefusals'] : [],
    ifMatch,
    parameterImports: [
      'idempotencyKey',
      ifMatch,
      'ifNoneMatch',
      ...(hasInclude(collection) ? [] : ['listQuery']),
    ].toSorted(),
    responseImports: [
      'noContent',
      ...(hasInclude(collection) ? [] : ['pageOf']),
      ...(ownCreationOf(definition) === undefined ? [] : ['refusal']),
      ...(taken.length === 0 ? [] : ['taken']),
    ],
  };
}

/** The names of a collection in code for texts: literals, or those of the version of a request. */
export function wordsOf({ names }: Collection, versioned: boolean) {
  if (!versioned) {
    const { type, pascal: types, words, anItem } = names;
    return { text: stringLiteral, type, types, words, anItem };
  }
  return {
    text: (code: string) => '`' + code + '`',
    type: '${doc.type}',
    types: '${doc.types}',
    words: '${doc.words}',
    anItem: '${resource.anItem}',
  };
}

/** Whose an item is, where an owner path says so. */
function ownerSentence(definition: Collection['definition']): string[] {
  const path = ownerPathText(definition);
  const links = (definition.owner ?? []).flatMap(({ collection, link }) =>
    link === undefined ? [] : [`\`${collection}\``],
  );
  if (path === undefined) return [];
  return [
    `The owner is the user at \`${path}\`.`,
    ...(links.length === 0
      ? []
      : [`Over ${links.join(' and ')}, the path leads to the item that refers to the one before.`]),
  ];
}

function uniqueNamesOf({ fields, unique }: Collection['definition']): string[] {
  const isUnique = ({ name, unique: alone }: Field): boolean =>
    alone || unique.some((rule) => rule.where === undefined && rule.fields.includes(name));
  return [
    ...fields.filter(isUnique).map(({ name }) => name),
    ...unique.flatMap(({ fields: names, where }) => {
      if (where === undefined) return [];
      // A version may not have what the rule is about.
      const rule = where.inView === undefined ? ` where ${ruleText(where.expression)}` : '';
      return [`${names.join(' and ')}${rule}`];
    }),
  ];
}

/**
 * A value for each member.
 * @param some those that clients write, unless given.
 * @returns nothing if a required one has no example.
 */
export function exampleOf(
  { fields, checks }: Pick<CollectionDefinition, 'fields' | 'checks'>,
  some: readonly Field[] = fields.filter(({ readOnly }) => !readOnly),
): DocumentationView['example'] {
  if (some.length === 0) return [];
  const known = checkValues(fields, checks, new Map());
  const members = some.flatMap((field) => {
    if (field.type.type === 'reference') {
      const id = isKeptValue(known, field, placeholderIdOf(field.name))
        ? keySpec(field.type.key ?? 'uuid').example
        : null;
      return [{ name: field.name, code: valueCode(id) }];
    }
    // What no client may read is no example either, even if it stands in the definition.
    const { example: _, ...hidden } = field;
    const kept = keptValues(field, known);
    const values = kept ?? exampleValues(specOf, field.writeOnly ? hidden : field);
    // Of objects the last is whole. Beside other members, one may have to be null.
    const value = (field.type.type === 'object' ? values.at(-1) : values[0]) ?? (kept && null);
    return value === undefined ? [] : [{ name: field.name, code: valueCode(value) }];
  });
  const isMissing = ({ name, required }: Field): boolean =>
    required && !members.some((member) => member.name === name);
  // Many validators take such a member for one that every object inherits, and refuse the example.
  const isInherited = ({ name }: Field): boolean => Object.hasOwn(Object.prototype, name);
  return some.some((field) => isMissing(field) || isInherited(field)) ? [] : members;
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
