/**
 * Definitions made at random, for property tests: what a user would write, and beside it the
 * value that the parser must yield, made independently of the parser.
 */
import fc from 'fast-check';
import { camelCase } from '../../../src/definition/names.ts';

type Written = Record<string, unknown>;

/** One thing as it is written, and as it is read. */
interface Both {
  readonly written: Written;
  readonly read: Written;
}

/** Texts that mean something in YAML, SQL, TypeScript, Markdown or a template. */
const HOSTILE = [
  "'; drop table books; --",
  '${process.exit(1)}',
  '`',
  '*/',
  '{{x}}',
  '</script>',
  '# no comment',
  'a # b',
  ': ',
  'a: b',
  '- a',
  '? b',
  '|',
  '>-',
  '%YAML 1.1',
  '---',
  '...',
  '&a',
  '*a',
  '!!int 5',
  '~',
  'null',
  'true',
  'no',
  '0x1F',
  '0o17',
  '1e3',
  '.5',
  '.inf',
  '1_000',
  '2026-01-01',
  '<<',
  '\t',
  ' a ',
  'a\n\n b\n',
  '\r\n',
  '\u0085\u2028\ufeff',
  '\u2029',
  '\\u0041\\',
  "it's",
  '"',
  ', ] }',
  '\u202e',
  '😀',
];

/** Hostile texts that are joined: writers of YAML break some of these into lines. */
export const longHostileText = fc
  .array(fc.constantFrom(...HOSTILE, 'words with blanks between ', '\n', ' ', 'x'.repeat(40)), {
    minLength: 3,
    maxLength: 6,
  })
  .map((parts) => parts.join(''))
  .filter((text) => !/[\0\p{Surrogate}]/u.test(text));

/** Any text that may stand in a definition: hostile, but storable. */
export const hostileText = fc
  .oneof(fc.string({ unit: 'grapheme', maxLength: 12 }), fc.constantFrom(...HOSTILE))
  .filter((text) => !/[\0\p{Surrogate}]/u.test(text));

const word = fc.stringMatching(/^[a-z][a-z0-9]{0,6}$/);

const fieldName = fc
  .array(word, { minLength: 1, maxLength: 3 })
  .map((words) => words.join('_'))
  .filter(
    (name) =>
      !/^(id|created_at|updated_at|xmin|xmax|cmin|cmax|ctid|tableoid)$/.test(name) &&
      !/^(limit|cursor|sort|fields|q|count)$/.test(name),
  );

const none = { written: {}, read: {} };

/** An option that may be left out. */
function option(key: string, readKey: string, values: fc.Arbitrary<unknown>): fc.Arbitrary<Both> {
  return fc
    .option(values, { nil: undefined })
    .map((value) =>
      value === undefined ? none : { written: { [key]: value }, read: { [readKey]: value } },
    );
}

function merge(...parts: readonly Both[]): Both {
  return {
    written: Object.assign({}, ...parts.map(({ written }) => written)) as Written,
    read: Object.assign({}, ...parts.map(({ read }) => read)) as Written,
  };
}

function together(...parts: readonly fc.Arbitrary<Both>[]): fc.Arbitrary<Both> {
  return fc.tuple(...parts).map((all) => merge(...all));
}

/** A lower and an upper bound, either of which may be left out. */
function between<T>(
  keys: readonly [string, string],
  readKeys: readonly [string, string],
  values: fc.Arbitrary<T>,
  compare: (a: T, b: T) => number,
  print: (value: T) => unknown = (value) => value,
): fc.Arbitrary<Both> {
  return fc.tuple(fc.uniqueArray(values, { maxLength: 2 }), fc.boolean()).map(([found, first]) => {
    const [low, high] = found.toSorted(compare).map(print);
    if (low === undefined) return none;
    if (high === undefined) {
      const index = first ? 0 : 1;
      return { written: { [keys[index]]: low }, read: { [readKeys[index]]: low } };
    }
    return {
      written: { [keys[0]]: low, [keys[1]]: high },
      read: { [readKeys[0]]: low, [readKeys[1]]: high },
    };
  });
}

const BOUNDS = ['minimum', 'maximum'] as const;
const byNumber = (a: number, b: number): number => a - b;
const byBigint = (a: bigint, b: bigint): number => (a < b ? -1 : a > b ? 1 : 0);

const date = fc
  .date({
    min: new Date('0001-01-01T00:00:00Z'),
    max: new Date('9999-12-31T00:00:00Z'),
    noInvalidDate: true,
  })
  .map((moment) => moment.toISOString());

function typed(type: string, ...options: readonly fc.Arbitrary<Both>[]): fc.Arbitrary<Both> {
  return together(fc.constant({ written: { type }, read: { type } }), ...options);
}

const decimal = fc
  .tuple(fc.integer({ min: 1, max: 30 }), fc.nat(30))
  .map(([precision, scale]) => ({ precision, scale: Math.min(precision, scale) }))
  .chain((size) => {
    const most = 10n ** BigInt(size.precision) - 1n;
    const print = (value: bigint): string => {
      const digits = String(value < 0n ? -value : value).padStart(size.scale + 1, '0');
      const point = digits.length - size.scale;
      const fraction = size.scale === 0 ? '' : `.${digits.slice(point)}`;
      return `${value < 0n ? '-' : ''}${digits.slice(0, point)}${fraction}`;
    };
    return together(
      fc.constant({ written: size, read: size }),
      between(BOUNDS, BOUNDS, fc.bigInt({ min: -most, max: most }), byBigint, print),
    );
  });

const safe = fc.integer({ min: Number.MIN_SAFE_INTEGER, max: Number.MAX_SAFE_INTEGER });
const double = fc
  .double({ noNaN: true, noDefaultInfinity: true })
  .map((value) => (Number.isInteger(value) && !Number.isSafeInteger(value) ? 0.5 : value + 0));

/** A number of milliseconds as a time of day: a fraction only where it is not zero, without zeros at its end. */
function timeOfDay(milliseconds: number): string {
  const [seconds = '', fraction = ''] = new Date(milliseconds)
    .toISOString()
    .slice(11, 23)
    .split('.');
  return fraction === '000' ? seconds : `${seconds}.${fraction.replace(/0{1,2}$/, '')}`;
}

/** A number of milliseconds as a duration in hours, minutes and seconds. */
function durationOf(milliseconds: number): string {
  const parts = [
    [Math.floor(milliseconds / 3_600_000), 'H'],
    [Math.floor(milliseconds / 60_000) % 60, 'M'],
    [(milliseconds % 60_000) / 1000, 'S'],
  ] as const;
  const text = parts.map(([value, unit]) => (value === 0 ? '' : `${value}${unit}`)).join('');
  return `PT${text === '' ? '0S' : text}`;
}

const SCALARS: readonly fc.Arbitrary<Both>[] = [
  typed(
    'string',
    between(
      ['min_length', 'max_length'],
      ['minLength', 'maxLength'],
      fc.integer({ min: 1, max: 5000 }),
      byNumber,
    ),
    option('pattern', 'pattern', fc.constantFrom('^a', '^[a-z]{2,5}$', '^"\'`[$][{][}]\\\\$')),
    option('format', 'format', fc.constantFrom('email', 'uri', 'hostname', 'ipv4', 'ipv6', 'slug')),
  ),
  typed('text', option('max_length', 'maxLength', fc.integer({ min: 1, max: 10_485_760 }))),
  typed('integer', between(BOUNDS, BOUNDS, safe, byNumber)),
  typed(
    'bigint',
    between(
      BOUNDS,
      BOUNDS,
      fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
      byBigint,
      String,
    ),
  ),
  typed('number', between(BOUNDS, BOUNDS, double, byNumber)),
  typed('decimal', decimal),
  typed('boolean'),
  typed(
    'date',
    between(
      BOUNDS,
      BOUNDS,
      date,
      (a, b) => (a < b ? -1 : 1),
      (value) => value.slice(0, 10),
    ),
  ),
  typed(
    'timestamp',
    between(BOUNDS, BOUNDS, date, (a, b) => (a < b ? -1 : 1)),
  ),
  typed('time', between(BOUNDS, BOUNDS, fc.nat(86_399_999), byNumber, timeOfDay)),
  typed('duration', between(BOUNDS, BOUNDS, fc.nat(2_000_000_000), byNumber, durationOf)),
  typed('uuid'),
  typed('ip'),
  typed('bytes', option('max_bytes', 'maxBytes', fc.integer({ min: 1, max: 10_485_760 }))),
  fc
    .uniqueArray(hostileText, { minLength: 1, maxLength: 4 })
    .map((values) => ({ written: { type: 'enum', values }, read: { type: 'enum', values } })),
];

const scalar = fc.oneof(...SCALARS);

const list = fc.tuple(scalar, fc.option(fc.boolean(), { nil: undefined })).map(([of, unique]) => ({
  written: { type: 'list', of: of.written, ...(unique !== undefined && { unique_items: unique }) },
  read: { type: 'list', of: of.read, uniqueItems: unique ?? false },
}));

const json = typed(
  'json',
  option('max_bytes', 'maxBytes', fc.integer({ min: 256, max: 10_485_760 })),
);

/** Names that are apart in camelCase too, each with a value. */
function named<T>(
  values: fc.Arbitrary<T>,
  most: number,
): fc.Arbitrary<readonly (readonly [string, T])[]> {
  const pairs = fc.tuple(fieldName, values);
  return fc.uniqueArray(pairs, {
    minLength: 1,
    maxLength: most,
    selector: ([name]) => camelCase(name),
  });
}

const common = together(
  option(
    'description',
    'description',
    hostileText.filter((text) => text.trim() !== ''),
  ),
  fc.option(fc.boolean(), { nil: undefined }).map((required) => ({
    written: required === undefined ? {} : { required },
    read: { required: required ?? false },
  })),
);

function property(depth: number): fc.Arbitrary<Both> {
  const types = depth < 4 ? [scalar, list, json, objectOf(depth + 1)] : [scalar, list, json];
  return fc
    .tuple(fc.oneof({ depthSize: 'small', withCrossShrink: true }, ...types), common)
    .map(([type, options]) => ({
      written: { ...type.written, ...options.written },
      read: { ...options.read, type: type.read },
    }));
}

function objectOf(depth: number): fc.Arbitrary<Both> {
  return named(
    fc.constant(null).chain(() => property(depth)),
    3,
  ).map((members) => ({
    written: {
      type: 'object',
      properties: Object.fromEntries(members.map(([name, { written }]) => [name, written])),
    },
    read: { type: 'object', properties: members.map(([name, { read }]) => ({ name, ...read })) },
  }));
}

const switches = fc
  .record({
    readOnly: fc.boolean(),
    isSetByService: fc.boolean(),
    writeOnly: fc.boolean(),
    immutable: fc.boolean(),
  })
  .map(({ readOnly, isSetByService, writeOnly, immutable }): Both => {
    const both = { readOnly, writeOnly: writeOnly && !readOnly, immutable };
    const locked = isSetByService ? { set_by: 'service' } : { read_only: true };
    return {
      written: {
        ...(readOnly ? locked : { read_only: false }),
        write_only: both.writeOnly,
        immutable,
      },
      read: { ...both, ...(readOnly && isSetByService && { setBy: 'service' }) },
    };
  });

const field = fc
  .tuple(fc.oneof(scalar, scalar, list, json, objectOf(1)), common, switches)
  .map(([type, options, { written, read }]): Both => {
    const required = options.read['required'] === true && read['readOnly'] !== true;
    return {
      written: { ...type.written, ...options.written, ...written, required },
      read: { ...options.read, ...read, required, unique: false, type: type.read },
    };
  });

/** The key of a collection, by its name: references have it too. */
const keyOf = (target: string): string =>
  target === 'users' ? 'uuid' : ['uuid', 'integer', 'bigint'][target.length % 3]!;

const reference = (targets: readonly string[]): fc.Arbitrary<readonly [string, Both]> =>
  fc
    .record({
      name: word,
      to: fc.constantFrom(...targets, 'users'),
      onDelete: fc.constantFrom('refuse', 'cascade', 'clear'),
    })
    .map(({ name, to, onDelete }) => [
      `${name}_ref_id`,
      {
        written: { type: 'reference', to, on_delete: onDelete },
        read: {
          required: false,
          unique: false,
          readOnly: false,
          writeOnly: false,
          immutable: false,
          type: {
            type: 'reference',
            to,
            onDelete,
            ...(keyOf(to) !== 'uuid' && { key: keyOf(to) }),
          },
        },
      },
    ]);

const ORDERED = new Set(
  'string integer bigint number decimal boolean date timestamp time duration uuid ip enum reference'.split(
    ' ',
  ),
);

function permission(action: string): fc.Arbitrary<readonly [unknown, object]> {
  const words: (readonly [unknown, object])[] = [
    ['public', { kind: 'public' }],
    ['authenticated', { kind: 'authenticated' }],
    [['editor', 'admin'], { kind: 'some', roles: ['editor', 'admin'], owner: false }],
  ];
  if (action !== 'create')
    words.push(
      [['editor', 'owner'], { kind: 'some', roles: ['editor'], owner: true }],
      ['owner', { kind: 'some', roles: [], owner: true }],
    );
  return fc.constantFrom(...words);
}

const permissions = fc
  .record({
    read: permission('read'),
    create: permission('create'),
    update: permission('update'),
    delete: permission('delete'),
  })
  .map((all): Both => {
    const part = (index: 0 | 1): Written =>
      Object.fromEntries(Object.entries(all).map(([action, pair]) => [action, pair[index]]));
    return { written: part(0), read: part(1) };
  });

function collection(name: string, singular: string, all: readonly string[]): fc.Arbitrary<Both> {
  return fc
    .record({
      fields: named(field, 5),
      references: fc.uniqueArray(reference(all), {
        maxLength: 2,
        selector: ([key]) => camelCase(key),
      }),
      permissions,
      description: option(
        'description',
        'description',
        hostileText.filter((text) => text.trim() !== ''),
      ),
      create: fc.constantFrom('direct', 'background'),
      requireIfMatch: fc.boolean(),
      pages: fc.option(fc.integer({ min: 1, max: 500 }), { nil: undefined }),
      dice: fc.infiniteStream(fc.boolean()),
    })
    .map((made): Both => {
      const fields = [...made.fields, ...made.references];
      const pick = (): boolean => made.dice.next().value;
      const ordered = fields.filter(
        ([, { read }]) =>
          ORDERED.has((read['type'] as { type: string }).type) && read['writeOnly'] !== true,
      );
      const sort = [...ordered.map(([key]) => key), 'updated_at'].filter(pick);
      const filter = [...ordered.map(([key]) => key), 'created_at'].filter(pick);
      const search = fields
        .filter(
          ([, { read }]) =>
            ['string', 'text'].includes((read['type'] as { type: string }).type) &&
            read['writeOnly'] !== true,
        )
        .map(([key]) => key)
        .filter(pick);
      const include = made.references
        .filter(([, { read }]) => (read['type'] as { to: string }).to !== 'users')
        .map(([key]) => key)
        .filter(pick);
      return {
        written: {
          singular,
          ...((keyOf(name) !== 'uuid' || made.requireIfMatch) && { key: keyOf(name) }),
          ...made.description.written,
          fields: Object.fromEntries(fields.map(([key, { written }]) => [key, written])),
          sort,
          filter,
          search,
          include,
          permissions: made.permissions.written,
          create: made.create,
          require_if_match: made.requireIfMatch,
          ...(made.pages !== undefined && { pages: { maximum: made.pages } }),
        },
        read: {
          name,
          singular,
          ...made.description.read,
          key: keyOf(name),
          keySource: keyOf(name) === 'uuid' ? 'service' : 'database',
          times: ['created_at', 'updated_at'],
          fields: fields.map(([key, { read }]) => Object.assign({ name: key }, read)),
          sort,
          filter,
          search,
          include,
          permissions: made.permissions.read,
          create: made.create,
          jobTimeout: 300,
          requireIfMatch: made.requireIfMatch,
          events: false,
          pages: { default: Math.min(20, made.pages ?? 100), maximum: made.pages ?? 100 },
          unique: [],
          checks: [],
          indexes: [],
        },
      };
    });
}

/** A whole service: as it is written in one file, and as it is read. */
export const generatedService: fc.Arbitrary<Both> = fc
  .uniqueArray(word, { minLength: 1, maxLength: 3 })
  .chain((words) => {
    // No verb begins with an x: `get_things` would rightly be refused.
    const names = words.map((one) => `x${one}_things`);
    return fc.record({
      title: hostileText.filter((text) => text.trim() !== ''),
      description: hostileText.filter((text) => text.trim() !== ''),
      versions: fc.uniqueArray(fc.integer({ min: 1, max: 99 }), { minLength: 1, maxLength: 3 }),
      collections: fc.tuple(
        ...names.map((name, index) => collection(name, `x${words[index]!}_thing`, names)),
      ),
      names: fc.constant(names),
    });
  })
  .map(({ title, description, versions, collections, names }): Both => ({
    written: {
      name: 'shop',
      title,
      description,
      versions,
      roles: ['editor'],
      collections: Object.fromEntries(
        collections.map(({ written }, index) => [names[index]!, written]),
      ),
    },
    read: {
      name: 'shop',
      title,
      description,
      versions: versions.toSorted(byNumber),
      lifecycles: versions
        .toSorted(byNumber)
        .map((version) => ({ version, frozen: version !== Math.max(...versions) })),
      retired: [],
      versioning: ['path', 'accept'],
      pages: { default: 20, maximum: 100 },
      roles: ['editor'],
      seeds: false,
      redis: false,
      collections: collections
        .map(({ read }) => read)
        .toSorted((a, b) => (String(a['name']) < String(b['name']) ? -1 : 1)),
    },
  }));
