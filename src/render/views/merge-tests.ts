/** Tests of patches that reach into objects and JSON. */
import type { Field } from '../../definition/types.ts';
import type { JsonValue } from '../../shared/json.ts';
import type { ObjectType } from '../../types/object.ts';
import { ownMember } from '../../shared/json.ts';
import { fullValues } from './fixture.ts';
import type { FixtureValues } from './fixture.ts';
import { codeText } from './options.ts';
import type { Option } from './options.ts';
import type { TestedCollection } from './tested-collection.ts';

/** A member with its value before a patch, the patch, and the value after it. */
type MergeRow = readonly [member: string, before: Option, patch: Option, after: Option];

/** A row for each member of which a patch can change a part; none if tests cannot create items. */
export const mergeTests = ({ creates, mutable, values }: TestedCollection): readonly MergeRow[] =>
  creates ? mutable.flatMap((field) => mergeOf(field, values)) : [];

/** A patch of an object or a JSON value. */
function mergeOf(field: Field, { another, changed }: FixtureValues): MergeRow[] {
  const { type, name, writeOnly } = field;
  const value = another.get(name);
  if (writeOnly || value === undefined) return [];
  if (type.type === 'json') {
    return [
      [
        name,
        fullValues(field)[0] ?? null,
        { color: null, more: { added: [1] } },
        { sizes: [1, 2.5], more: { deep: [null], added: [1] } },
      ],
    ];
  }
  // Fixtures do not know the type of a member that every object has.
  if (type.type !== 'object' || name === 'constructor') return [];
  const path = changedProperty(type, value, changed.get(name) ?? null);
  if (path === undefined) return [];
  const before = `full.${name}`;
  const other = [`changed().${name}`, ...path].join('?.');
  const patch = path.reduceRight((inner, property) => `{ ${property}: ${inner} }`, other);
  return [
    [
      name,
      codeText(before, 'full'),
      codeText(patch, 'changed'),
      codeText(mergedCode(before, path, other), 'full', 'changed'),
    ],
  ];
}

/** An object with the value of one property replaced. */
function mergedCode(whole: string, [property, ...rest]: readonly string[], value: string): string {
  if (property === undefined) return value;
  const inner = mergedCode(`${whole}?.${property}`, rest, value);
  return `{ ...${whole}, ${property}: ${inner} }`;
}

type Members = { readonly [member: string]: JsonValue };

const isMembers = (value: JsonValue | undefined): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The way to one property that two values have otherwise, as deep as there is one. */
function changedProperty(
  { properties }: ObjectType,
  before: JsonValue,
  now: JsonValue,
): string[] | undefined {
  if (!isMembers(before) || !isMembers(now)) return undefined;
  const partsOf = (name: string): [JsonValue, JsonValue] => [
    ownMember(before, name) ?? null,
    ownMember(now, name) ?? null,
  ];
  for (const { name, type } of properties) {
    const inner = type.type === 'object' ? changedProperty(type, ...partsOf(name)) : undefined;
    if (inner !== undefined) return [name, ...inner];
  }
  const found = properties.find(({ name, type }) => {
    const [one, other] = partsOf(name);
    const isWhole = type.type === 'object' || type.type === 'json';
    return !isWhole && JSON.stringify(one) !== JSON.stringify(other);
  });
  return found && [found.name];
}
