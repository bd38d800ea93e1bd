/** A collection as its tests need it: which fields and references they can send, and which values they have. */
import type { Field } from '../../definition/types.ts';
import type { JsonValue } from '../../shared/json.ts';
import { samplesOf } from '../../model/samples.ts';
import type { Samples } from '../../model/samples.ts';
import type { TestTarget } from '../../model/test-targets.ts';
import type { Collection, Relation } from '../../model/types.ts';
import { fixtureValues, madeReferences, samplesFor } from './fixture.ts';
import type { FixtureValues } from './fixture.ts';
import { valueCode } from '../../shared/literals.ts';

/** A member of an object, with code for its value. */
export interface MemberCode {
  readonly name: string;
  readonly code: string;
}

/** An object with these members. */
export const objectCode = (members: readonly MemberCode[]): string =>
  `{ ${members.map(({ name, code }) => `${name}: ${code}`).join(', ')} }`;

/** A collection, and what its tests can do with it. */
export interface TestedCollection {
  readonly collection: Collection;
  readonly samples: Samples;
  /** Those of all collections. */
  readonly all: ReadonlyMap<string, Samples>;
  /** Whether tests can create items. */
  readonly creates: boolean;
  /** The fields that clients send, and of these the ones that they can change. */
  readonly writable: readonly Field[];
  readonly mutable: readonly Field[];
  /** The fields that clients read. */
  readonly visible: readonly Field[];
  readonly values: FixtureValues;
  /** The references that clients send to items that tests can create. */
  readonly relations: readonly Relation[];
}

/** Collects it for a collection as a version has it. */
export function testedCollection({ collection, model }: TestTarget): TestedCollection {
  const all = samplesOf(model);
  const samples = samplesFor(collection, all);
  const { fields } = collection.definition;
  const writable = fields.filter(({ readOnly }) => !readOnly);
  return {
    collection,
    samples,
    all,
    creates: samples.obstacle === undefined,
    writable,
    mutable: writable.filter(({ immutable }) => !immutable),
    visible: fields.filter(({ writeOnly }) => !writeOnly),
    values: fixtureValues(samples),
    relations: madeReferences(samples, all),
  };
}

/** Code for a member of `another()` that is not null; of a field that may be newer than the fixture, with a value in its place. */
export const anotherValueCode = ({ name, required }: Field, value: JsonValue): string =>
  required ? `full.${name}` : `full.${name} ?? ${valueCode(value)}`;
