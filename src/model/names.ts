/** The forms of a name: what one noun is called in paths, in TypeScript, and in a sentence. */

/**
 * Types and endings of functions that the emitted modules of a collection use themselves, or that
 * every module has. test/unit/render/identifiers.test.ts finds one that is missing here.
 */
const TAKEN_TYPES = new Set([
  ...['Array', 'Boolean', 'Buffer', 'Date', 'Error', 'Function', 'Map', 'Number', 'Object'],
  ...['Partial', 'Promise', 'Record', 'RegExp', 'Set', 'String', 'Symbol', 'Omit', 'Pick'],
  ...['Complete', 'ConcurrentChange', 'Database', 'FastifyInstance', 'FastifyRequest', 'Hooks'],
  ...[
    'ListOptions',
    'ListRequest',
    'ListTable',
    'Page',
    'FixedFilter',
    'Services',
    'Static',
    'With',
  ],
  ...[
    'Allowed',
    'Column',
    'FilterOptions',
    'Missing',
    'Required',
    'Readonly',
    'Exclude',
    'Extract',
    'Request',
    'Response',
  ],
  ...[
    'Item',
    'Fixture',
    'TestService',
    'TestItems',
    'URL',
    'Proxy',
    'Reflect',
    'JSON',
    'Math',
    'Intl',
  ],
  ...['BackgroundHooks', 'NewItem', 'Key', 'Permissions', 'Resource', 'Target', 'Uint8Array'],
  ...['Conversion', 'OwnedResource', 'VersionedResource', 'SelectedColumns', 'Unreadable', 'View'],
  'WrittenColumns',
  'Forms',
  // As in createAs and createOnce.
  ...['As', 'Once'],
]);

/** Words that no variable of a module may be called (ECMA-262, 12.7.2, in strict mode). */
export const RESERVED_WORDS = new Set(
  (
    'arguments await break case catch class const continue debugger default delete do else enum eval ' +
    'export extends false finally for function if implements import in instanceof interface let new ' +
    'null package private protected public return static super switch this throw true try typeof ' +
    'undefined var void while with yield'
  ).split(' '),
);

/** The forms of a collection's name. */
export interface Names {
  /** `order-items`: the path, and the folder of its code. */
  readonly kebab: string;
  /** `orderItems` */
  readonly camel: string;
  /** `OrderItems` */
  readonly pascal: string;
  /** `orderItem`: of one item. */
  readonly itemCamel: string;
  /** `OrderItem`: the type of one item, another where TypeScript has that already. */
  readonly type: string;
  /** `orderItem`: a variable that holds one item. */
  readonly variable: string;
  /** `orderItemLists`: the options of its lists. */
  readonly lists: string;
  /** `ORDER_ITEM_RESOURCE`: the constant with its names and its table. */
  readonly constant: string;
  /** `order items` */
  readonly words: string;
  /** `order item` */
  readonly itemWords: string;
  /** `an order item` */
  readonly anItem: string;
}

export function namesOf(plural: string, singular: string): Names {
  const pascalItem = toPascal(singular);
  const itemWords = singular.replaceAll('_', ' ');
  const pascal = toPascal(plural);
  const itemCamel = toCamel(singular);
  const lists = `${itemCamel}Lists`;
  return {
    kebab: toKebab(plural),
    camel: toCamel(plural),
    pascal,
    itemCamel,
    variable: RESERVED_WORDS.has(itemCamel) ? 'item' : itemCamel,
    type: TAKEN_TYPES.has(pascalItem) ? `${pascalItem}Item` : pascalItem,
    // `listLists` lists the items of `lists`.
    lists: lists === `list${pascal}` ? `${itemCamel}ListOptions` : lists,
    constant: `${singular.toUpperCase()}_RESOURCE`,
    words: plural.replaceAll('_', ' '),
    itemWords,
    anItem: `${articleFor(itemWords)} ${itemWords}`,
  };
}

export const toKebab = (name: string): string => name.replaceAll('_', '-');

export const toCamel = (name: string): string =>
  name.replace(/[_-]+(.)/g, (_match, letter: string) => letter.toUpperCase());

export function toPascal(name: string): string {
  const camel = toCamel(name);
  return camel.charAt(0).toUpperCase() + camel.slice(1);
}

/** `a` or `an`, by sound where spelling misleads. */
function articleFor(words: string): string {
  if (/^(uni|use|uti|eu|one\b|ubi|ufo)/.test(words)) return 'a';
  return /^([aeiou]|hour|honest|heir)/.test(words) ? 'an' : 'a';
}
