/** The folder `.create-service/` while a run writes into a folder that is no project. */
import path from 'node:path';

import type { FileSystem } from './file-system.ts';
import { withFileErrors } from './file-system.ts';
import { RECORD } from './manifest.ts';

/**
 * Makes the folder for the lock and the journal of a run if there is none.
 * @returns removes it, unless something is left in it.
 */
export function ensureRecordFolder(fs: FileSystem, folder: string, shown: string): () => void {
  const record = path.join(folder, RECORD);
  withFileErrors(shown, () => fs.mkdirSync(record, { recursive: true }));
  return () => {
    try {
      fs.rmdirSync(record);
    } catch {
      // It is that of a project, or a run that was killed left something for the next one.
    }
  };
}
