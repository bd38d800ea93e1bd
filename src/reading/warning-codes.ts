/** The codes of warnings. What they mean is in the catalogue, which only the documentation needs. */
export const WARNING_CODES = [
  'unique-reveals',
  'index-shortened',
  'cascade-deletes-more',
  'create-needs-read',
  'role-needs-read',
  'create-owns-nothing',
  'link-takes-items',
  'owner-cannot-delete',
  'value-unreachable',
  'step-unreachable',
  'update-needs-read',
] as const;

export type WarningCode = (typeof WARNING_CODES)[number];
