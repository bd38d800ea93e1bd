/** The breaking changes of a shop of two versions, the first of which is frozen. */
import { brokenContracts, frozenContracts } from '../../../src/compatibility/frozen-contracts.ts';
import { contractFiles } from '../../../src/compatibility/contract-files.ts';
import { viewOf } from '../../../src/definition/versions/view.ts';
import { parseFolder } from '../../../src/definition/index.ts';
import { file, OPTIONS, service, single } from '../definition/support.ts';

const shop = async (fields: string, keys: string) =>
  service(
    await single(`name: shop
versions: [1, 2]
collections:
  books:
    fields: { ${fields} }
    ${keys}`),
  );

const placeOf = (key: string) => ({ file: key, line: 1, column: 1 });

/** The breaking changes between two states: the fields of books, and other keys. The contract of version 1 is read from its files. */
export async function breaks(before: readonly [string, string], after: readonly [string, string]) {
  const applied = await shop(...before);
  const now = await shop(...after);
  const recorded = await Promise.all(
    frozenContracts(applied).map(async ({ version }) => {
      const files = contractFiles(viewOf(applied, version));
      const read = await parseFolder(
        files.map((one) => file(one.path, one.text)),
        OPTIONS,
      );
      return { version, view: service(read) };
    }),
  );
  return brokenContracts(recorded, applied, now, placeOf, '2026-01-01').map(
    ({ code, versions, message }) => [code, versions, message],
  );
}
