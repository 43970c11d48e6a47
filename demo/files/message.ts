import type { FileOptions } from '../state.ts';

/** The task of the worker: one file, once. */
export interface FileTask {
  readonly file: File;
  readonly options: FileOptions;
  /** Where to write; undefined: the result comes back as a Blob. */
  readonly target: FileSystemFileHandle | undefined;
}

export interface BadRow {
  /** From 1, the header counted. */
  readonly row: number;
  readonly input: string;
  /** Why it has no hash. */
  readonly sentence: string;
}

/** How far the worker is. */
export interface FileProgress {
  /** Bytes of the file that were read, of its size. */
  readonly fileBytes: number;
  /** Bytes of text: more, where the file is compressed. */
  readonly textBytes: number;
  readonly rows: number;
  readonly badCount: number;
  readonly elapsedMs: number;
}

export type FileMessage =
  | ({ readonly kind: 'progress' } & FileProgress)
  | ({
      readonly kind: 'done';
      readonly badRows: readonly BadRow[];
      readonly blob: Blob | undefined;
    } & FileProgress)
  | { readonly kind: 'cancelled' }
  | { readonly kind: 'failed'; readonly reason: string };
