// What is asked about facts of one agent and not answered yet, by the message under which it is asked.
import type { FactAnswer, FactQuestion, QuestionResult, Questions } from './api.gen';
import { latest } from './calls';
import { http } from './http';

class OpenQuestions {
  readonly #asking = latest();
  #agent = '';
  #list = $state.raw<readonly FactQuestion[]>([]);

  /** Fetches those of an agent. */
  async load(agent: string): Promise<void> {
    const current = this.#asking();
    if (agent !== this.#agent) this.#list = [];
    this.#agent = agent;
    if (agent === '') return;
    const { questions } = await http.get<Questions>(`/agents/${agent}/questions?open=true`);
    if (current()) this.#list = questions;
  }

  /** Those that a message brought up. */
  of(message: string): readonly FactQuestion[] {
    return this.#list.filter((question) => question.message_id === message);
  }

  async answer(question: FactQuestion, answer: FactAnswer): Promise<QuestionResult> {
    const result = await http.post<QuestionResult>(`/questions/${question.id}`, { answer });
    this.#list = this.#list.filter((one) => one.id !== question.id);
    void this.load(this.#agent).catch(() => undefined); // an answer on its way may still have it
    return result;
  }
}

export const questions = new OpenQuestions();
