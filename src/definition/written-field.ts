/** A field as it is written in a file. */
import type { Position } from '../reading/position.ts';
import type { Located } from '../reading/shapes.ts';
import type { WrittenReference } from '../types/reference.ts';
import type { TypeName } from '../types/registry.ts';
import type { Field } from './types.ts';

/** A field as its file says it: what references mean is not yet known. */
export interface WrittenField {
  readonly name: string;
  readonly at: Position;
  /** Known also where other parts of the field are wrong. */
  readonly typeName: TypeName | undefined;
  readonly required: boolean;
  readonly writeOnly: boolean;
  readonly reference: WrittenReference | undefined;
  /** The column, as it was written. */
  readonly column: Located<string> | undefined;
  readonly stored: Located<string> | undefined;
  readonly generatedAt: Position | undefined;
  readonly databaseDefaultAt: Position | undefined;
  readonly backfillAt: Position | undefined;
  /** The roles that its transitions name. */
  readonly stepRoles: readonly Located<string>[];
  /** Absent where something is wrong with it; of a reference the type is told by `reference`. */
  readonly field: Field | undefined;
}
