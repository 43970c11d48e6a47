const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Calls `clean` before one of these signals ends the process. Returns what takes that back. */
export function beforeEndingSignal(clean: () => void): () => void {
  const stop = (signal: NodeJS.Signals): void => {
    forget();
    clean();
    process.kill(process.pid, signal); // now without this listener: the status says which signal it was
  };
  const forget = () => {
    for (const signal of SIGNALS) process.off(signal, stop);
  };
  for (const signal of SIGNALS) process.on(signal, stop);
  return forget;
}
