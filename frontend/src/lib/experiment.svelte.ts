// An experiment that runs, and can be stopped.
import { asApiError, fetchText, type ApiError } from './http';

export class Experiment<T> {
  outcome = $state.raw<T | null>(null);
  running = $state(false);
  stopped = $state(false);
  problem = $state.raw<ApiError | null>(null);
  #now: AbortController | undefined;

  constructor(readonly path: string) {}

  async start(body: unknown): Promise<void> {
    const mine = new AbortController();
    this.#now = mine;
    this.running = true;
    this.stopped = false;
    this.problem = null;
    try {
      const text = await fetchText(this.path, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify(body),
        signal: mine.signal,
      });
      this.outcome = JSON.parse(text) as T;
    } catch (error) {
      if (!mine.signal.aborted) this.problem = asApiError(error);
    } finally {
      this.running = false;
    }
  }

  stop(): void {
    if (!this.running) return;
    this.stopped = true;
    this.#now?.abort();
  }
}
