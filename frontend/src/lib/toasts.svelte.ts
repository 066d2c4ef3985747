// Short notices: what just happened, with the way back. They stay five seconds, longer while pointed at or focused; those
// that tell of work or of a change that broke off, until that has ended or they are closed.

export interface Toast {
  id: number;
  text: string;
  alarm: boolean;
  stays?: boolean;
  /** How far it is; seen, not read aloud with each step. */
  progress?: string;
  action?: { label: string; run: () => void };
}

const SHOWN_MS = 5000;
/** Work that takes no longer is not told. */
const LATE_MS = 500;

class Toasts {
  list = $state.raw<Toast[]>([]);
  #last = 0;
  #timers = new Map<number, ReturnType<typeof setTimeout>>();

  show(text: string, options: Partial<Pick<Toast, 'alarm' | 'stays' | 'action'>> = {}): void {
    const toast = { alarm: false, ...options, id: ++this.#last, text };
    this.list = [...this.list.filter((other) => other.text !== text), toast].slice(-4);
    this.release(toast.id);
  }

  /** Tells of work that goes on, where that takes longer than a moment: how far it is, until its end. */
  during(text: string): { progress: (soFar: string) => void; end: () => void } {
    const id = ++this.#last;
    let progress = '';
    const timer = setTimeout(
      () => (this.list = [...this.list, { id, text, alarm: false, stays: true, progress }]),
      LATE_MS,
    );
    return {
      progress: (soFar) => {
        progress = soFar;
        this.list = this.list.map((toast) => (toast.id === id ? { ...toast, progress } : toast));
      },
      end: () => {
        clearTimeout(timer);
        this.close(id);
      },
    };
  }

  close(id: number): void {
    this.hold(id);
    this.list = this.list.filter((toast) => toast.id !== id);
  }

  hold(id: number): void {
    clearTimeout(this.#timers.get(id));
    this.#timers.delete(id);
  }

  release(id: number): void {
    this.hold(id);
    if (this.list.find((toast) => toast.id === id)?.stays) return;
    this.#timers.set(
      id,
      setTimeout(() => this.close(id), SHOWN_MS),
    );
  }
}

export const toasts = new Toasts();
