/** The texts of the files of a migration: comments for people, the lines that name its kind, then its statements. */
import { quoted } from '../shared/sql.ts';
import type { Draft } from './draft.ts';
import {
  batchLine,
  CHANGES_VIEWS,
  CONTRACT,
  EXPAND,
  NO_TRANSACTION,
  tablesLine,
} from './header-lines.ts';

/** One file of a migration. */
export interface MigrationPart {
  /** The end of its name. */
  readonly suffix: '' | '_fill' | '_finish' | '_switch' | '_contract';
  /** Ends with a line break. */
  readonly sql: string;
}

interface TextParts {
  readonly summary: readonly string[];
  /** The lines that the service reads: what kind of file it is. */
  readonly kinds?: readonly string[];
  readonly statements: readonly string[];
}

/**
 * The files of a migration, in their order.
 * @param transaction the statements that must run in one transaction.
 */
export function migrationParts(draft: Draft, transaction: readonly string[]): MigrationPart[] {
  const { batches, contract, switchStatements, switched } = draft;
  const finish = [...draft.finishStatements, ...draft.afterIndexes];
  const summary = [...new Set(draft.summary)];
  const isRepeatable = transaction.length === draft.expansions.length;
  // What can be repeated and what cannot be in a transaction share a file.
  const isJoined = isRepeatable && batches.length === 0 && finish.length > 0;
  // Its files say so: a process that does not have them may start.
  const expand = draft.breaks.length === 0 ? [EXPAND] : [];
  // Tables are measured before the first file is applied.
  const former = new Map(draft.tableRenames.map(({ from, to }) => [to, from]));
  const bothNames = (tables: Iterable<string>): string[] => [
    ...new Set([...tables].flatMap((table) => [former.get(table) ?? table, table])),
  ];
  const whole = [...draft.locks.keys(), ...draft.rewritten, ...draft.guarded];
  const parts: MigrationPart[] = [];
  const addPart = (suffix: MigrationPart['suffix'], text: TextParts): void => {
    const isFirst = parts.length === 0;
    const comments = isFirst ? [...summary, ...text.summary] : text.summary;
    parts.push({
      suffix: isFirst && suffix !== '_contract' ? '' : suffix,
      sql: textOf({ ...text, summary: comments }),
    });
  };
  const first = isJoined ? [] : transaction;
  if (first.length > 0 || draft.changesViews) {
    addPart('', {
      summary: [...breakLines(draft), ...lockLines(draft)],
      kinds: [
        ...expand,
        ...(draft.changesViews ? [CHANGES_VIEWS] : []),
        ...(whole.length === 0 ? [] : [tablesLine(bothNames(whole))]),
      ],
      statements: first,
    });
  }
  for (const { table, statements } of batches) {
    addPart('_fill', {
      summary: [`Writes values into the existing rows of ${quoted(table)}, a range at a time.`],
      kinds: [
        ...expand,
        batchLine(table),
        ...(former.get(table) === undefined || former.get(table) === table
          ? []
          : [tablesLine(bothNames([table]))]),
      ],
      statements,
    });
  }
  if (finish.length > 0) {
    addPart('_finish', {
      summary: ['Validates constraints and builds indexes, while rows are read and written.'],
      kinds: [...expand, NO_TRANSACTION, tablesLine(bothNames(draft.finishTables))],
      statements: isJoined ? [...transaction, ...finish] : finish,
    });
  }
  if (switchStatements.length > 0) {
    addPart('_switch', {
      summary: [
        'Puts new columns in the place of the old ones, which are dropped.',
        '',
        `Processes of an older version may fail until they are replaced: ${switched.join(', ')}.`,
      ],
      statements: switchStatements,
    });
  }
  if (contract.length > 0) {
    addPart('_contract', {
      summary: ['Removes what processes of an older version use, once none of them runs.'],
      kinds: [
        CONTRACT,
        NO_TRANSACTION,
        ...(draft.contractTables.size === 0 ? [] : [tablesLine(bothNames(draft.contractTables))]),
      ],
      statements: contract,
    });
  }
  return parts;
}

/** Says why older processes fail. */
const breakLines = ({ breaks }: Draft): string[] =>
  breaks.length === 0
    ? []
    : [
        '',
        `Processes of an older version fail until they are replaced: ${[...new Set(breaks)].join(', ')}.`,
      ];

/** Says which tables are locked for longer than a moment. */
const lockLines = ({ locks }: Draft): string[] =>
  locks.size === 0
    ? []
    : [
        '',
        'Locks these tables until all of their rows are rewritten:',
        ...[...locks].map(([table, reasons]) => `- ${quoted(table)} (${reasons})`),
      ];

function textOf({ summary, kinds = [], statements }: TextParts): string {
  const comment = summary.map((line) => `-- ${line}`.trimEnd()).join('\n');
  const head = kinds.length === 0 ? comment : `${comment}\n\n${kinds.join('\n')}`;
  return [head, ...statements].map((one) => `${one}\n`).join('\n');
}
