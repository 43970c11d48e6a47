import { asciiBytes } from '../bytes/ascii.ts';
import type { ByteInput, ByteOutput } from './byte-stream.ts';
import { frameAnswer } from './frame-answer.ts';
import { FrameRequests } from './frame-request.ts';
import { OUTPUTS } from './options.ts';
import type { Output } from './outputs.ts';

// docs/serve.md draws the protocol.

const MAGIC = 'urlsum';
const PROTOCOL_VERSION = 1;

/** Greets, and answers requests until the input ends. @throws {ServeError} on a request that cannot be answered */
export function serveFrames(input: ByteInput, output: ByteOutput, served: Output): void {
  const requests = new FrameRequests(input);
  output.write(greeting(served));
  for (let rows = requests.next(); rows !== undefined; rows = requests.next()) {
    for (const piece of frameAnswer(served.column(rows))) output.write(piece);
  }
}

function greeting({ name, width, profile }: Output): Uint8Array {
  const bytes = new Uint8Array(12 + profile.length);
  const view = new DataView(bytes.buffer);
  bytes.set(asciiBytes(MAGIC));
  view.setUint16(6, PROTOCOL_VERSION, true);
  view.setUint8(8, OUTPUTS.indexOf(name));
  view.setUint8(9, width);
  view.setUint16(10, profile.length, true);
  bytes.set(asciiBytes(profile), 12);
  return bytes;
}
