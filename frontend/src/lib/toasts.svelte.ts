// Short notices: what just happened, with the way back. They stay five seconds, longer while pointed at or focused.

export interface Toast {
  id: number;
  text: string;
  alarm: boolean;
  action?: { label: string; run: () => void };
}

const SHOWN_MS = 5000;

class Toasts {
  list = $state.raw<Toast[]>([]);
  #last = 0;
  #timers = new Map<number, ReturnType<typeof setTimeout>>();

  show(text: string, options: { alarm?: boolean; action?: Toast['action'] } = {}): void {
    const toast = { id: ++this.#last, text, alarm: options.alarm ?? false, action: options.action };
    this.list = [...this.list.filter((other) => other.text !== text), toast].slice(-4);
    this.release(toast.id);
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
    this.#timers.set(
      id,
      setTimeout(() => this.close(id), SHOWN_MS),
    );
  }
}

export const toasts = new Toasts();
