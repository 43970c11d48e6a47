import type { Width } from '../../src/index.ts';
import type { RowFormatName } from './row-format.ts';

/** What the page asks of the worker: one file, once. */
export interface FileTask {
  readonly file: File;
  /** With gzip. */
  readonly isCompressed: boolean;
  readonly format: RowFormatName;
  readonly width: Width;
  /** Where to write; undefined: the result comes back as a Blob. */
  readonly target: FileSystemFileHandle | undefined;
}

export interface InvalidLine {
  /** From 1. */
  readonly line: number;
  readonly input: string;
  /** Why it is not a URL. */
  readonly sentence: string;
}

/** How far the worker is. */
export interface FileProgress {
  /** Bytes of the file that were read, of its size. */
  readonly fileBytes: number;
  /** Bytes of text: more, where the file is compressed. */
  readonly textBytes: number;
  readonly lines: number;
  readonly invalidCount: number;
  readonly elapsedMs: number;
}

export type FileMessage =
  | ({ readonly kind: 'progress' } & FileProgress)
  | ({
      readonly kind: 'done';
      readonly invalid: readonly InvalidLine[];
      readonly blob: Blob | undefined;
    } & FileProgress)
  | { readonly kind: 'cancelled' }
  | { readonly kind: 'failed'; readonly reason: string };
