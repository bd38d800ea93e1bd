/** This package as it lies on the disk: its folder, its version, its templates. */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder of this package, whether it runs from `dist/` or from `src/`. */
export const packageRoot: string = findRoot(path.dirname(fileURLToPath(import.meta.url)));

function findRoot(folder: string): string {
  return existsSync(path.join(folder, 'package.json')) ? folder : findRoot(path.dirname(folder));
}

/** The version that `package.json` names. */
export function packageVersion(): string {
  const text = readFileSync(path.join(packageRoot, 'package.json'), 'utf8');
  return (JSON.parse(text) as { readonly version: string }).version;
}
