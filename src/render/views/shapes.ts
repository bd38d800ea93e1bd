/** Code that `schema.ts` and the modules of older versions share: the shapes of an item, their types, and the reader of bodies. */
import { stringLiteral, stringUnion } from '../../shared/literals.ts';
import { presentTexts } from './module-imports.ts';
import type { MemberCode } from './tested-collection.ts';

export interface ShapesView {
  /** The shape of bodies. */
  readonly bodyShape: string;
  /** The name of the shape of the members that clients do not send. */
  readonly setByService: string;
  /** The type of a body with its defaults and nulls, and of what the service alone writes. */
  readonly valuesType: string;
  /** The type of the values that an item has. */
  readonly storedValues: string;
  /** The options of the shape of an item. */
  readonly shapeOptions: string;
  /** The types that the interface of an item extends. */
  readonly itemTypes: readonly string[];
  /** The reader of bodies. */
  readonly bodyReader: string;
}

/** What the shapes of an item are made of. */
interface ShapeParts {
  readonly body: readonly MemberCode[];
  /** The checks in the description of a body; empty if there are none. */
  readonly rules: string;
  /** Code for the rules of bodies, beside their schema. */
  readonly bodyRules: readonly string[];
  /** Whether there are members that only the service writes, and ones that only the database sets. */
  readonly hasReadOnly: boolean;
  readonly hasAssigned: boolean;
  readonly databaseDefaults: readonly string[];
  readonly writeOnly: readonly string[];
  /** Options of the shape of an item for its id, and for its times. */
  readonly idOptions: readonly string[];
  readonly timeOptions: readonly string[];
}

/** @param type the prefix of the names of the shapes. */
export function shapesView(type: string, parts: ShapeParts): ShapesView {
  const { body, rules, bodyRules, hasReadOnly, hasAssigned, databaseDefaults, writeOnly } = parts;
  const hasDefaults = databaseDefaults.length > 0;
  const object = `object({\n${body.map(({ name, code }) => `${name}: ${code},\n`).join('')}})`;
  const both = hasReadOnly ? 'SetByService' : 'Assigned';
  const setByService = `${type}${hasAssigned ? both : 'ReadOnly'}`;
  const typeOf = (shape: string): string => `Complete<Static<typeof ${type}${shape}>>`;
  const values = presentTexts([typeOf('Body'), hasReadOnly && typeOf('ReadOnly')]).join(' & ');
  // New items lack what the database sets.
  const storedValues = hasDefaults ? `Complete<${type}Values>` : `${type}Values`;
  const shapeOptions = presentTexts([
    ...parts.idOptions,
    (hasReadOnly || hasAssigned) && `readOnly: ${setByService}`,
    `computed: ${type}Computed`,
    ...parts.timeOptions,
  ]);
  const readerOptions = presentTexts([
    hasReadOnly && `readOnly: ${type}ReadOnly`,
    bodyRules.length > 0 && `rules: [${bodyRules.join(', ')}]`,
    hasDefaults && 'completion: exceptDatabaseDefaults',
  ]);
  return {
    bodyShape: rules === '' ? object : `described(${stringLiteral(rules)}, ${object})`,
    setByService,
    valuesType: hasDefaults
      ? `WithDatabaseDefaults<${values}, ${stringUnion(databaseDefaults)}>`
      : values,
    storedValues,
    shapeOptions: `{ ${shapeOptions.join(', ')} }`,
    itemTypes: presentTexts([
      writeOnly.length > 0 ? `Omit<${storedValues}, ${stringUnion(writeOnly)}>` : storedValues,
      hasAssigned && typeOf('Assigned'),
      typeOf('Computed'),
    ]),
    bodyReader: `bodyReader(${type}Body, ${type}Shape${
      readerOptions.length > 0 ? `, {\n${readerOptions.join(', ')} }` : ''
    })`,
  };
}
