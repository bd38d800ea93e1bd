/** The examples that `--help` ends with. */
export const EXAMPLES: readonly (readonly [line: string, says: string])[] = [
  ['$0 my-api', 'start from the bookshop, an example'],
  ['$0 my-api --from shop.yaml', 'start from your own definitions'],
  ['$0 . --package-manager pnpm --no-git', 'fill the folder that you are in'],
  ['$0 my-api --dry-run', 'see what would be written'],
  ['$0 explain --format mermaid', 'draw the collections of this service'],
];
