/** How the type of a member differs for clients from the one that the service has. */
import { inlineYaml } from '../compatibility/definition-yaml.ts';

type TypeKeys = Readonly<Record<string, unknown>>;

/** Where a type counts: a request that changes an item has to have no member. */
export type TypeUse = 'request' | 'patch' | 'response';

/**
 * What differs, a text each; of two objects, in their members.
 * @param name as the service calls the member.
 * @param offered the type in the service.
 * @param documented the type in the document; undefined: unknown.
 */
export function typeChanges(
  name: string,
  offered: TypeKeys,
  documented: TypeKeys | undefined,
  use: TypeUse,
): readonly string[] {
  const [one, other] = [canonical(offered, use), canonical(documented, use)];
  if (JSON.stringify(one) === JSON.stringify(other)) return [];
  const whole = [`${name} is ${typeText(offered)}, and not ${typeText(documented)}`];
  if (documented === undefined || offered['type'] !== documented['type']) return whole;
  if (offered['type'] === 'object') return objectChanges(name, offered, documented, use) ?? whole;
  return offered['type'] === 'enum' ? enumChanges(name, offered, documented, use) : whole;
}

function objectChanges(
  name: string,
  offered: TypeKeys,
  documented: TypeKeys,
  use: TypeUse,
): readonly string[] | undefined {
  const [own, others] = [offered, documented].map(
    (type) => new Map(Object.entries(type['properties'] as Readonly<Record<string, TypeKeys>>)),
  );
  if (own === undefined || others === undefined) return undefined;
  const changes = [...new Set([...own.keys(), ...others.keys()])].flatMap((member) => {
    const [mine, theirs] = [own.get(member), others.get(member)];
    if (mine === undefined) return [`${name} is without its member ${member}`];
    if (theirs === undefined) return [`${name} has the member ${member}`];
    return typeChanges(`${name}.${member}`, mine, theirs, use);
  });
  return changes.length === 0 ? undefined : changes;
}

/** Values that a response never has, or that a request may have too, are no change. */
function enumChanges(
  name: string,
  offered: TypeKeys,
  documented: TypeKeys,
  use: TypeUse,
): readonly string[] {
  const [own, others] = [offered, documented].map((type) => type['values'] as readonly string[]);
  const without = (all: readonly string[] = [], known: readonly string[] = []): string =>
    all.filter((value) => !known.includes(value)).join(', ');
  const [added, missing] = [without(own, others), without(others, own)];
  const isDemanded = use === 'request' && offered['required'] === true && !documented['required'];
  return [
    ...(use === 'response' && added !== '' ? [`${name} can be ${added}`] : []),
    ...(use !== 'response' && missing !== '' ? [`${name} cannot be ${missing}`] : []),
    ...(isDemanded ? [`${name} is required`] : []),
  ];
}

/** A type without what says nothing of its values, in one order. */
function canonical(type: unknown, use: TypeUse): unknown {
  if (Array.isArray(type)) return type.map((one) => canonical(one, use));
  if (typeof type !== 'object' || type === null) return type;
  return Object.entries(type)
    .filter(([key, value]) => {
      const isFlag = key === 'required' && typeof value === 'boolean';
      return key !== 'description' && !(isFlag && use === 'patch');
    })
    .map(([key, value]): readonly [string, unknown] => [key, canonical(value, use)])
    .toSorted(([first], [second]) => (first < second ? -1 : 1));
}

/** A type in one line of YAML. */
function typeText(type: TypeKeys | undefined): string {
  const { description: _description, ...rest } = type ?? { type: 'unknown' };
  return inlineYaml(rest);
}
