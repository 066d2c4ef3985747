// What slow answers must not do: come after a newer one and stand in its place, or be asked for twice by a double click.

/**
 * Answers come in any order, and only the one to what was asked last is shown. Each call says that something is asked,
 * and returns whether that is still the last.
 */
export function latest(): () => () => boolean {
  let last = 0;
  return () => {
    const mine = ++last;
    return () => mine === last;
  };
}

/** `work`, which is not begun again while it runs: a double click does a thing once. */
export function once<A extends unknown[]>(work: (...args: A) => Promise<unknown>): (...args: A) => Promise<void> {
  let running = false;
  return async (...args) => {
    if (running) return;
    running = true;
    try {
      await work(...args);
    } finally {
      running = false;
    }
  };
}

/** `work` at most once at a time for each key; a call while it runs makes it run once more afterwards. */
export function serial(work: (key: string) => Promise<void>): (key?: string) => Promise<void> {
  const running = new Map<string, { done: Promise<void>; again: boolean }>();
  return (key = '') => {
    const before = running.get(key);
    if (before) {
      before.again = true;
      return before.done;
    }
    const run = { done: Promise.resolve(), again: false };
    running.set(key, run);
    run.done = (async () => {
      try {
        do {
          run.again = false;
          await work(key).catch((error: unknown) => {
            if (!run.again) throw error; // what comes next may do
          });
        } while (run.again);
      } finally {
        running.delete(key);
      }
    })();
    return run.done;
  };
}
