import { killAllNow } from './handlerProcess';

/**
 * Sees to it that no process of a handler outlives this one. Gives back what ends the watch.
 *
 * @param signals whether signals that end a program are watched too, by a program that listens to none itself
 */
export function guardExit(signals: boolean): () => void {
  const watched: readonly NodeJS.Signals[] = signals ? ['SIGINT', 'SIGTERM', 'SIGHUP'] : [];
  const exit = (): void => killAllNow();
  const signaled = (signal: NodeJS.Signals): void => {
    killAllNow();
    release();
    // Now it does what it does when nobody listens.
    process.kill(process.pid, signal);
  };
  const release = (): void => {
    process.off('exit', exit);
    for (const signal of watched) process.off(signal, signaled);
  };
  process.on('exit', exit);
  for (const signal of watched) process.on(signal, signaled);
  return release;
}
