/**
 * Column lists of statements, made from one object for each table: a member that is missing there does
 * not compile, and no placeholder has to be counted.
 */

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

type Written = Readonly<Record<string, unknown>>;

/** `"books"."title" as "title", …`: the list of a `select` or `returning`, by default of all members. */
export const selectList = (
  columns: Readonly<Record<string, string>>,
  members: readonly string[] = Object.keys(columns),
): string => members.map((member) => `${columns[member]} as "${member}"`).join(', ');

/** `"title", …`: the columns of an `insert`. */
export const columnList = (columns: Written): string =>
  Object.keys(columns)
    .map((name) => `"${name}"`)
    .join(', ');

/** `$2, …`: the parameters of an `insert`. @param first the number of the first one. */
export const placeholders = (columns: Written, first: number): string =>
  Object.keys(columns)
    .map((_name, at) => `$${first + at}`)
    .join(', ');

/** `"title" = $3, …`: the columns of an `update`. @param first the number of the first parameter. */
export const assignments = (columns: Written, first: number): string =>
  Object.keys(columns)
    .map((name, at) => `"${name}" = $${first + at}`)
    .join(', ');

/** The values of the columns, in their order. */
export const parametersOf = <Values>(
  columns: Readonly<Record<string, ColumnValue<Values>>>,
  values: Values,
): unknown[] => Object.values(columns).map((valueOf) => valueOf(values));
