/** The columns of a table: what is selected and what is written. A member that is missing does not compile. */

/** The SQL expression that each member of an item is selected by. */
export type SelectedColumns<Item> = Readonly<Record<keyof Item & string, string>>;

type ColumnValue<Values> = (values: Values) => unknown;

/**
 * The value of each column that is written: one for each member of `Values`, and any others.
 * `Renamed` are members whose column has another name.
 */
export type WrittenColumns<Values, Renamed extends keyof Values = never> = Readonly<
  Record<Exclude<keyof Values, Renamed>, ColumnValue<Values>>
> &
  Readonly<Record<string, ColumnValue<Values>>>;

/** `"books"."title" as "title", …`: the list of a `select` or `returning`, by default of all members. */
export const selectList = (
  columns: Readonly<Record<string, string>>,
  members: readonly string[] = Object.keys(columns),
): string => members.map((member) => `${columns[member]} as "${member}"`).join(', ');
