/** Values that tests send beside those of fixtures: limits of members, and other spellings. */

/** Values by member. */
export type Allowed<Input> = {
  readonly [Member in keyof Input]?: readonly Exclude<Input[Member], undefined>[];
};

export type AllowedValues = Readonly<Record<string, readonly unknown[] | undefined>>;

/** The values that a fixture allows for a member; undefined where it allows all. */
export const allowedOf = (
  member: string,
  allowed: AllowedValues,
): readonly unknown[] | undefined => (Object.hasOwn(allowed, member) ? allowed[member] : undefined);

/** The limits of members. Values that a fixture allows replace those of the test. */
export const limits = (
  rows: readonly [member: string, why: string, sent: unknown][],
  allowed: AllowedValues,
): [member: string, why: string, sent: unknown][] => [
  ...unrestricted(rows, allowed),
  ...[...new Set(rows.map(([member]) => member))].flatMap((member) =>
    (allowedOf(member, allowed) ?? [])
      .filter(isPresent)
      .map((value): [string, string, unknown] => [member, 'allowed by hooks', value]),
  ),
];

/** The members that a PATCH can clear. */
export const clearable = (members: readonly string[], allowed: AllowedValues): string[] =>
  members.filter((member) => allowedOf(member, allowed)?.includes(null) ?? true);

/** The rows of members for which all values are allowed and that the fixture has. */
export const unrestricted = <Row extends readonly [member: string, ...unknown[]]>(
  rows: readonly Row[],
  allowed: AllowedValues,
): Row[] => present(rows.filter(([member]) => allowedOf(member, allowed) === undefined));

/** The rows of members that the fixture has. */
export const present = <Row extends readonly [member: string, ...unknown[]]>(
  rows: readonly Row[],
): Row[] => rows.filter(([, value]) => isPresent(value));

const isPresent = (value: unknown): boolean => value !== undefined && value !== null;

type Text = string | null | undefined;

/** A decimal with another zero at its end. */
export const longer = (decimal: Text): Text =>
  decimal && (decimal.includes('.') ? `${decimal}0` : `${decimal}.0`);

/** A decimal or a timestamp without the zeros at the end of its fraction. */
export const shorter = (text: string): string =>
  text.includes('.') ? text.replace(/\.?0{1,40}(Z?)$/, '$1') : text;

/** The same timestamp, half an hour and five hours further west. */
export function withOffset<Time extends Text>(timestamp: Time): Time | string {
  if (!timestamp) return timestamp;
  const local = new Date(Date.parse(timestamp) - 330 * 60_000);
  if (local.getUTCFullYear() < 1) return timestamp;
  return `${local.toISOString().slice(0, 19)}${timestamp.slice(19, -1)}-05:30`;
}
