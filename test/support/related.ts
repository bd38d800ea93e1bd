/** Random services whose collections hang together: by references of every kind, and by who may do what. */
import fc from 'fast-check';

const NAMES = ['anchors', 'boxes', 'crates', 'doors', 'engines', 'frames', 'gates'] as const;
type Name = (typeof NAMES)[number];

interface Reference {
  readonly to: Name | 'users';
  readonly required: boolean;
  readonly unique: boolean;
  readonly nested: boolean;
  readonly listed: boolean;
  readonly onDelete: 'refuse' | 'cascade' | 'clear';
}

interface Shape {
  readonly references: readonly Reference[];
  readonly fields: readonly string[];
  readonly rest: readonly string[];
}

/** A service by its collections: those that are absent are not there. */
export type Related = Partial<Readonly<Record<Name, Shape>>>;

const reference: fc.Arbitrary<Reference> = fc.record({
  to: fc.constantFrom(...NAMES, 'users'),
  required: fc.boolean(),
  unique: fc.boolean(),
  nested: fc.boolean(),
  listed: fc.boolean(),
  onDelete: fc.constantFrom('refuse', 'cascade', 'clear'),
});

const shape: fc.Arbitrary<Shape> = fc.record({
  // Few, so that some collections have nothing to do with others.
  references: fc.uniqueArray(reference, { maxLength: 2, selector: ({ to }) => to }),
  fields: fc.subarray([
    'state: { type: enum, values: [open, done], required: true, unique: true }',
    'code: { type: string, required: true, unique: true, pattern: "^[A-Z]{2}[0-9]$" }',
    'odd: { type: string, required: true, pattern: "^(?=x)y$" }',
    'count: { type: integer, minimum: 0, default: 3 }',
    'secret: { type: string, write_only: true }',
  ]),
  rest: fc
    .tuple(
      fc.constantFrom(
        '',
        'permissions: { read: public }',
        'permissions: { read: [owner], update: [owner] }',
        'permissions: { read: [editor], create: public, delete: [admin] }',
      ),
      fc.constantFrom('', 'create: background'),
      fc.constantFrom('', 'require_if_match: true'),
    )
    .map((lines) => lines.filter((line) => line !== '')),
});

export const related: fc.Arbitrary<Related> = fc
  .record(
    {
      anchors: shape,
      boxes: shape,
      crates: shape,
      doors: shape,
      engines: shape,
      frames: shape,
      gates: shape,
    },
    { requiredKeys: ['anchors'] },
  )
  .map((shapes) => shapes as Related);

/** A service, and one that differs from it in some collections. */
export const changed: fc.Arbitrary<readonly [before: Related, after: Related]> = fc
  .tuple(related, related, fc.subarray([...NAMES], { minLength: 1, maxLength: 2 }))
  .map(([before, other, names]) => {
    const own = Object.entries({ anchors: other.anchors, ...before });
    const kept = own.filter(([name]) => name === 'anchors' || !names.includes(name as Name));
    const taken = names.flatMap((name) => (other[name] === undefined ? [] : [[name, other[name]]]));
    return [before, Object.fromEntries([...kept, ...taken]) as Related] as const;
  });

/** The files of the definitions, by their paths below `definitions/`. */
export function filesOf(shapes: Related): Record<string, string> {
  const names = NAMES.filter((name) => shapes[name] !== undefined);
  return {
    'service.yaml': 'name: shop\nroles: [editor]\n',
    ...Object.fromEntries(
      names.map((name) => [`collections/${name}.yaml`, textOf(name, shapes[name]!, names)]),
    ),
  };
}

function textOf(
  name: Name,
  { references: all, fields, rest }: Shape,
  names: readonly Name[],
): string {
  const references = all.flatMap((one) => {
    const { to: target } = one;
    if (target !== 'users' && !names.includes(target)) return [];
    // What is needed goes one way alone: no item could be the first of a ring.
    const required = one.required && (target === 'users' || target < name);
    const onDelete = required && one.onDelete === 'clear' ? 'refuse' : one.onDelete;
    const field = `${target === 'boxes' ? 'box' : target.slice(0, -1)}_id`;
    const { unique, nested, listed } = one;
    return [{ field, target, required, onDelete, unique, nested, listed }];
  });
  const listed = references.filter((one) => one.listed).map(({ field }) => field);
  return [
    'fields:',
    '  name: { type: string, max_length: 50 }',
    ...fields.map((line) => `  ${line}`),
    ...references.map(
      ({ field, target, required, onDelete, unique, nested }) =>
        `  ${field}: { type: reference, to: ${target}, required: ${required}, on_delete: ${onDelete}, unique: ${unique}, nested: ${nested} }`,
    ),
    `filter: [${['name', ...listed].join(', ')}]`,
    `include: [${listed.filter((field) => field !== 'user_id').join(', ')}]`,
    ...rest,
    '',
  ].join('\n');
}
