/** A package that urlsum does not bring along: an optional peer dependency. */
class MissingPeerError extends Error {
  constructor(option: string, name: string, cause: unknown) {
    super(`${option} needs the package ${name}: npm install ${name}`, { cause });
  }
}

/** The package that `load` imports. @throws {MissingPeerError} where it is not installed */
export async function peer<T>(option: string, name: string, load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_MODULE_NOT_FOUND')
      throw new MissingPeerError(option, name, error);
    throw error;
  }
}
