/**
 * After the tasks that wait already, such as a message that came in. Sooner than a timer, which waits for 4 ms: gzip data
 * may have a member for every line.
 */
export function nextTask(): Promise<void> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(undefined);
  });
}
