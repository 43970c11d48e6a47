/** What a file lacks, in a sentence of its own; any other error while it is read is damage. */
export class Sentence extends Error {}

/** Returns the sentence for an optional package that is not installed, or `error` if it says something else. */
export function missingPackage(error: unknown, what: string, name: string): unknown {
  if ((error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') return error;
  return new Sentence(`reading ${what} needs the package ${name}: npm install ${name}, with --global if urlsum is`);
}

/** Too much at once: the file is not damaged, but must be written anew. */
export function tooLarge(what: string): Sentence {
  return new Sentence(
    `${what}, too much to read at once: write it anew in smaller row groups, by ` +
      `duckdb -c "COPY 'FILE' TO 'new.parquet' (ROW_GROUP_SIZE 100000)" for example`,
  );
}
