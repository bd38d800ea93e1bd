/** The examples that `--help` ends with. */
export const EXAMPLES: readonly (readonly [line: string, says: string])[] = [
  ['$0 my-api', 'start from the bookshop, an example'],
  ['$0 my-api --from shop.yaml', 'start from your own definitions'],
  ['$0 . --package-manager pnpm --no-git', 'create it in the current folder'],
  ['$0 my-api --dry-run', 'see what would be written'],
  ['$0 generate', 'update the service in the current folder'],
  ['$0 explain --format mermaid', 'draw the collections of this service'],
];

/** Those that `generate --help` ends with. */
export const GENERATE_EXAMPLES: typeof EXAMPLES = [
  ['$0 generate', 'update the code to definitions/'],
  ['$0 generate --dry-run --diff', 'see what that would change'],
  [
    '$0 generate collection reviews rating:integer:required body:text book_id:reference:books:nested',
    'define a collection, and generate it',
  ],
  [
    "$0 generate collection orders state:enum:values=open,paid:default=open 'code:string:pattern=^[A-Z]+$'",
    'options follow the type: required, unique, key=value',
  ],
];

/** Those that `explain --help` ends with. */
export const EXPLAIN_EXAMPLES: typeof EXAMPLES = [
  ['$0 explain --from shop.yaml', 'see what definitions yield'],
  [
    '$0 explain --database postgresql://shop@localhost/shop',
    'see which lists would read many rows',
  ],
];

/** Those that `import --help` ends with. */
export const IMPORT_EXAMPLES: typeof EXAMPLES = [
  ['$0 import postgresql://shop@localhost/shop shop', 'write shop/definitions and a report'],
  [
    '$0 import postgresql://shop@localhost/shop --report-only',
    'see what definitions can say of the tables',
  ],
  [
    '$0 import postgresql://shop@localhost/shop shop --adopt',
    'write definitions that use the existing tables',
  ],
  ['$0 import openapi.yaml shop', 'write definitions for the paths of an OpenAPI document'],
  ['$0 import openapi.yaml --report-only', 'see which operations a service would offer'],
  [
    '$0 import --again postgresql://shop@localhost/shop',
    'merge what has changed in the tables into definitions/',
  ],
];

/** Those that `check --help` ends with. */
export const CHECK_EXAMPLES: typeof EXAMPLES = [
  ['$0 check', 'in CI: fail where code, migrations and definitions do not agree'],
  ['$0 check --json', 'the same, for scripts'],
  [
    '$0 check --database postgresql://shop@localhost/shop',
    'compare the existing tables with the definitions, too',
  ],
];

/** Those that `verify --help` ends with. */
export const VERIFY_EXAMPLES: typeof EXAMPLES = [
  [
    '$0 verify postgresql://shop@localhost/shop_copy',
    'start the service on a copy, and compare every row',
  ],
];
