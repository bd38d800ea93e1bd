/** What the file of a migration is called after its number. */

/** Characters that a name has at most. */
const LONGEST = 60;

/** A name from what the migration does; where that is too much for one, from the first of it. */
export function migrationName(names: readonly string[]): string {
  const distinct = [...new Set(names)];
  const whole = distinct.join('_and_');
  if (whole.length > 0 && whole.length <= LONGEST) return whole;
  const [first = 'change'] = distinct;
  const end = distinct.length > 1 ? `_and_${distinct.length - 1}_more` : '';
  return `${first.slice(0, LONGEST - end.length).replace(/_+$/, '')}${end}`;
}
