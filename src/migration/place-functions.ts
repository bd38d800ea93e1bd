/** Ties the functions of a service to the schema of its tables. */

/** Ties functions that name tables of the service to its schema, which is the search path of migrations. */
export const placeFunctions = (hasNumbers: boolean): string[] =>
  ['"_bury"', ...(hasNumbers ? ['"_bury_number"', '"_refuse_removed_number"'] : [])].map(
    (name) => `alter function ${name}() set search_path from current;`,
  );
