import type { FileHandle } from 'node:fs/promises';
import type { AsyncBuffer } from 'hyparquet';
import { openFile } from '../open-file.ts';
import { mustBeStruct } from './thrift.ts';

const MAGIC = 'PAR1';
/** Ends, and begins, a file whose footer is encrypted. */
const ENCRYPTED_MAGIC = 'PARE';
/** The magic numbers, and the length of the footer. */
const LEAST_BYTES = 12;

/** A file that is read at any place. */
export interface ParquetFile extends AsyncBuffer {
  /** Returns bytes [start, end). */
  bytes(start: number, end: number): Promise<Uint8Array<ArrayBuffer>>;
  close(): Promise<void>;
}

/**
 * Opens a Parquet file by its first and last bytes. `count` is told of bytes that were read.
 *
 * @throws where it is not whole, or encrypted
 */
export async function openParquetFile(path: string, count: (byteLength: number) => void): Promise<ParquetFile> {
  const handle = await openFile(path);
  try {
    const file = await fileOf(handle, count);
    await mustBeWhole(file);
    return file;
  } catch (error) {
    await handle.close();
    throw error;
  }
}

async function fileOf(handle: FileHandle, count: (byteLength: number) => void): Promise<ParquetFile> {
  const found = await handle.stat();
  if (found.isDirectory()) throw Object.assign(new Error('a folder'), { code: 'EISDIR' });
  if (!found.isFile()) throw new Error('Parquet is read from its end: name a file, not a pipe');
  const bytes = async (start: number, end: number) => {
    if (!(start >= 0 && end >= start && end <= found.size)) throw new Error('a column is outside of the file');
    const into = new Uint8Array(end - start);
    for (let read = 0; read < into.length; ) {
      const { bytesRead } = await handle.read(into, read, into.length - read, start + read);
      if (bytesRead === 0) throw new Error('it became shorter while it was read');
      read += bytesRead;
    }
    count(into.length);
    return into;
  };
  return {
    byteLength: found.size,
    bytes,
    slice: async (start, end = found.size) => (await bytes(start, end)).buffer,
    close: () => handle.close(),
  };
}

/** Reads what is after the columns, as the package takes it. @throws where it is damaged */
export async function footerOf({ byteLength, bytes }: ParquetFile): Promise<ArrayBuffer> {
  const end = byteLength - LENGTH_BYTES - MAGIC.length;
  const lengthBytes = await bytes(end, end + LENGTH_BYTES);
  const start = end - new DataView(lengthBytes.buffer).getUint32(0, true);
  if (start < MAGIC.length) throw new Error('its footer is longer than the file');
  const footer = await bytes(start, byteLength);
  mustBeStruct(footer.subarray(0, end - start));
  return footer.buffer;
}

const LENGTH_BYTES = 4;

async function mustBeWhole({ byteLength, bytes }: ParquetFile): Promise<void> {
  const textAt = async (start: number) => Buffer.from(await bytes(start, start + MAGIC.length)).toString('latin1');
  const first = byteLength < LEAST_BYTES ? '' : await textAt(0);
  if (first !== MAGIC && first !== ENCRYPTED_MAGIC) throw new Error('it is not Parquet: it does not begin with PAR1');
  const last = await textAt(byteLength - MAGIC.length);
  if (last === ENCRYPTED_MAGIC) throw new Error('it is encrypted, which urlsum does not read');
  if (last !== MAGIC) throw new Error('it is truncated: Parquet ends with PAR1');
}
