/**
 * Issues are gathered, never thrown: every stage of reading adds to one list, and at the end all
 * of them are told at once, in the order of the files.
 */
import type { IssueCode } from './issue-catalogue.ts';
import { printable } from './quote.ts';
import type { Issue, Position } from './position.ts';

/** The list that readers add to. */
export class Issues {
  readonly #byKey = new Map<string, Issue>();

  /** Adds one; what is said twice of one place (as through an alias) is kept once. */
  add(at: Position, code: IssueCode, message: string): void {
    const key = `${at.file}\n${at.line}:${at.column} ${code} ${message}`;
    if (!this.#byKey.has(key)) this.#byKey.set(key, Object.freeze({ at, code, message }));
  }

  /** How many there are: a reader compares before and after to see whether its part was fine. */
  get count(): number {
    return this.#byKey.size;
  }

  /** All, by file in code-point order, then line, then column. */
  sorted(): readonly Issue[] {
    return Object.freeze([...this.#byKey.values()].toSorted(compareIssues));
  }
}

function compareIssues(a: Issue, b: Issue): number {
  if (a.at.file !== b.at.file) return a.at.file < b.at.file ? -1 : 1;
  return a.at.line - b.at.line || a.at.column - b.at.column;
}

/** Issues or warnings as `--json` prints them. */
export const issuesDocument = (issues: readonly Issue[]): readonly object[] =>
  issues.map(({ at, code, message }) => ({ ...at, code, message }));

/**
 * One issue as a line of text: `definitions/collections/book.yaml:1:7 error name "book" is …`.
 */
export const formatIssue = (issue: Issue): string => issueLine(issue, 'error');

/** A line with this word for its severity, perhaps in color. */
export const issueLine = ({ at, message }: Issue, severity: string): string =>
  `${printable(at.file)}:${at.line}:${at.column} ${severity} ${message}`;
