/** What tests expect of members that a request leaves out. */
import type { Field } from '../../definition/types.ts';
import { answeredValue, expectedCode } from '../../types/member-code.ts';
import { specOf } from '../../types/registry.ts';
import type { Code } from '../../types/type.ts';

/** Code for the value that an item has for a member that nobody sent. */
export const unsentCode = ({ type, default: defaultValue }: Field): Code =>
  expectedCode(specOf, type, defaultValue === undefined ? null : answeredValue(type, defaultValue));
