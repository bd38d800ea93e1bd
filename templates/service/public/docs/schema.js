/** Schemas for people: what a member is, whether it must be there, and what it may hold. */
import { resolve } from './documents.js';
import { element } from './dom.js';
import { inline } from './markdown.js';

/** The members of a schema as a list, those of objects within it too. */
export function schemaView(document, given) {
  const schema = resolve(document, given);
  if (schema.type === 'array') return schemaView(document, schema.items);
  const members = Object.entries(schema.properties ?? {});
  if (members.length === 0) return element('p', { class: 'note' }, typeOf(document, schema));
  const required = new Set(schema.required);
  return element(
    'dl',
    { class: 'members' },
    ...members.flatMap(([name, part]) => memberView(document, name, part, required.has(name))),
  );
}

function memberView(document, name, given, isRequired) {
  const member = resolve(document, given);
  const inner = member.properties === undefined ? member.items : member;
  const isNested = resolve(document, inner)?.properties !== undefined;
  return [
    element(
      'dt',
      {},
      element('code', {}, name),
      isRequired && element('span', { class: 'required' }, 'required'),
    ),
    element(
      'dd',
      {},
      element('span', { class: 'type' }, typeOf(document, member)),
      ...rulesOf(member).map((rule) => element('span', { class: 'rule' }, rule)),
      member.description !== undefined &&
        element('span', { class: 'words' }, ...inline(member.description)),
      isNested && schemaView(document, inner),
    ),
  ];
}

/** What kind of value it is. */
export function typeOf(document, given) {
  const schema = resolve(document, given);
  if (schema.enum !== undefined) return schema.enum.map((one) => JSON.stringify(one)).join(' · ');
  const types = [schema.type ?? 'any'].flat();
  const words = types.map((type) =>
    type === 'array' ? `list of ${typeOf(document, schema.items)}` : (type ?? 'any'),
  );
  return words.join(' or ') + (schema.format === undefined ? '' : ` (${schema.format})`);
}

/** A bound that says something: the ends of what a double holds do not. */
const toldBound = (value) => (Math.abs(value) === Number.MAX_SAFE_INTEGER ? undefined : value);

function rulesOf(schema) {
  const rules = [];
  const between = (low, high, noun) => {
    if (low !== undefined && high !== undefined) rules.push(`${low} to ${high}${noun}`);
    else if (low !== undefined) rules.push(`at least ${low}${noun}`);
    else if (high !== undefined) rules.push(`at most ${high}${noun}`);
  };
  between(toldBound(schema.minimum), toldBound(schema.maximum), '');
  between(schema.minLength, schema.maxLength, ' characters');
  between(schema.minItems, schema.maxItems, ' items');
  if (schema.uniqueItems) rules.push('none twice');
  if (schema.pattern !== undefined) rules.push(schema.pattern);
  if (schema.default !== undefined) rules.push(`default ${JSON.stringify(schema.default)}`);
  if (schema.readOnly) rules.push('read-only');
  if (schema.writeOnly) rules.push('never answered');
  return rules;
}
