/** Members of items and objects as emitted code. */
import { ownMember } from '../shared/json.ts';
import type { JsonObject, JsonValue } from '../shared/json.ts';
import { stringLiteral, valueCode, valueLiteral } from '../shared/literals.ts';
import { nameCode, plainCode } from './code.ts';
import type { FindSpec } from './example-values.ts';
import type { NamedMember } from './object.ts';
import type { FieldType } from './registry.ts';
import type { Code } from './type.ts';

interface Member extends NamedMember<FieldType> {
  readonly immutable?: boolean;
  readonly writeOnly?: boolean;
}

/**
 * The schema of a member of a body: its values, whether it may be absent, and its default.
 * @param wrap what is done to the schema of its values.
 */
export function memberCode(
  find: FindSpec,
  member: Member,
  wrap: (schema: Code) => Code = (schema) => schema,
): Code {
  const description = member.description?.trim() ?? '';
  const wrappers = [
    ...(description === '' ? [] : [['described', `${stringLiteral(description)}, `] as const]),
    ...(member.immutable === true ? [['immutable', ''] as const] : []),
    ...(member.writeOnly === true ? [['writeOnly', ''] as const] : []),
  ];
  return wrappers.reduce<Code>(
    ({ text, uses }, [name, first]) => ({
      text: `${name}(${first}${text})`,
      uses: [...uses, name],
    }),
    withDefault(find, member, wrap(find(member.type).shape(member.type))),
  );
}

function withDefault(find: FindSpec, member: Member, schema: Code): Code {
  const { required, type, default: defaultValue } = member;
  if (required && defaultValue === undefined) return schema;
  const name = required ? 'defaulting' : 'optional';
  const isCurrent = defaultValue !== undefined && defaultValue === find(type).currentDefault;
  const whenAbsent =
    defaultValue === undefined ? [] : [isCurrent ? defaultValue : valueLiteral(defaultValue)];
  return {
    text: `${name}(${[schema.text, ...whenAbsent].join(', ')})`,
    uses: [...schema.uses, name, ...(isCurrent ? [defaultValue] : [])],
  };
}

/** Code for what is expected in an answer: of the defaults `now` and `today`, only the form is known. */
export function expectedCode(find: FindSpec, type: FieldType, value: JsonValue): Code {
  if (value === find(type).currentDefault) return nameCode(value === 'now' ? 'A_TIME' : 'A_DAY');
  if (type.type !== 'object' || typeof value !== 'object' || value === null) {
    return plainCode(valueCode(value));
  }
  const object = value as JsonObject;
  const members = type.properties.map(({ name, type: inner }) => ({
    name,
    code: expectedCode(find, inner, ownMember(object, name) ?? null),
  }));
  return {
    text: `{ ${members.map(({ name, code }) => `${name}: ${code.text}`).join(', ')} }`,
    uses: members.flatMap(({ code }) => code.uses),
  };
}

/** The answer to a canonical value: objects have all of their members. */
export function answeredValue(type: FieldType, value: JsonValue): JsonValue {
  if (type.type !== 'object' || value === null) return value;
  const given = value as JsonObject;
  return Object.fromEntries(
    type.properties.map(({ name, type: inner, default: defaultValue }) => {
      const part = ownMember(given, name) ?? (Object.hasOwn(given, name) ? null : defaultValue);
      return [name, part === undefined ? null : answeredValue(inner, part)];
    }),
  );
}
