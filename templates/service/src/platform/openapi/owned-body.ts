/** The body of a POST that may leave out the owner, for the schema of a route. */
import type { TObject } from 'typebox';

import type { ShapeParts } from '../http/shapes.ts';

/**
 * For `body` of a POST: callers who may create only their own items may leave out the reference to the
 * owner.
 */
export function ownedBody(shape: TObject | ShapeParts, member: string): ShapeParts {
  const parts = shape as ShapeParts;
  const { properties = {}, required = [] } = parts;
  const property = properties[member];
  // A version may not have the member.
  if (property === undefined) return parts;
  const { description: about = 'The owner.' } = property;
  const description = `${about} Callers who may create only their own items name themselves, or leave it out.`;
  return {
    ...parts,
    properties: { ...properties, [member]: { ...property, description } },
    required: required.filter((name) => name !== member),
  };
}
