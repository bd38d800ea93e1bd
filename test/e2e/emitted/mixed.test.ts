/**
 * A service of several cases in one, because each project is installed, compiled and started once: names and texts that try to
 * break out of generated code, permissions of every kind, and checks, with what hooks, jobs, deletions and SQL change after the body
 * was checked.
 */
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

import { inject } from 'vitest';
import { parse } from 'yaml';

import { testEmitted } from '../support/emitted.ts';
import { ROOT } from '../support/project.ts';

/** Those with more keys for the service come later. */
const PARTS = [
  'test/cases/checks/definitions.yaml',
  'test/e2e/mixed/guarded.yaml',
  'test/cases/permissions/definitions.yaml',
  'test/cases/hostile/definitions.json',
];

/** Writes one definition of all parts. @throws if two have a collection of the same name. */
function mix(): string {
  const parts = PARTS.map(
    (part) =>
      parse(readFileSync(path.join(ROOT, part), 'utf8')) as { readonly collections: object },
  );
  const collections: Record<string, unknown> = {};
  for (const [name, collection] of parts.flatMap((part) => Object.entries(part.collections))) {
    if (name in collections) throw new Error(`two parts have a collection ${name}`);
    collections[name] = collection;
  }
  const file = path.join(inject('workshop'), 'mixed.json');
  writeFileSync(
    file,
    JSON.stringify({ ...Object.assign({}, ...parts), name: 'mixed', collections }),
  );
  return path.relative(ROOT, file);
}

testEmitted({
  name: 'mixed',
  from: mix(),
  isLinted: true,
  prepare: (project) =>
    cpSync(path.join(ROOT, 'test/e2e/mixed/test'), path.join(project, 'test'), { recursive: true }),
  tests: ['PGlite'],
  hasConventions: true,
  // These use no names or texts of the definitions, and no permissions.
  excluded: [
    'test/{authentication,configuration,database-away,database-rules,late-bodies,operation,pages,tokens}.test.ts',
  ],
  // The endpoints of plain collections are tested in other services; these are here for their permissions.
  notOnPglite: [
    'test/collections/!(bookings|constructors|keys|lists|loans|players|records|to-strings|wishes).test.ts',
  ],
  isValidated: true,
  requests: { PostgreSQL: 4000 },
});
