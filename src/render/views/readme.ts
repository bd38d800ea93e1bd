/** The data of a project's README. */
import { hasSoftDelete } from '../../model/existing.ts';
import { ruleText } from '../../expressions/rule-text.ts';
import { includePathsOf } from '../../model/includes.ts';
import type { Names } from '../../model/names.ts';
import { ownerPathText } from '../../model/owner-paths.ts';
import { hasOwners } from '../../model/permissions.ts';
import type { Collection, Model } from '../../model/types.ts';
import { currentOf } from '../../model/versions.ts';
import { accessRow } from './access-row.ts';
import type { AccessRow } from './access-row.ts';
import { versionChanges } from './changes.ts';
import type { VersionChanges } from './changes.ts';
import type { CollectionDefinition } from '../../definition/types.ts';
import { checkMessage } from './checks.ts';
import { diagramOf } from './diagram.ts';
import { nameWithSchema } from '../../definition/existing-table.ts';
import { documentedMembers } from './documented.ts';
import type { DocumentedMember } from './documented.ts';
import { endpointRows } from './endpoints.ts';
import type { EndpointRow } from './endpoints.ts';
import { serviceView } from './service.ts';
import { hasClientKey, isNumbered } from '../../model/keys.ts';
import type { ServiceView } from './service.ts';
import { stateDiagrams } from './state-diagrams.ts';
import type { StateDiagram } from './state-diagrams.ts';
import { versionsView } from './versions.ts';

/** The most steps of a diagram that a person can read. */
const MOST_DRAWN_STEPS = 200;

/** The data of templates/service/README.md.hbs: what clients of the current version see. */
export interface ReadmeView extends Omit<ServiceView, 'collections'> {
  /** The frozen versions: `version 1`, `versions 1 and 2`; empty if there are none. */
  readonly frozen: string;
  /** What each version changed; empty if versions do not differ. */
  readonly changes: readonly VersionChanges[];
  readonly lifecycles: readonly { readonly version: number; readonly life: string }[];
  readonly endpoints: readonly EndpointRow[];
  /** The collections and their references, in Mermaid. */
  readonly diagram: string;
  /** The permissions: a row for each collection. */
  readonly access: readonly AccessRow[];
  /** Whether some collection limits an action to the owner of an item. */
  readonly ownership: boolean;
  /** The owner paths, and whether items of other collections belong to who created them. */
  readonly ownerPaths: readonly { readonly words: string; readonly path: string }[];
  readonly creators: boolean;
  readonly collections: readonly DescribedCollection[];
}

interface DescribedCollection {
  readonly names: Names;
  /** Whether ids are numbers. */
  readonly numbered: boolean;
  /** Whether clients choose ids. */
  readonly clientKey: boolean;
  /** What is said of ids that consist of the values of fields; empty: nothing. */
  readonly idOf: string;
  /** The column that marks removed rows; empty if rows are deleted. */
  readonly softDelete: string;
  /** The existing table that its rows are in, and which times items have; empty if the table is the service's. */
  readonly existingTable: string;
  readonly existingTimes: string;
  readonly description: string;
  readonly documented: readonly DocumentedMember[];
  readonly sort: readonly string[];
  readonly filterNames: readonly string[];
  readonly include: readonly string[];
  readonly search: boolean;
  readonly searchNames: readonly string[];
  /** What is unique beyond single members, as `a and b where c`. */
  readonly unique: readonly string[];
  /** The messages of rules over several members. */
  readonly rules: readonly string[];
  /** The state diagrams of members with transitions. */
  readonly stateDiagrams: readonly { readonly member: string; readonly diagram?: string }[];
}

export function readmeView(model: Model): ReadmeView {
  const { lifecycles, retired } = model.service;
  const current = currentOf(model);
  const states = stateDiagrams(current);
  const frozen = lifecycles.flatMap(({ version, frozen: is }) => (is ? version : []));
  return {
    ...serviceView(current),
    ...versionsView(model),
    frozen: versionsInWords(frozen),
    endpoints: endpointRows(current),
    diagram: diagramOf(current),
    access: current.collections.map(accessRow),
    ownership: current.collections.some(({ definition }) => hasOwners(definition)),
    ownerPaths: current.collections.flatMap(({ names, definition }) => {
      const path = ownerPathText(definition);
      return path === undefined ? [] : [{ words: names.words, path }];
    }),
    creators: current.collections.some(({ table }) => table.hasOwner),
    collections: current.collections.map((collection) =>
      describedCollection(collection, current, states),
    ),
    changes: model.versions === undefined ? [] : versionChanges(model),
    lifecycles: [
      ...retired.map((version) => ({ version, life: 'retired: all of its paths return 410' })),
      ...lifecycles.map(({ version, deprecated, sunset }, at) => ({
        version,
        life:
          at === lifecycles.length - 1
            ? 'current'
            : deprecated === undefined
              ? 'supported'
              : `deprecated from ${deprecated}${sunset === undefined ? '' : `, ends on ${sunset}`}`,
      })),
    ],
  };
}

function describedCollection(
  collection: Collection,
  model: Model,
  states: readonly StateDiagram[],
): DescribedCollection {
  const { names, definition } = collection;
  return {
    names,
    numbered: isNumbered(collection),
    clientKey: hasClientKey(collection),
    idOf: idInWords(definition),
    softDelete: collection.table.existing?.softDelete?.column ?? '',
    existingTable: definition.existing === undefined ? '' : nameWithSchema(definition.existing),
    existingTimes: timesInWords(definition),
    description: definition.description ?? '',
    documented: documentedMembers(definition.fields),
    sort: definition.sort,
    filterNames: definition.filter,
    include: includePathsOf(collection, model).map(({ path }) => path),
    search: definition.search.length > 0,
    searchNames: definition.search,
    unique: definition.unique
      .filter(({ isKey }) => isKey !== true)
      .map(
        ({ fields, where }) =>
          fields.join(' and ') +
          (where === undefined ? '' : ` where ${ruleText(where.expression)}`),
      ),
    rules: definition.checks.map(checkMessage),
    stateDiagrams: states
      .filter(({ collection: name }) => name === definition.name)
      .map(({ member, diagram, steps }) => ({
        member,
        ...(steps <= MOST_DRAWN_STEPS && { diagram }),
      })),
  };
}

/** Which times items of an existing table have, as a sentence. */
function timesInWords({ times, existing }: CollectionDefinition): string {
  if (times.length === 0) return 'Items have no `created_at` and no `updated_at`.';
  const [time] = times;
  const nulls = (existing?.nullableTimes ?? []).map((one) => `\`${one}\``).join(' and ');
  return [
    ...(times.length > 1 ? [] : [`Of the two times, items have only \`${time}\`.`]),
    ...(nulls === '' ? [] : [`In rows of other programs, ${nulls} may be null.`]),
  ].join(' ');
}

function versionsInWords(versions: readonly number[]): string {
  if (versions.length < 2) return versions.map((version) => `version ${version}`).join('');
  return `versions ${versions.slice(0, -1).join(', ')} and ${versions.at(-1)}`;
}

function idInWords(definition: CollectionDefinition): string {
  const { keyFields } = definition;
  if (keyFields === undefined) return '';
  const names = keyFields.map((name) => `\`${name}\``).join(' and ');
  const again = hasSoftDelete(definition) ? '' : ' An item may have the id of a removed one.';
  return keyFields.length === 1
    ? `\`id\` is the value of ${names}, which POST requires and which never changes.${again}`
    : `\`id\` consists of the values of ${names}, with \`~\` between them, which POST requires and which never change. In texts, \`%\` is \`%25\` and \`~\` is \`%7E\`; paths have the id percent-encoded.${again}`;
}
