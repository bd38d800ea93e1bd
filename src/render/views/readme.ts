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
import { markdownText } from '../../shared/literals.ts';
import { when } from './module-imports.ts';
import { serviceView } from './service.ts';
import { hasClientKey, isNumbered } from '../../model/keys.ts';
import type { ServiceView } from './service.ts';
import { statusRows } from './status-rows.ts';
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
  /** The owner paths, in words, and whether items of other collections belong to who created them. */
  readonly ownerPaths: readonly string[];
  readonly creators: boolean;
  readonly worker: WorkerWords;
  /** What each test file has of its own in PostgreSQL. */
  readonly testSpaces: string;
  /** What ids are, and what the database checks. */
  readonly idForms: readonly string[];
  readonly checked: readonly string[];
  readonly statuses: ReturnType<typeof statusRows>;
  readonly collections: readonly DescribedCollection[];
}

/** What workers do: what the command is for, what its file is about, and what `WORKERS` means. */
interface WorkerWords {
  readonly task: string;
  readonly subject: string;
  readonly variable: string;
}

interface DescribedCollection {
  readonly names: Names;
  /** What is said of its ids and of its existing table. */
  readonly paragraphs: readonly string[];
  readonly description: string;
  readonly documented: readonly DocumentedMember[];
  /** What lists offer, what is unique beyond single members, and the rules over several members. */
  readonly bullets: readonly string[];
  /** The state diagrams of members with transitions. */
  readonly stateDiagrams: readonly { readonly member: string; readonly diagram?: string }[];
}

export function readmeView(model: Model): ReadmeView {
  const { lifecycles, retired } = model.service;
  const current = currentOf(model);
  const states = stateDiagrams(current);
  const service = serviceView(current);
  const frozen = lifecycles.flatMap(({ version, frozen: is }) => (is ? version : []));
  return {
    ...service,
    ...versionsView(model),
    frozen: versionsInWords(frozen),
    endpoints: endpointRows(current),
    diagram: diagramOf(current),
    access: [...current.collections.map(accessRow), ...builtInAccess(service)],
    ownership: current.collections.some(({ definition }) => hasOwners(definition)),
    ownerPaths: current.collections.flatMap(({ names, definition }) => {
      const path = ownerPathText(definition);
      return path === undefined ? [] : [`\`${path}\` of ${names.words}`];
    }),
    creators: current.collections.some(({ table }) => table.hasOwner),
    worker: workerWords(service),
    testSpaces: service.ownDatabase ? 'databases' : 'schemas',
    idForms: [
      'a UUID',
      ...when(service.numberedKeys, 'or a number of a sequence as text, such as `"42"`'),
      ...when(current.collections.some(hasClientKey), 'or what the client chose'),
    ],
    checked: [
      'types, ranges, enums',
      ...when(service.checks, 'rules over several members'),
      'uniqueness and references',
    ],
    statuses: statusRows(service),
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

/** The permissions of what each service has. */
const builtInAccess = ({ usersRead, events, jobs }: ServiceView): AccessRow[] => {
  const readers = usersRead.map((role) => `\`${role}\` (id and username)`);
  const admin = '`admin`';
  return [
    {
      words: 'users',
      read: ['the user', ...readers, admin].join(', '),
      create: admin,
      update: `the user (password only), ${admin}`,
      delete: admin,
    },
    {
      words: 'tokens',
      read: `the owner, ${admin}`,
      create: 'authenticated users (with password)',
      update: 'nobody',
      delete: `the owner, ${admin}`,
    },
    ...(events
      ? [
          { words: 'events', read: admin, create: '', update: '', delete: '' },
          { words: 'webhooks', read: admin, create: admin, update: admin, delete: admin },
        ]
      : []),
    ...(jobs
      ? [
          {
            words: 'jobs',
            read: `the creator, ${admin}`,
            create: '',
            update: 'nobody',
            delete: 'nobody',
          },
        ]
      : []),
  ];
};

function workerWords({ jobs, events }: ServiceView): WorkerWords {
  if (!jobs) {
    return {
      task: 'deliver events to webhooks',
      subject: 'webhooks',
      variable:
        '0: this process delivers no events to webhooks, because separate workers do; any other number: it does',
    };
  }
  const deliver = events ? ' and deliver events' : '';
  return {
    task: `run background jobs${deliver}`,
    subject: `background jobs${events ? ' and webhooks' : ''}`,
    variable: `the number of jobs that the service runs concurrently; 0 if separate workers run them${deliver}`,
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
    paragraphs: paragraphsOf(collection),
    description: definition.description ?? '',
    documented: documentedMembers(definition.fields),
    bullets: bulletsOf(collection, model),
    stateDiagrams: states
      .filter(({ collection: name }) => name === definition.name)
      .map(({ member, diagram, steps }) => ({
        member,
        ...(steps <= MOST_DRAWN_STEPS && { diagram }),
      })),
  };
}

function paragraphsOf(collection: Collection): string[] {
  const { definition, table } = collection;
  const { existing } = definition;
  const kept = table.existing?.softDelete?.column;
  return [
    ...when(isNumbered(collection), '`id` is a number of a sequence, as text.'),
    ...when(
      hasClientKey(collection),
      'POST requires `id`. One that another item has, or that of an item that the service removed, is 409. It never changes, and is percent-encoded in paths.',
    ),
    ...(definition.keyFields === undefined ? [] : [idInWords(definition, definition.keyFields)]),
    ...(existing === undefined
      ? []
      : [
          `The rows are in the [existing table](#existing-tables) ${markdownText(nameWithSchema(existing))}. ${timesInWords(definition)}`,
        ]),
    ...(kept === undefined
      ? []
      : [
          `DELETE keeps the row and sets the column ${markdownText(kept)}. Rows in which it is set are removed items (410).`,
        ]),
  ];
}

function bulletsOf(collection: Collection, model: Model): string[] {
  const { sort, filter, search, unique, checks } = collection.definition;
  const included = includePathsOf(collection, model).map(({ path }) => path);
  return [
    ...when(sort.length > 0, `Sort by ${codes(sort)}.`),
    ...when(filter.length > 0, `Filter by ${codes(filter)}.`),
    ...when(
      search.length > 0,
      `Search (\`q\`) in ${codes(search)}: the first 10,000 distinct words of each text.`,
    ),
    ...when(included.length > 0, `Embed (\`include\`) ${codes(included)}.`),
    ...unique
      .filter(({ isKey }) => isKey !== true)
      .map(({ fields, where }) => {
        const rule = where === undefined ? '' : ` where ${ruleText(where.expression)}`;
        return `Unique (409): ${markdownText(fields.join(' and ') + rule)}.`;
      }),
    ...checks.map((check) => `Rule (422): ${markdownText(checkMessage(check))}`),
  ];
}

const codes = (names: readonly string[]): string => names.map((name) => `\`${name}\``).join(', ');

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

function idInWords(definition: CollectionDefinition, keyFields: readonly string[]): string {
  const names = keyFields.map((name) => `\`${name}\``).join(' and ');
  const again = hasSoftDelete(definition) ? '' : ' An item may have the id of a removed one.';
  return keyFields.length === 1
    ? `\`id\` is the value of ${names}, which POST requires and which never changes.${again}`
    : `\`id\` consists of the values of ${names}, with \`~\` between them, which POST requires and which never change. In texts, \`%\` is \`%25\` and \`~\` is \`%7E\`; paths have the id percent-encoded.${again}`;
}
