import { parentPort } from 'node:worker_threads';
import type { Answer } from './workers.ts';

/**
 * The thread's side of Workers: answers each job with its result, whose buffers are transferred, or with why there is
 * none.
 */
export function answerEach<Job, Result>(
  resultOf: (job: Job) => Result,
  buffersOf: (result: Result) => ArrayBuffer[],
): void {
  const answerTo = (job: Job): Answer<Result> => {
    try {
      return { result: resultOf(job) };
    } catch (error) {
      return { error };
    }
  };
  parentPort!.on('message', (job: Job) => {
    const answer = answerTo(job);
    parentPort!.postMessage(answer, 'result' in answer ? buffersOf(answer.result) : []);
  });
}
