/**
 * Runs something until SIGINT, SIGTERM or SIGHUP, and then what it returned, which finishes what is under way. A second
 * signal ends the process at once.
 */
export async function untilEnded(start: () => Promise<() => Promise<void>>): Promise<void> {
  const alive = setInterval(() => undefined, 2 ** 30);
  const signalled = new Promise<void>((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => resolve());
  });
  try {
    const stop = await start();
    await signalled;
    await stop();
  } finally {
    clearInterval(alive);
  }
}
