/** The problems of a table: the first ones, and the number of all. */

/** A difference between a response and the table. */
export interface RowProblem {
  /** The item; absent: the list. */
  readonly id?: string;
  /** A sentence without a full stop. */
  readonly message: string;
}

/** Problems that are kept. */
const MOST = 10;

export class ProblemList {
  readonly most = MOST;
  readonly first: RowProblem[] = [];
  count = 0;

  add(problem: RowProblem): void {
    this.count++;
    if (this.first.length < MOST) this.first.push(problem);
  }

  addAll({ first, count }: ProblemList): void {
    this.count += count;
    this.first.push(...first.slice(0, MOST - this.first.length));
  }
}
