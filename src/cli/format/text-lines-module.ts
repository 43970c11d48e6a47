import program from '../../../build/text-lines.hex';
import { bytesOfHex } from '../../bytes/hex.ts';

/** assembly/text-lines/index.ts */
export interface TextLinesModule {
  readonly memory: WebAssembly.Memory;
  write(
    rows: number,
    digest: number,
    width: number,
    line: number,
    linesEnd: number,
    lineEnd: number,
    form: number,
    formsEnd: number,
    to: number,
  ): number;
  insert(rows: number, digest: number, width: number, text: number, to: number): number;
}

/** With a memory of its own. @throws where the host has no SIMD */
export function openTextLines(): TextLinesModule {
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(bytesOfHex(program)));
  return exports as unknown as TextLinesModule;
}
