/** A package that does not come with urlsum, an optional peer dependency, is not installed. */
class MissingPackageError extends Error {
  constructor(option: string, name: string, cause: unknown) {
    super(`${option} needs the package ${name}: npm install ${name}`, { cause });
  }
}

/** The package that `load` imports. @throws {MissingPackageError} where it is not installed */
export async function optionalPackage<T>(option: string, name: string, load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_MODULE_NOT_FOUND')
      throw new MissingPackageError(option, name, error);
    throw error;
  }
}
