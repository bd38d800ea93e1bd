/** Guards: queries that stop a migration before it changes anything, if existing rows violate a new constraint. */
import { literal, quoted } from '../shared/sql.ts';

/** Stops the migration where a query counts any rows. `problem` ends where the number comes. */
export function guard(query: string, problem: string, remedy: string): string {
  return raise(`"found" bigint := (${query})`, '"found" > 0', problem, remedy);
}

/** As `guard`, where a condition is true: otherwise a table that the query reads may be missing. */
export const guardWhere = (
  condition: string,
  query: string,
  problem: string,
  remedy: string,
): string =>
  `do ${dollarQuoted(
    [
      'declare "found" bigint;',
      'begin',
      `  if ${condition} then`,
      `    "found" := (${query});`,
      '    if "found" > 0 then',
      `      ${raiseFound(problem, remedy)}`,
      '    end if;',
      '  end if;',
      'end',
    ].join('\n'),
  )};`;

/** Stops the migration where a query has a text, which comes after `problem`; it has null otherwise. */
export const guardText = (query: string, problem: string, remedy: string): string =>
  raise(`"found" text := (${query})`, '"found" is not null', problem, remedy);

function raise(variable: string, condition: string, problem: string, remedy: string): string {
  const body = [
    // A column may be called `found`, as a variable of PL/pgSQL is.
    '#variable_conflict use_column',
    'declare',
    `  ${variable};`,
    'begin',
    `  if ${condition} then`,
    `    ${raiseFound(problem, remedy)}`,
    '  end if;',
    'end',
  ].join('\n');
  return `do ${dollarQuoted(body)};`;
}

const raiseFound = (problem: string, remedy: string): string =>
  `raise exception ${literal(`${escapePercent(problem)}: %. ${escapePercent(remedy)}`)}, "found";`;

/** A text between dollar quotes, on lines of its own. */
export function dollarQuoted(text: string): string {
  const tag = tagFor(text);
  return `${tag}\n${text}\n${tag}`;
}

/** A text in which a percent sign stands for itself. */
const escapePercent = (text: string): string => text.replaceAll('%', '%%');

/** A query for the number of rows for which a condition holds. */
export const countOf = (table: string, condition: string): string =>
  `\n    select count(*) from ${quoted(table)}\n    where ${condition}\n  `;

/** A dollar quote that the text does not hold. */
function tagFor(text: string): string {
  for (let n = 0; ; n++) {
    const tag = n === 0 ? '$$' : `$guard${n}$`;
    if (!text.includes(tag)) return tag;
  }
}
