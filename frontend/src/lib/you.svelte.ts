// What the first run asks: who talks with whom. Kept as a draft, so that nothing is typed twice after a crash.
import type { CoreBlock, Persona } from './api.gen';
import { app } from './app.svelte';
import { readDraft, writeDraft } from './drafts';
import { http } from './http';
import w from './i18n/firstrun.words';

const DRAFT = 'first-run';

interface Kept {
  name: string;
  answers: '' | 'en' | 'zh';
  template: string;
  /** Texts that were edited by hand; null where they follow the answers above. */
  human: string | null;
  persona: string | null;
}

function kept(): Partial<Kept> {
  try {
    return JSON.parse(readDraft(DRAFT)) as Partial<Kept>;
  } catch {
    return {}; // there is none
  }
}

export class You {
  name = $state('');
  answers = $state<Kept['answers']>('');
  template = $state('assistant');
  #human = $state<string | null>(null);
  #persona = $state<string | null>(null);
  #personas = $state.raw<Persona[]>([]);

  readonly human = $derived(this.#human ?? this.#said());
  readonly persona = $derived(this.#persona ?? this.#personas.find((p) => p.id === this.template)?.text ?? '');

  constructor() {
    const draft = kept();
    this.name = draft.name ?? '';
    this.answers = draft.answers ?? '';
    this.template = draft.template ?? 'assistant';
    this.#human = draft.human ?? null;
    this.#persona = draft.persona ?? null;
    $effect(() => {
      const now: Kept = {
        name: this.name,
        answers: this.answers,
        template: this.template,
        human: this.#human,
        persona: this.#persona,
      };
      writeDraft(DRAFT, JSON.stringify(now));
    });
  }

  #said(): string {
    const name = this.name.trim();
    const wants = { '': '', en: w().wantsEnglish, zh: w().wantsChinese }[this.answers];
    return [name && w().called(name), wants].filter(Boolean).join('\n');
  }

  /** The templates in the language of the page. */
  offer(personas: Persona[]): void {
    this.#personas = personas;
  }

  choose(persona: Persona): void {
    this.template = persona.id;
    this.#persona = null;
  }

  write(block: 'human' | 'persona', text: string): void {
    if (block === 'human') this.#human = text;
    else this.#persona = text;
  }

  /** Writes both blocks, as changes of the user. */
  async store(blocks: readonly CoreBlock[]): Promise<void> {
    for (const [label, text] of [
      ['human', this.human],
      ['persona', this.persona],
    ] as const) {
      const block = blocks.find((b) => b.label === label);
      const value = text.trim();
      if (!block || value === '' || value === block.value) continue;
      await app.attempt(() => http.patch(`/blocks/${block.id}`, { value, if_version: block.version }));
    }
    writeDraft(DRAFT, '');
  }
}
