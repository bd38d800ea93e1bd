/** The version of a package manager that projects are tested with. */
import { readTemplate } from '../disk/templates.ts';
import { knownVersion, PACKAGE_JSON } from '../render/views/package.ts';
import type { PackageManager } from '../shared/package-manager.ts';

/** The version of a package manager that a project names if the one on this machine is too old; none for npm. */
export const testedVersion = (name: PackageManager): string | undefined =>
  knownVersion(name, readTemplate(PACKAGE_JSON));
