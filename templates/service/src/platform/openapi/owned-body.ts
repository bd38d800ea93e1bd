/** The body of a POST that may leave out the owner, for the schema of a route. */
import type { ShapeParts } from '../http/shapes.ts';

/**
 * For `body` of a POST: callers who may create only their own items may leave out the reference to the
 * owner.
 */
export function ownedBody(shape: ShapeParts, member: string): ShapeParts {
  const { properties = {}, required = [] } = shape;
  const property = properties[member];
  // A version may not have the member.
  if (property === undefined) return shape;
  const description =
    'The owner. Callers who may create only their own items name themselves, or leave it out.';
  return {
    ...shape,
    properties: { ...properties, [member]: { ...property, description } },
    required: required.filter((name) => name !== member),
  };
}
