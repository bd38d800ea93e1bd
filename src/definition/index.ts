/**
 * The definition stage: from the text that a team wrote to a checked service, or to everything
 * that is wrong with it. Pure: files are given and returned as values.
 */
export {
  ISSUE_CATALOGUE,
  type CatalogueEntry,
  type IssueCode,
  WARNINGS,
} from '../reading/issue-catalogue.ts';
export { parseFolder, type ParseOptions } from './folder.ts';
export { formatIssue, issueLine, issuesDocument } from '../reading/issues.ts';
export { withSeeds } from './seeds.ts';
export { parseSingleFile } from './single-file.ts';
