/** Rows of values in which each two values of two factors stand together at least once, where they can. */

/** The values of each factor, by its name. */
export type Factors = Readonly<Record<string, readonly string[]>>;

/** One value of each factor. */
export type Row<Of extends Factors> = { readonly [Name in keyof Of]: Of[Name][number] };

/** A value of a factor. */
type Choice = readonly [factor: string, value: string];

/**
 * A set of rows, greedily: each row begins with two values that no row has together yet, and takes for each other
 * factor the value with which most such pairs come in. The same factors always give the same rows.
 * @param refuses whether no row can have the values that are chosen so far, whatever the others are.
 */
export function pairwise<const Of extends Factors>(
  factors: Of,
  refuses: (chosen: Partial<Row<Of>>) => boolean,
): readonly Row<Of>[] {
  const names = Object.keys(factors);
  const missing = new Map<string, readonly Choice[]>();
  for (const pair of pairsOf(factors)) {
    if (complete(pair) !== undefined) missing.set(nameOf(pair), pair);
  }
  const rows: Row<Of>[] = [];
  for (const pair of missing.values()) {
    const row = complete(pair) ?? [];
    for (const covered of pairsIn(row)) missing.delete(nameOf(covered));
    rows.push(Object.fromEntries(row) as Row<Of>);
  }
  return rows;

  /** A whole row with some values; undefined if there is none. */
  function complete(chosen: readonly Choice[]): readonly Choice[] | undefined {
    if (refuses(Object.fromEntries(chosen) as Partial<Row<Of>>)) return undefined;
    const open = names.find((name) => chosen.every(([factor]) => factor !== name));
    if (open === undefined) return chosen;
    const gain = (value: string): number =>
      chosen.filter((other) => missing.has(nameOf([[open, value], other]))).length;
    for (const value of factors[open]!.toSorted((one, other) => gain(other) - gain(one))) {
      const row = complete([...chosen, [open, value]]);
      if (row !== undefined) return row;
    }
    return undefined;
  }
}

/** All pairs of values of two factors, whether a row can have them or not. */
export const pairsOf = (factors: Factors): readonly (readonly Choice[])[] =>
  Object.entries(factors).flatMap(([factor, values], at) =>
    Object.entries(factors)
      .slice(at + 1)
      .flatMap(([another, others]) =>
        values.flatMap((value) =>
          others.map((other): readonly Choice[] => [
            [factor, value],
            [another, other],
          ]),
        ),
      ),
  );

const pairsIn = (row: readonly Choice[]): readonly (readonly Choice[])[] =>
  row.flatMap((one, at) => row.slice(at + 1).map((other): readonly Choice[] => [one, other]));

/** The same for both orders. */
export const nameOf = (pair: readonly Choice[]): string =>
  pair
    .map((choice) => choice.join(' '))
    .toSorted()
    .join(', ');
