/** The schema that a service has its own tables in, beside existing tables. */

/** A name that no schema with tables has: `service`, or else `service_api` and so on. */
export function freeSchemaName(taken: readonly string[]): string {
  const names = ['service', 'service_api'];
  for (let number = 2; ; number += 1) {
    const free = names.find((name) => !taken.includes(name));
    if (free !== undefined) return free;
    names.push(`service_api_${number}`);
  }
}
