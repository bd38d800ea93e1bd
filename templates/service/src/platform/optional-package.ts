/** Packages that are development dependencies, because most services do not use them in production. */

/**
 * Loads a module that needs such a package.
 * @param advice what to do if the package is not installed.
 * @throws an error with this advice.
 */
export async function withPackage<Module>(
  load: () => Promise<Module>,
  name: string,
  advice: string,
): Promise<Module> {
  try {
    return await load();
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code !== 'ERR_MODULE_NOT_FOUND' || !message.includes(name)) throw error;
    throw new Error(
      `The package ${name} is not installed. ${advice}, or move it from devDependencies to dependencies ` +
        'in package.json.',
      { cause: error },
    );
  }
}
