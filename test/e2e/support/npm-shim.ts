/** A program `npm` that links the packages of the shared installation where npm would install them anew. */
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';

import { inject } from 'vitest';

/** @param folder where the program is written. @returns an environment in which it comes before npm. */
export function linkedInstalls(folder: string): { readonly PATH: string } {
  const modules = join(inject('installed'), 'node_modules');
  const path = process.env['PATH'] ?? '';
  mkdirSync(folder);
  const script = `#!/bin/sh
if [ "$1" = install ]; then
  [ -d node_modules ] || cp -al '${modules}' .
  # npm writes its record in place, and the link would change that of all.
  cp --remove-destination '${modules}/.package-lock.json' node_modules/
else
  PATH='${path}' exec npm "$@"
fi
`;
  writeFileSync(join(folder, 'npm'), script);
  chmodSync(join(folder, 'npm'), 0o755);
  return { PATH: folder + delimiter + path };
}
