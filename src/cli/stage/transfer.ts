import type { Rows } from '../rows/framing.ts';
import type { Results } from './stage.ts';

/** How results come back from a thread: for output that only one thread can write, in order. */
export interface Transfer<R extends Results, Message = unknown> {
  messageOf(results: R): Message;
  buffersOf(message: Message): ArrayBuffer[];
  resultsOf(rows: Rows, message: Message): R;
}
