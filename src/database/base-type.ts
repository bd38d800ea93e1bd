/** The type that a domain is over. */
import type { DatabaseType } from './database-schema.ts';

/** The type that values of a type have in the end; of what is no domain the type itself. */
export const baseType = (type: DatabaseType): DatabaseType =>
  type.base === undefined ? type : baseType(type.base);
