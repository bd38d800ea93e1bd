/** What the team has made itself. */
export const PRICES: readonly number[] = [];
