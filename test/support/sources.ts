/** Definitions of this repository, as `render` takes them. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

interface Source {
  readonly path: string;
  readonly text: string;
}

/** Reads one file, or all of a folder. @param definitions from the root of the repository. */
export function sourcesIn(definitions: string): Source | readonly Source[] {
  const whole = path.join(ROOT, definitions);
  if (path.extname(whole) !== '') {
    return { path: path.basename(whole), text: readFileSync(whole, 'utf8') };
  }
  return readdirSync(whole, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.yaml'))
    .map((name) => ({
      path: name.replaceAll(path.sep, '/'),
      text: readFileSync(path.join(whole, name), 'utf8'),
    }));
}
