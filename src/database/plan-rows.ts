/** How many rows PostgreSQL expects to read for a page, from the plan of its statement. */

/** A step of a plan, as `explain (format json)` has it. */
export interface PlanNode {
  readonly 'Node Type': string;
  /** The rows that the step yields if it runs to its end. */
  readonly 'Plan Rows': number;
  readonly 'Startup Cost': number;
  readonly 'Total Cost': number;
  readonly 'Relation Name'?: string;
  readonly 'Index Name'?: string;
  readonly 'Index Cond'?: string;
  readonly Filter?: string;
  readonly 'Parallel Aware'?: boolean;
  readonly 'Workers Planned'?: number;
  readonly Plans?: readonly PlanNode[];
}

/** What a plan does not say of the tables that it reads. */
export interface PlanContext {
  /** The rows of each table. */
  readonly tables: ReadonlyMap<string, number>;
  /** The listed table, or its partitions: others are those of owners. */
  readonly listed: ReadonlySet<string>;
  /** The columns that the list compares, with the rows that match each alone. */
  readonly conditions: readonly { readonly column: string; readonly rows: number }[];
}

/** What a plan is expected to read. */
export interface PlanReading {
  readonly rows: number;
  /** The indexes that it uses. */
  readonly indexes: readonly string[];
  /** Whether it reads the whole listed table without an index. */
  readonly isScan: boolean;
  /**
   * Whether it walks an index of the listed table and filters until the page is full: it then reads up to the whole
   * table, if the matching rows are not evenly distributed.
   */
  readonly isWalk: boolean;
  /** Whether it sorts what it has read. */
  readonly isSorted: boolean;
}

/** Steps that read all of their input before their first row. */
const BLOCKING = new Set(['Sort', 'Aggregate', 'Hash', 'SetOp']);

/**
 * The rows that a plan is expected to read. A step is read to its end, or, below a Limit, to a part of it: the rows
 * of the limit divided by those that the step would yield. What is read below a step follows from that part:
 *
 * - Sort, Aggregate and Hash read all of their input, whatever part of them is needed.
 * - Incremental Sort reads at least one group, whose share is that of its startup cost.
 * - Seq Scan reads the part of the rows of its table.
 * - Index Scan reads the part of the rows in its range: all rows of the table without a condition, all that it
 *   yields if nothing is filtered, and otherwise the rows that match the columns of its condition.
 * - Bitmap Index Scan reads all entries in its range. Two of them that are combined are added up.
 * - The inner side of a Nested Loop is read for each row of the outer side.
 *
 * For example, a table of 200,000 rows is walked in the order of an index, and 2,000 rows match a filter: a page
 * of 21 is expected after 200,000 × 21 / 2,000 = 2,100 rows. PostgreSQL assumes that the matching rows are evenly
 * distributed; if they are all at the other end, it reads more.
 */
export function readingOf(plan: PlanNode, context: PlanContext): PlanReading {
  const nodes = nodesOf(plan);
  return {
    rows: Math.round(rowsOf(plan, 1, 1, context)),
    indexes: [...new Set(nodes.flatMap((node) => node['Index Name'] ?? []))],
    isScan: nodes.some(
      (node) => node['Node Type'] === 'Seq Scan' && context.listed.has(node['Relation Name'] ?? ''),
    ),
    isWalk: nodes.some(
      (node) =>
        context.listed.has(node['Relation Name'] ?? '') &&
        node['Index Name'] !== undefined &&
        node['Index Cond'] === undefined &&
        node.Filter !== undefined,
    ),
    isSorted: nodes.some((node) => node['Node Type'] === 'Sort'),
  };
}

const nodesOf = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)];

/**
 * @param part how much of the node is read, from 0 to 1.
 * @param processes among which the rows of a parallel node are divided.
 */
function rowsOf(node: PlanNode, part: number, processes: number, context: PlanContext): number {
  const { 'Node Type': type, Plans: children = [] } = node;
  const sum = (of: number, among = processes): number =>
    children.reduce((total, child) => total + rowsOf(child, of, among, context), 0);
  if (BLOCKING.has(type)) return sum(1);
  switch (type) {
    case 'Limit': {
      const most = children[0]?.['Plan Rows'] ?? 0;
      return sum(part * Math.min(1, node['Plan Rows'] / Math.max(most, 1)));
    }
    case 'Incremental Sort': {
      const [child] = children;
      const before = child?.['Startup Cost'] ?? 0;
      const group = (node['Startup Cost'] - before) / (node['Total Cost'] - before);
      return sum(Math.min(1, Math.max(part, group)));
    }
    case 'Gather':
    case 'Gather Merge':
      return sum(part, processesOf(node['Workers Planned'] ?? 0));
    case 'Nested Loop': {
      const [outer, inner] = children;
      if (outer === undefined || inner === undefined) return sum(part);
      const loops = Math.max(1, outer['Plan Rows'] * part);
      return rowsOf(outer, part, processes, context) + loops * rowsOf(inner, 1, processes, context);
    }
    case 'Seq Scan':
    case 'Index Scan':
    case 'Index Only Scan':
    case 'Bitmap Index Scan':
      return part * rangeOf(node, processes, context) + sum(part);
    default:
      return sum(part);
  }
}

/** The rows that a scan reads if it runs to its end. */
function rangeOf(node: PlanNode, processes: number, { tables, conditions }: PlanContext): number {
  const yielded = node['Plan Rows'] * (node['Parallel Aware'] === true ? processes : 1);
  const condition = node['Index Cond'];
  if (condition === undefined) {
    return Math.max(tables.get(node['Relation Name'] ?? '') ?? 0, yielded);
  }
  if (node.Filter === undefined) return yielded;
  const names = namesIn(condition);
  const compared = conditions.filter(({ column }) => names.has(column)).map(({ rows }) => rows);
  return Math.max(yielded, compared.length === 0 ? 0 : Math.min(...compared));
}

/** The names in a condition, as PostgreSQL writes it; quoted only where they need it. */
const namesIn = (condition: string): Set<string> =>
  new Set(condition.replaceAll(/'[^']*'/g, '').match(/\w+/g));

/** The leader of a parallel plan takes part, but less for each worker that it collects from. */
const processesOf = (workers: number): number => workers + Math.max(0, 1 - 0.3 * workers);
