/** Constants of the service. */

/** Whether messages may name tables: all versions call the collections so, and no other program owns them. */
export const NAMES_TABLES: boolean = true;
