/** The members of the times that an item was created and last changed at. */
export const BUILT_IN_TIMES = ['created_at', 'updated_at'] as const;
export type BuiltInTime = (typeof BUILT_IN_TIMES)[number];

/** The members that items have beside their fields, and that the service sets. */
export const BUILT_IN_MEMBERS: readonly string[] = ['id', ...BUILT_IN_TIMES];
