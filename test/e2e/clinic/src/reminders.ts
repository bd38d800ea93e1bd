/** Reminders of appointments. A real clinic would send them. */

/** The numbers of the appointments that were confirmed, in their order. */
export const reminders: number[] = [];
