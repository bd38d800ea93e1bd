/** Collections and their references as an entity relationship diagram of Mermaid. */
import { beginsWithLink } from '../../definition/owner-step.ts';
import type { Field } from '../../definition/types.ts';
import { ownerPathText } from '../../model/owner-paths.ts';
import type { Collection, Model, Relation } from '../../model/types.ts';
import { mermaidText } from '../../shared/literals.ts';

export function diagramOf(model: Model): string {
  const lines = [
    'erDiagram',
    ...(model.refersToUsers ? ['  users {', '    uuid id PK', '  }'] : []),
    ...model.collections.flatMap(entityOf),
    ...model.collections.flatMap((collection) =>
      collection.relations.map((relation) => relationLine(collection, relation, model)),
    ),
  ];
  return `${lines.join('\n')}\n`;
}

const entityOf = ({ definition }: Collection): string[] => [
  `  ${definition.name} {`,
  `    ${definition.key} id PK`,
  ...definition.fields.map(attributeOf),
  ...definition.times.map((time) => `    timestamp ${time}`),
  '  }',
];

function attributeOf({ name, type, unique, description }: Field): string {
  const isReference = type.type === 'reference';
  const keys = [...(isReference ? ['FK'] : []), ...(unique ? ['UK'] : [])].join(', ');
  const words = [
    type.type === 'reference' ? (type.key ?? 'uuid') : type.type,
    name,
    keys,
    commentOf(description),
  ];
  return `    ${words.filter((word) => word !== '').join(' ')}`;
}

const commentOf = (description: string | undefined): string =>
  description === undefined ? '' : `"${mermaidText(description)}"`;

/** One or perhaps none of the target, to any number of those that refer to it. */
function relationLine(
  { definition }: Collection,
  { field, target }: Relation,
  model: Model,
): string {
  const one = field.required ? '||' : '|o';
  const many = field.unique ? 'o|' : 'o{';
  const path = definition.owner?.[0]?.field === field.name ? ownerPathText(definition) : undefined;
  const owned = model.collections.filter(({ definition: { owner = [] } }) => {
    const [, step] = beginsWithLink(owner) ? owner : [];
    return step?.collection === definition.name && step.link === field.name;
  });
  const notes = [
    ...(path === undefined ? [] : [`owner: ${path}`]),
    ...owned.map(
      (other) => `owner of ${other.definition.name}: ${ownerPathText(other.definition)}`,
    ),
  ];
  const label = notes.length === 0 ? field.name : `"${field.name} (${notes.join(', ')})"`;
  return `  ${target.collection} ${one}--${many} ${definition.name} : ${label}`;
}
