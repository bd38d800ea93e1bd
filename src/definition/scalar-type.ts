/** Reads the options of the types whose values are one JSON scalar. */
import type { Issues } from './issues.ts';
import type { TYPE_KEYS, TypeName } from './keys.ts';
import { shown } from './mismatch.ts';
import type { PatternJudge } from './pattern.ts';
import type { Keys, Reading } from './records.ts';
import type { Located } from './shapes.ts';
import type { MapTree, Tree } from './tree.ts';
import type { JsonValue, ScalarType } from './types.ts';
import type { KnownVersions } from './versions/known.ts';
import { readValues, type EnumForm } from './versions/values.ts';
import { boundsCross, readValue } from './values.ts';

/** What every reader of a field needs. */
export interface FieldContext {
  readonly issues: Issues;
  readonly judge: PatternJudge;
  readonly versions: KnownVersions;
}

/** The options of a type, after they were read by its table of keys. */
export type OptionsOf<T extends TypeName> = Reading<(typeof TYPE_KEYS)[T]>;

/** Reads a type from its options; undefined where they leave open what it is. */
export function readScalarType(
  typeName: ScalarType['type'],
  options: Reading<Keys>,
  tree: MapTree,
  form: EnumForm,
  context: FieldContext,
): ScalarType | undefined {
  // The options were read by the table of this very type.
  const of = <T extends TypeName>(): OptionsOf<T> => options as OptionsOf<T>;
  switch (typeName) {
    case 'string':
      return readString(of<'string'>(), context);
    case 'text': {
      const maxLength = of<'text'>().max_length?.value;
      return { type: 'text', ...(maxLength !== undefined && { maxLength }) };
    }
    case 'decimal':
      return readDecimal(of<'decimal'>(), tree, context.issues);
    case 'enum':
      return readEnum(of<'enum'>(), tree, form, context);
    case 'boolean':
    case 'uuid':
      return { type: typeName };
    default:
      return readBounds({ type: typeName }, tree, context.issues);
  }
}

function readString(options: OptionsOf<'string'>, { issues, judge }: FieldContext): ScalarType {
  const { min_length: least, max_length: most, pattern, format } = options;
  const ordered = inOrder('length', least, most, issues);
  const problem = pattern && judge(pattern.value, most?.value);
  if (pattern && problem) issues.add(pattern.at, problem.code, problem.message);
  return {
    type: 'string',
    ...(least && ordered && { minLength: least.value }),
    ...(most && ordered && { maxLength: most.value }),
    // A pattern that is refused is never run.
    ...(pattern && !problem && { pattern: pattern.value }),
    ...(format && { format: format.value }),
  };
}

/** Whether two bounds of a length or a number of entries do not cross; adds an issue if so. */
export function inOrder(
  what: 'length' | 'items',
  least: Located<number> | undefined,
  most: Located<number> | undefined,
  issues: Issues,
): boolean {
  if (!least || !most || least.value <= most.value) return true;
  const message = `min_${what} ${least.value} is over max_${what} ${most.value}. Write ${most.value} or less.`;
  issues.add(least.at, 'bounds-cross', message);
  return false;
}

function readDecimal(
  options: OptionsOf<'decimal'>,
  tree: MapTree,
  issues: Issues,
): ScalarType | undefined {
  const { precision, scale } = options;
  if (precision === undefined || scale === undefined) return undefined;
  if (scale.value > precision.value) {
    const message = `scale ${scale.value} is over precision ${precision.value}. Write ${precision.value} or less.`;
    issues.add(scale.at, 'bounds-cross', message);
    return undefined;
  }
  const type = { type: 'decimal', precision: precision.value, scale: scale.value } as const;
  return readBounds(type, tree, issues);
}

/** Adds the bounds to a type, each a value that the type without bounds accepts. */
function readBounds<T extends ScalarType>(type: T, tree: MapTree, issues: Issues): T {
  const bound = (name: string): { tree: Tree; value: JsonValue } | undefined => {
    const entry = tree.entries.find((candidate) => candidate.name === name);
    if (entry === undefined) return undefined;
    const value = readValue(type, entry.value, name, issues);
    return value === undefined ? undefined : { tree: entry.value, value };
  };
  const minimum = bound('minimum');
  const maximum = bound('maximum');
  const bounded = {
    ...type,
    ...(minimum && { minimum: minimum.value }),
    ...(maximum && { maximum: maximum.value }),
  };
  if (minimum && maximum && boundsCross(bounded)) {
    const message = `minimum ${shown(minimum.tree)} is over maximum ${shown(maximum.tree)}. Write ${shown(maximum.tree)} or less.`;
    issues.add(minimum.tree.at, 'bounds-cross', message);
    return type;
  }
  return bounded;
}

function readEnum(
  { values }: OptionsOf<'enum'>,
  tree: MapTree,
  form: EnumForm,
  context: FieldContext,
): ScalarType | undefined {
  if (values === undefined) return undefined;
  const read = readValues(values.value, form, context);
  // Where a value could not be read, it is not known what the others leave out.
  const written = tree.entries.find(({ name }) => name === 'values')!.value;
  const count =
    written.kind === 'list' ? written.items : written.kind === 'map' ? written.entries : [];
  return count.length === values.value.length ? read : undefined;
}
