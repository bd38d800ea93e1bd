/** The names in the code of routes that depend on whether the collection differs by version. */
import type { Names } from '../../model/names.ts';
import { stringLiteral } from '../../shared/literals.ts';

/** Words of the collection for literals in code. */
export interface CodeWords {
  /** A literal that may contain the names below. */
  readonly text: (text: string) => string;
  readonly type: string;
  readonly types: string;
  readonly words: string;
  readonly itemWords: string;
  readonly anItem: string;
  /** The name of a reference in requests. */
  readonly reference: (member: string) => string;
}

/**
 * Code for what routes use of their collection: what is stored, or members of the version's view.
 * `resourceArgument` and `resourceParameter` are empty where functions take no resource; `shown` is the variable
 * `item` as the response has it.
 */
export type RouteCode = ReturnType<typeof routeCode>;

export const routeCode = (names: Names, versioned: boolean) =>
  versioned
    ? {
        path: 'path',
        url: '`/${path}`',
        itemUrl: '`/${path}/:id`',
        tag: 'doc.tag',
        item: 'doc.item',
        body: 'doc.body',
        bodies: 'bodies',
        lists: 'lists',
        resource: 'resource',
        resourceArgument: ', resource',
        resourceParameter: ` { references }: ${names.type}View['resource'],`,
        shown: 'show(item)',
      }
    : {
        path: `'${names.kebab}'`,
        url: `'/${names.kebab}'`,
        itemUrl: `'/${names.kebab}/:id'`,
        tag: stringLiteral(names.words.charAt(0).toUpperCase() + names.words.slice(1)),
        item: `${names.type}Shape`,
        body: `${names.type}Body`,
        bodies: `${names.itemCamel}Bodies`,
        lists: names.lists,
        resource: names.constant,
        resourceArgument: '',
        resourceParameter: '',
        shown: 'item',
      };

export const codeWords = (names: Names, versioned: boolean): CodeWords =>
  versioned
    ? {
        text: (text) => '`' + text + '`',
        type: '${doc.type}',
        types: '${doc.types}',
        words: '${doc.words}',
        itemWords: '${resource.item}',
        anItem: '${resource.anItem}',
        reference: (member) => `resource.references.${member}`,
      }
    : { ...names, text: stringLiteral, types: names.pascal, reference: stringLiteral };
