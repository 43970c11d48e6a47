/** Is told each step's name and the bytes [start, end) that it left: `urlsum expressions --explain`. */
export type Trace = (step: string, bytes: Uint8Array, start: number, end: number) => void;
