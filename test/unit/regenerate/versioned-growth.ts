/**
 * The same with versions: they come and are retired, and what definitions say of them changes. The
 * clients of frozen versions may break by it, as they may by all that changes else.
 */
import { Growth, KINDS } from './growth.ts';
import type { Collection, Written } from './growth.ts';

/** More are not served at a time. */
const MOST_VERSIONS = 3;

/** A service with two versions, the first of which is frozen. */
export class VersionedGrowth extends Growth {
  private readonly lifecycles = new Map<number, Written>([
    [1, {}],
    [2, {}],
  ]);
  private readonly retired: number[] = [];

  override files(): Record<string, string> {
    const plain = [...this.lifecycles.values()].every((one) => Object.keys(one).length === 0);
    this.service['versions'] = plain ? [...this.lifecycles.keys()] : asMap(this.lifecycles);
    if (this.retired.length > 0) this.service['retired'] = this.retired;
    return super.files();
  }

  protected override changeOne(): void {
    if (this.dice.roll(2) === 0) super.changeOne();
    else this.changeVersions();
    for (const collection of this.collections) this.tidy(collection);
  }

  private changeVersions(): void {
    const { dice } = this;
    const [last = 1, before = 1] = [...this.lifecycles.keys()].toReversed();
    const collection = dice.pick(this.collections);
    const { fields, rest } = collection;
    const plain = [...fields].filter(([, field]) => isPlain(field));
    const [name, field] = dice.pick(plain);
    const changes: readonly (() => void)[] = [
      () => this.addVersion(last + 1),
      () => fields.set(this.newName('field'), { ...this.newField(), since: last }),
      () => fields.set(this.newName('field'), { ...this.newField(), until: before }),
      () => {
        if (plain.length > 1) Object.assign(field, defaulted(field), { until: before });
      },
      () => {
        const older = (field['name_in'] ?? {}) as Written;
        if (before in older || 'renamed_from' in field) return;
        const renamed = this.newName('field');
        const entries = [...fields].map(([one, value]): [string, Written] =>
          one === name
            ? [renamed, { ...value, name_in: { ...older, [before]: name } }]
            : [one, value],
        );
        fields.clear();
        for (const [one, value] of entries) fields.set(one, value);
        for (const list of ['sort', 'filter', 'search']) {
          const listed = rest[list] as string[] | undefined;
          if (listed) rest[list] = listed.map((one) => (one === name ? renamed : one));
        }
      },
      () => {
        if (field['type'] === 'integer') field['type_in'] = { [before]: { type: 'bigint' } };
      },
      () => {
        if (field['type'] !== 'enum') return;
        const young = { value: this.newName('v'), since: last, as: 'open' };
        field['values'] = [...(field['values'] as unknown[]), young];
      },
      () => {
        const older = (rest['name_in'] ?? {}) as Written;
        if (before in older || collection.renamedFrom !== undefined) return;
        rest['name_in'] = { ...older, [before]: collection.name };
        this.rename(collection, this.newName('x', '_things'));
      },
      () => {
        const own = this.lifecycles.get(last);
        if (own) own['frozen'] = own['frozen'] !== true;
      },
      () => Object.assign(this.lifecycles.get(before) ?? {}, { deprecated: '2026-11-01' }),
    ];
    dice.pick(changes)();
  }

  private addVersion(version: number): void {
    const [oldest = 1] = this.lifecycles.keys();
    for (const own of this.lifecycles.values()) delete own['frozen'];
    this.lifecycles.set(version, {});
    if (this.lifecycles.size <= MOST_VERSIONS) return;
    this.lifecycles.delete(oldest);
    this.retired.push(oldest);
  }

  private newField(): Written {
    const field = this.dice.pick(KINDS)();
    return { ...field, ...defaulted(field) };
  }

  /** Takes back what is said of versions that are not served any more. */
  private tidy(collection: Collection): void {
    const { fields, rest } = collection;
    const [oldest = 1] = this.lifecycles.keys();
    for (const key of ['name_in', 'type_in']) forget(rest, key, oldest);
    for (const [name, field] of fields) {
      if (Number(field['since'] ?? Infinity) <= oldest) delete field['since'];
      if (Number(field['until'] ?? Infinity) < oldest) {
        fields.delete(name);
        this.unlist(collection, name);
      }
      if (field['type'] === 'bigint') delete field['type_in'];
      for (const key of ['name_in', 'type_in']) forget(field, key, oldest);
      const values = field['values'] as (string | Written)[] | undefined;
      if (values === undefined) continue;
      field['values'] = values.map((one) =>
        typeof one === 'object' && Number(one['since']) <= oldest ? one['value'] : one,
      );
    }
    if (![...fields.values()].some(isPlain)) fields.set(this.newName('field'), { type: 'text' });
  }
}

/** Whether all versions have it, under names that need not end in something. */
const isPlain = (field: Written): boolean =>
  !('since' in field) && !('until' in field) && field['type'] !== 'reference';

/** What a required field needs that not all versions have. */
const defaulted = (field: Written): Written =>
  field['required'] === true ? { default: 'none' } : {};

const asMap = (lifecycles: ReadonlyMap<number, Written>): Written =>
  Object.fromEntries([...lifecycles].map(([version, one]) => [String(version), one]));

/** Takes out of a map by versions those that are older than all that are served. */
function forget(from: Written, key: string, oldest: number): void {
  const map = from[key] as Written | undefined;
  if (map === undefined) return;
  const left = Object.entries(map).filter(([version]) => Number(version) >= oldest);
  if (left.length === 0) delete from[key];
  else from[key] = Object.fromEntries(left);
}
