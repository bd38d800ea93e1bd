/**
 * The licences of all packages that are installed in a folder: `npm run licences`, or
 * `node scripts/licences.mjs <folder of a project>`. Fails where one may not be used.
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** Licences that ask for no more than to be named; MPL-2.0 asks for the source of changes to its own files. */
const ALLOWED = new Set([
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'CC0-1.0',
  'ISC',
  'MIT',
  'MPL-2.0',
  // The public domain, as CC0-1.0.
  'Unlicense',
]);

/**
 * @param {string} folder one that npm has installed packages into
 * @param {{ all?: boolean }} [options] `all`: also what is only needed for development
 * @returns {{ name: string, version: string, licence: string, isAllowed: boolean }[]}
 */
export function licencesIn(folder, { all = true } = {}) {
  const record = path.join(folder, 'node_modules/.package-lock.json');
  const { packages } = JSON.parse(readFileSync(record, 'utf8'));
  return Object.entries(packages)
    .filter(([, { link, dev }]) => link !== true && (all || dev !== true))
    .map(([place, { version, license }]) => {
      const licence = license ?? licenceIn(path.join(folder, place));
      const name = place.slice(place.lastIndexOf('node_modules/') + 'node_modules/'.length);
      return { name, version, licence, isAllowed: isAllowed(licence) };
    })
    .toSorted((one, other) => (one.name < other.name ? -1 : 1));
}

/** What the package says itself, in one of the forms of long ago. */
function licenceIn(folder) {
  const { license, licenses } = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8'));
  const first = [license, licenses].flat().find((one) => one !== undefined);
  return typeof first === 'object' ? first.type : (first ?? 'none');
}

/** An expression of SPDX without nesting: one of several is enough, all of several are needed. */
const isAllowed = (licence) =>
  licence
    .replaceAll(/[()]/g, '')
    .split(' OR ')
    .some((one) => one.split(' AND ').every((part) => ALLOWED.has(part.trim())));

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const own = fileURLToPath(new URL('..', import.meta.url));
  const found = licencesIn(path.resolve(process.argv[2] ?? own), {
    all: process.argv[2] !== undefined,
  });
  for (const { name, version, licence, isAllowed: fine } of found)
    console.log(`${fine ? ' ' : '✗'} ${name} ${version}: ${licence}`);
  if (found.some(({ isAllowed: fine }) => !fine)) process.exitCode = 1;
}
