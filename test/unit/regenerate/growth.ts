/**
 * Definitions that change at random, as those of a service do over the years: fields and
 * collections come, go and are renamed, and what is said of them changes. They stay right.
 */

/** Numbers at random, and what is chosen by them. */
export class Dice {
  private readonly numbers: Iterator<number>;

  constructor(numbers: Iterator<number>) {
    this.numbers = numbers;
  }

  /** A number from 0 to below `sides`. */
  roll(sides: number): number {
    return Number(this.numbers.next().value) % sides;
  }

  pick<One>(from: readonly One[]): One {
    return from[this.roll(from.length)] as One;
  }
}

export type Written = Record<string, unknown>;

export interface Collection {
  name: string;
  renamedFrom?: string;
  readonly fields: Map<string, Written>;
  readonly rest: Written;
}

export const KINDS: readonly (() => Written)[] = [
  () => ({ type: 'string', max_length: 80 }),
  () => ({ type: 'string', required: true, backfill: 'none', max_length: 120 }),
  () => ({ type: 'text' }),
  () => ({ type: 'integer', minimum: 0, default: 3 }),
  () => ({ type: 'boolean', default: false }),
  () => ({ type: 'decimal', precision: 10, scale: 2 }),
  () => ({ type: 'enum', values: ['open', 'done'], default: 'open' }),
  () => ({ type: 'timestamp' }),
  () => ({ type: 'list', of: { type: 'string', max_length: 20 } }),
  () => ({ type: 'object', properties: { width: { type: 'integer' } } }),
];

const PERMISSIONS: readonly Written[] = [
  { read: 'public' },
  { read: 'public', create: ['editor'], update: ['editor'] },
  { read: 'authenticated', update: 'owner', delete: ['owner', 'editor'] },
  { read: ['editor'], create: ['editor'] },
];

/** A service with three collections, which grows by `change`. */
export class Growth {
  readonly dice: Dice;
  private made = 0;
  /** How many names there were before the change that is under way. */
  private madeBefore = 0;
  protected readonly service: Written = {
    name: 'shop',
    title: 'Shop',
    roles: ['editor'],
    pages: { default: 20, maximum: 100 },
  };
  protected readonly collections: Collection[] = [
    {
      name: 'authors',
      fields: new Map([['name', { type: 'string', required: true, max_length: 200 }]]),
      rest: { sort: ['name'], search: ['name'], permissions: PERMISSIONS[1] },
    },
    {
      name: 'books',
      fields: new Map<string, Written>([
        ['title', { type: 'string', required: true, max_length: 300 }],
        ['price', { type: 'integer', minimum: 0 }],
        ['author_id', { type: 'reference', to: 'authors', nested: true }],
      ]),
      rest: { description: 'A title.', filter: ['price'], permissions: PERMISSIONS[0] },
    },
    {
      name: 'reviews',
      fields: new Map<string, Written>([
        ['body', { type: 'text' }],
        ['book_id', { type: 'reference', to: 'books', on_delete: 'cascade', nested: true }],
      ]),
      rest: {},
    },
  ];

  constructor(dice: Dice) {
    this.dice = dice;
  }

  /** The definitions as files, by their paths below `definitions/`. */
  files(): Record<string, string> {
    const collections = this.collections.map(({ name, renamedFrom, fields, rest }) => [
      `collections/${name}.yaml`,
      written({
        name,
        ...(renamedFrom !== undefined && { renamed_from: renamedFrom }),
        fields: Object.fromEntries(fields),
        ...rest,
      }),
    ]);
    return { 'service.yaml': written(this.service), ...Object.fromEntries(collections) };
  }

  /** Changes one to three things. What was renamed before is called so now. */
  change(): void {
    this.madeBefore = this.made;
    for (const collection of this.collections) {
      delete collection.renamedFrom;
      for (const field of collection.fields.values()) delete field['renamed_from'];
    }
    for (let left = 1 + this.dice.roll(3); left > 0; left--) this.changeOne();
  }

  protected changeOne(): void {
    const { dice } = this;
    const collection = dice.pick(this.collections);
    const { fields, rest } = collection;
    const [name, field] = dice.pick([...fields]);
    const isReference = field['type'] === 'reference';
    const changes: readonly (() => void)[] = [
      () => fields.set(this.newName('field'), dice.pick(KINDS)()),
      () => fields.set(this.newName('field'), { ...dice.pick(KINDS)(), description: 'New.' }),
      () => {
        if (fields.size < 2) return;
        fields.delete(name);
        this.unlist(collection, name);
      },
      () => {
        if (isReference || 'renamed_from' in field) return;
        // What this change added has no name that was ever generated.
        if (this.isNew(name) || this.isNew(collection.name)) return;
        const renamed = this.newName('field');
        const entries = [...fields].map(([one, value]): [string, Written] =>
          one === name ? [renamed, { ...value, renamed_from: name }] : [one, value],
        );
        fields.clear();
        for (const [one, value] of entries) fields.set(one, value);
        this.unlist(collection, name);
      },
      () => {
        if ('max_length' in field) field['max_length'] = Number(field['max_length']) + 50;
        else if (field['type'] === 'integer') field['maximum'] = 1000 + dice.roll(1000);
        else if (field['type'] === 'enum') field['values'] = ['open', 'done', this.newName('v')];
        else field['description'] = `Told anew, ${this.newName('v')}.`;
      },
      () => {
        if (field['type'] === 'integer') {
          field['type'] = 'bigint';
          for (const key of ['minimum', 'maximum', 'default']) {
            if (key in field) field[key] = String(field[key]);
          }
        }
      },
      () => (rest['permissions'] = dice.pick(PERMISSIONS)),
      () => (rest['description'] = `What is kept of them, ${this.newName('v')}.`),
      () => (rest['require_if_match'] = rest['require_if_match'] !== true),
      () => (rest['create'] = rest['create'] === 'background' ? 'direct' : 'background'),
      () => this.list(collection),
      () => this.list(collection),
      () => {
        if (collection.renamedFrom !== undefined || this.isNew(collection.name)) return;
        collection.renamedFrom = collection.name;
        this.rename(collection, this.newName('x', '_things'));
      },
      () => {
        if (this.collections.length < 3) return;
        this.collections.splice(this.collections.indexOf(collection), 1);
        this.dropReferences(collection.name);
      },
      () => {
        const target = dice.pick([undefined, dice.pick(this.collections).name]);
        this.collections.push({
          name: this.newName('x', '_things'),
          fields: new Map<string, Written>([
            ['name', { type: 'string', max_length: 80 }],
            ...(target === undefined
              ? []
              : ([['parent_id', { type: 'reference', to: target, nested: true }]] as const)),
          ]),
          rest: { permissions: dice.pick(PERMISSIONS) },
        });
      },
      () => (this.service['description'] = `Sells things, ${this.newName('v')}.`),
      () => (this.service['pages'] = { default: 10 + dice.roll(20), maximum: 200 }),
      () => (this.service['versioning'] = dice.pick([['path'], ['path', 'accept'], ['accept']])),
    ];
    dice.pick(changes)();
  }

  protected newName(prefix: string, suffix = ''): string {
    this.made++;
    return `${prefix}${this.made}${suffix}`;
  }

  private isNew(name: string): boolean {
    return Number(/\d+/.exec(name)?.[0] ?? 0) > this.madeBefore;
  }

  /** Sorts, filters or searches by a field, or no longer does. */
  private list({ fields, rest }: Collection): void {
    const TYPES = {
      sort: ['string', 'integer', 'bigint', 'timestamp', 'decimal'],
      filter: ['string', 'integer', 'boolean', 'enum', 'reference', 'decimal'],
      search: ['string', 'text'],
      include: ['reference'],
    } as const;
    const list = this.dice.pick(['sort', 'filter', 'search', 'include'] as const);
    const able = [...fields].filter(([, { type }]) => TYPES[list].some((one) => one === type));
    if (able.length === 0) return;
    const [name] = this.dice.pick(able);
    const listed = (rest[list] ?? []) as string[];
    const others = listed.filter((one) => one !== name);
    rest[list] = others.length === listed.length ? [...listed, name] : others;
    if (list === 'sort' && others.length === 0) delete rest[list];
  }

  protected unlist({ rest }: Collection, name: string): void {
    for (const list of ['sort', 'filter', 'search', 'include']) {
      if (!(list in rest)) continue;
      const left = (rest[list] as string[]).filter((one) => one !== name);
      if (left.length === 0) delete rest[list];
      else rest[list] = left;
    }
  }

  protected rename(collection: Collection, name: string): void {
    for (const { fields } of this.collections) {
      for (const field of fields.values()) {
        if (field['to'] === collection.name) field['to'] = name;
      }
    }
    collection.name = name;
  }

  private dropReferences(to: string): void {
    for (const collection of this.collections) {
      for (const [name, field] of collection.fields) {
        if (field['to'] !== to) continue;
        collection.fields.delete(name);
        this.unlist(collection, name);
        if (collection.fields.size === 0)
          collection.fields.set(this.newName('field'), { type: 'text' });
      }
    }
  }
}

/** JSON is YAML, and a line each is enough to read it by. */
const written = (value: Written): string => `${JSON.stringify(value, undefined, 2)}\n`;
