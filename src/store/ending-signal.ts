const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Calls `clean` before one of these signals ends the process. Returns a function that undoes this. */
export function beforeEndingSignal(clean: () => void): () => void {
  const stop = (signal: NodeJS.Signals): void => {
    forget();
    clean();
    process.kill(process.pid, signal); // now without this listener, so that the exit status names the signal
  };
  const forget = () => {
    for (const signal of SIGNALS) process.off(signal, stop);
  };
  for (const signal of SIGNALS) process.on(signal, stop);
  return forget;
}
