// What the user wants with the memories of the agent at hand.
import type { Feedback, FeedbackList, FeedbackResult, FeedbackSet, FeedbackUse, Revision } from './api.gen';
import { app } from './app.svelte';
import { latest } from './calls';
import { http } from './http';
import { steps, useOf } from './receipts';

class FeedbackStore {
  list = $state.raw<readonly Feedback[]>([]);
  readonly #asking = latest();

  load = async (agent: string): Promise<void> => {
    if (agent === '') return;
    const current = this.#asking();
    const { feedback } = await http.get<FeedbackList>(`/agents/${agent}/feedback`);
    if (current() && agent === app.agentId) this.list = feedback;
  };

  of = (item: { kind: string; id: string }, conversation: string): FeedbackUse => useOf(this.list, item, conversation);

  /** Takes a wish back, and returns what keeps it again; undefined where that was not possible. */
  async takeBack({ kind, item_id, conversation_id = '' }: Feedback): Promise<(() => Promise<void>) | undefined> {
    return this.#send([{ kind, item_id, use: '', conversation_id }]);
  }

  /** Keeps a wish, and returns what takes it back; undefined where it could not be kept. */
  async set(
    item: { kind: string; id: string },
    use: FeedbackUse,
    { conversation, message }: { conversation: string; message: string },
  ): Promise<(() => Promise<void>) | undefined> {
    const about = { kind: item.kind, item_id: item.id, message_id: message };
    return this.#send(steps(this.of(item, conversation), use, conversation).map((step) => ({ ...about, ...step })));
  }

  async #send(wishes: readonly FeedbackSet[]): Promise<(() => Promise<void>) | undefined> {
    const agent = app.agentId;
    const made: Revision[] = [];
    const kept = await app.attempt(async () => {
      for (const wish of wishes) {
        const { revision } = await http.put<FeedbackResult>(`/agents/${agent}/feedback`, wish);
        if (revision.id !== '') made.unshift(revision);
      }
      await this.load(agent);
      return true;
    });
    if (!kept) return undefined;
    return async () => {
      for (const revision of made) await app.undo(revision.id);
    };
  }
}

export const feedback = new FeedbackStore();
