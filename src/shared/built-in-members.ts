/** The members that every item has, and that the service sets. */
export const BUILT_IN_MEMBERS: readonly string[] = ['id', 'created_at', 'updated_at'];
