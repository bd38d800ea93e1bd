/** Reads single variables of the environment. */

export type Environment = Readonly<Record<string, string | undefined>>;

/** Reads variables; those that are absent or empty have a fallback. */
export interface EnvironmentReader {
  /** Whether `NODE_ENV` is `production`. */
  readonly production: boolean;
  /** One variable; `read` returns undefined for an invalid value, which then has the problem `hint`. */
  variable<Value>(
    name: string,
    fallback: Value,
    read: (text: string) => Value | undefined,
    hint: string,
  ): Value;
  integer(name: string, fallback: number, minimum: number, maximum: number): number;
  boolean(name: string, fallback: boolean): boolean;
}

/** @param problems receives a sentence for each invalid variable. */
export function readerOf(environment: Environment, problems: string[]): EnvironmentReader {
  const variable: EnvironmentReader['variable'] = (name, fallback, read, hint) => {
    const text = environment[name];
    if (text === undefined || text === '') return fallback;
    const value = read(text);
    if (value === undefined) problems.push(`${name} ${hint}`);
    return value ?? fallback;
  };
  return {
    production: environment['NODE_ENV'] === 'production',
    variable,
    integer: (name, fallback, minimum, maximum) =>
      variable(
        name,
        fallback,
        (text) => {
          const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
          return value >= minimum && value <= maximum ? value : undefined;
        },
        `must be an integer from ${minimum} to ${maximum}`,
      ),
    boolean: (name, fallback) => variable(name, fallback, readBoolean, 'must be true or false'),
  };
}

export const readBoolean = (text: string): boolean | undefined =>
  text === 'true' ? true : text === 'false' ? false : undefined;

/** Comma-separated values; undefined if one of them is invalid. */
export function readList(
  text: string,
  read: (part: string) => string | undefined,
): readonly string[] | undefined {
  const values = text.split(',').map((part) => read(part.trim()));
  return values.every((value) => value !== undefined) ? values : undefined;
}
