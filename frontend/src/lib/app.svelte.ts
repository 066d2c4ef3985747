// The running page: the state folded from the bus, what is being looked at, and the actions of the user.
import { tick, untrack } from 'svelte';
import type {
  Agent,
  AgentChange,
  Agents,
  Block,
  BlockChanged,
  BusEvent,
  Compaction,
  Conversation,
  ConversationChange,
  Conversations,
  Core,
  CoreBlock,
  EngineModel,
  FileCreate,
  JobResult,
  Jobs,
  Message,
  MessageResult,
  ModelProgress,
  Messages,
  Models,
  Passages,
  PassagesChanged,
  Receipt,
  Revised,
  Revision,
  Settings,
  Snapshot,
  Stopped,
} from './api.gen';
import { fetched, namesOf } from './attachments';
import { latest, once, serial } from './calls';
import { give } from './composing';
import { shelfOf } from './conversations';
import { asApiError, http, type ApiError } from './http';
import { compareTimes } from './format';
import { f, t } from './i18n/index.svelte';
import { sameModel, shortName } from './models';
import { pauseAfter } from './pace';
import { followNotifications, notify, redeemToken, reportAlive } from './platform';
import { problemText } from './problems';
import { href, navigate, route } from './route.svelte';
import {
  appendMessage,
  applySnapshot,
  emptyState,
  place,
  dropGone,
  putFetched,
  putMessage,
  putThread,
  reduce,
  setStale,
  type State,
} from './state';
import { toasts } from './toasts.svelte';
import { openFeed } from './transport';

const PAGE = 60;

interface PassageFrom {
  origin?: string;
  tags?: string[];
}

/** A text that was stored in the archive of an agent, as these passages. */
export interface Stored {
  agent: string;
  ids: string[];
}

type SettingsChange = { [K in keyof Settings]?: Settings[K] | null };

/** As many conversations are listed at once. */
const LIST_PAGE = 500;

/** As many receipts are kept for whoever scrolls back to them: each is as large as many messages. */
const RECEIPTS = 50;

/** When more conversations than these have changed, the list is fetched anew. */
const MANY = 20;

const CHOSEN = 'agent';
/** After this long what did not answer is asked again. */
const RETRY_MS = 2000;

function rememberedAgent(): string {
  try {
    return localStorage.getItem(CHOSEN) ?? '';
  } catch {
    return '';
  }
}

/** Characters of an answer that a screen reader is told at its end; the rest is read in its place. */
const ANNOUNCED = 4000;

/** What began longer ago than this is no news when it is done. */
const FRESH_MS = 600_000;

/** An answer that took this long is worth a notification to somebody who went elsewhere. */
const LONG_MS = 10_000;

/** The state as the page reads it, one signal a field: the words of an answer wake only what shows them. */
class Fields implements State {
  epoch = $state.raw(emptyState.epoch);
  seq = $state.raw(emptyState.seq);
  version = $state.raw(emptyState.version);
  desktop = $state.raw(emptyState.desktop);
  home = $state.raw(emptyState.home);
  engine = $state.raw(emptyState.engine);
  settings = $state.raw(emptyState.settings);
  agents = $state.raw(emptyState.agents);
  sample = $state.raw(emptyState.sample);
  conversations = $state.raw(emptyState.conversations);
  stale = $state.raw(emptyState.stale);
  threads = $state.raw(emptyState.threads);
  streams = $state.raw(emptyState.streams);
  turns = $state.raw(emptyState.turns);
  jobs = $state.raw(emptyState.jobs);
  embedding = $state.raw(emptyState.embedding);
  selftest = $state.raw(emptyState.selftest);
  notice = $state.raw(emptyState.notice);
  marks = $state.raw(emptyState.marks);
  damage = $state.raw(emptyState.damage);
  snapshots = $state.raw(emptyState.snapshots);
}

class App {
  #now: State = emptyState;
  readonly #fields = new Fields();
  /** The first snapshot has come. */
  ready = $state(false);
  connected = $state(true);
  /** Why there is nothing to show at all. */
  blocked = $state.raw<ApiError | null>(null);
  models = $state.raw<Models | null>(null);
  #core = $state.raw<{ agent: string; core: Core } | null>(null);
  /** The message of the user that is being edited. */
  editing = $state('');
  /** The message that was sent here last. */
  sent = $state('');
  /** The agent that was chosen: it has new conversations, and its conversations are listed. */
  chosen = $state(rememberedAgent());
  /** Every conversation has been fetched. */
  allConversations = $state(false);
  /** What a screen reader is told next. */
  announcement = $state('');

  readonly agent = $derived.by<Agent | undefined>(() => {
    const { agents } = this.state;
    const talking = agents.find((a) => a.id === this.conversation?.agent_id);
    return talking ?? agents.find((a) => a.id === this.chosen) ?? agents[0];
  });
  readonly agentId = $derived(this.agent?.id ?? '');
  /** The core memory of the agent; null until it has come. */
  readonly core = $derived(this.#core?.agent === this.agentId ? this.#core.core : null);
  /** '' while a new conversation has no message yet. */
  readonly conversationId = $derived(route.place === 'chat' ? route.id : '');
  readonly conversation = $derived<Conversation | undefined>(
    this.state.conversations.find((c) => c.id === this.conversationId),
  );
  /** Conversations that are deleted, by themselves or with their agent, here or in another window. */
  readonly gone = $derived.by<ReadonlySet<string>>(() => {
    const agents = new Set(this.state.agents.map((a) => a.id));
    const gone = this.state.conversations.filter((c) => shelfOf(c) === 'deleted' || !agents.has(c.agent_id));
    return new Set(gone.map((c) => c.id));
  });
  /** The user has neither begun nor said anything. The sample life says nothing of theirs, and is shown to who asks for it. */
  readonly isUnused = $derived(
    this.state.settings.ui?.begun !== true && this.state.conversations.every((c) => c.agent_id === this.state.sample),
  );
  readonly modelName = $derived(this.agent?.model || this.state.settings.model || '');
  readonly model = $derived(this.models?.models.find((m) => sameModel(m.name, this.modelName)));
  readonly modelLabel = $derived(this.model ? this.labelOf(this.model) : this.modelName);
  readonly chatModels = $derived(this.models?.models.filter((m) => m.chat && !m.remote) ?? []);
  /** Searches find by meaning too. */
  readonly meaning = $derived(this.state.settings.embedder !== undefined && this.state.engine.state === 'ready');
  readonly turn = $derived(this.state.turns[this.conversationId]);
  readonly jobs = $derived(Object.values(this.state.jobs).filter((job) => job.state === 'running'));

  /** How the model is called that answers where an agent has none of its own. */
  readonly defaultModelLabel = $derived.by(() => {
    const name = this.state.settings.model ?? '';
    const model = this.models?.models.find((m) => sameModel(m.name, name));
    return model ? this.labelOf(model) : shortName(name);
  });

  /** The names of the agents that read a block, in one line. */
  readersOf(block: CoreBlock): string {
    const readers = this.state.agents.filter(({ id }) => block.agents.includes(id));
    return f().list(readers.map((agent) => agent.name));
  }

  /** How a model is called on the page. */
  labelOf(model: EngineModel): string {
    return model.starter && model.chat ? t().starterTitle : shortName(model.name);
  }

  /** The conversation of an agent that was used last. */
  latest(agent = this.agentId): Conversation | undefined {
    return this.state.conversations
      .filter((c) => c.agent_id === agent && shelfOf(c) === 'active')
      .reduce<Conversation | undefined>(
        (last, c) => (last && compareTimes(last.updated_at, c.updated_at) > 0 ? last : c),
        undefined,
      );
  }

  /** Where Chat leads: to the conversation that was read, unless another agent was chosen since; then to its latest. */
  get lastRead(): string {
    const read = this.state.conversations.find((c) => c.id === route.chat);
    return (read && read.agent_id !== this.agentId ? undefined : route.chat) ?? this.latest()?.id ?? '';
  }

  get state(): Readonly<State> {
    return this.#fields;
  }
  set state(next: State) {
    this.#now = next;
    Object.assign(this.#fields, next);
  }

  #waiting: BusEvent[] = [];
  #syncing = false;
  /** The other side could be heard ever since the last snapshot, so that what was fetched since did come. */
  #heard = false;
  #folded = 0;
  /** What the last folds cost with all that they made the page do and draw, in ms. */
  #cost = 0;
  /** Characters a second that came of answers before the last fold. */
  #pace = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  async start(): Promise<void> {
    try {
      await redeemToken();
    } catch {
      // An old link; the cookie may still be good, and the snapshot tells.
    }
    openFeed({
      events: (events) => this.receive(events),
      resync: () => void this.resync(),
      connected: (yes) => {
        this.connected = yes;
        if (!yes) this.#heard = false;
      },
    });
    await this.resync();
    followNotifications();
    reportAlive();
  }

  /** A page that is opened at no place of its own shows the conversation that was used last. */
  async #goToLatest(): Promise<void> {
    const isNowhere = () => route.place === 'chat' && route.id === '' && !route.fresh;
    const newest = isNowhere() ? (this.latest() ?? (await this.#newest())) : undefined;
    if (newest && isNowhere()) navigate({ place: 'chat', id: newest.id }, true);
  }

  /** The last conversation of the agent, where the snapshot has none of it. */
  async #newest(): Promise<Conversation | undefined> {
    if (this.agentId === '') return undefined;
    const page = await this.attempt(() => http.get<Conversations>(`/conversations?agent_id=${this.agentId}&limit=1`));
    if (page) this.state = putFetched(this.#now, page.conversations);
    return page?.conversations[0];
  }

  /** Takes events in. They are folded in batches: faster than the eye would only cost work. */
  receive(events: BusEvent[]): void {
    this.#waiting.push(...events);
    if (this.#syncing || !this.ready) return;
    // Only words are waited with until there are more of them.
    const words = this.#waiting.every(({ type }) => type === 'message.delta');
    const pause = Math.max(0, this.#folded + pauseAfter(this.#cost, words ? this.#pace : 0) - Date.now());
    if (words && this.#timer) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      if (!this.#syncing) this.#fold();
    }, pause);
  }

  #fold(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const began = performance.now();
    // Drawing takes about as long again; to wait for the frame would ask for one where there is nothing to draw. One fold
    // that was interrupted tells little.
    void tick().then(() => (this.#cost = (this.#cost + 2 * (performance.now() - began)) / 2));
    const events = this.#waiting;
    this.#waiting = [];
    const came = events.reduce((n, { type, data }) => n + (type === 'message.delta' ? data.text.length : 0), 0);
    this.#pace = (1000 * came) / Math.max(1, Date.now() - this.#folded);
    this.#folded = Date.now();
    let next = this.#now;
    let gap = false;
    /** What happened, each with the state it met: work may begin and end between two folds. */
    const met: [BusEvent, State][] = [];
    for (const event of events) {
      met.push([event, next]);
      if (gap) continue;
      const where = event.type === 'reset' ? 'gap' : place(next, event);
      if (where === 'old') continue;
      if (where === 'gap') {
        gap = true;
        void this.resync();
        continue;
      }
      next = reduce(next, event);
    }
    this.state = next;
    for (const [event, before] of met) this.#announce(event, before);
  }

  resync = serial(async () => {
    this.#syncing = true;
    try {
      const heard = this.#heard;
      this.#heard = true;
      const snapshot = await http.get<Snapshot>(`/snapshot?since=${this.#now.seq}`);
      // Nothing happened since the last one, as between the first and the opening of the feed: what was fetched still holds.
      if (this.ready && heard && snapshot.epoch === this.#now.epoch && snapshot.seq === this.#now.seq) return;
      this.state = applySnapshot(this.#now, snapshot);
      this.#settle();
      this.blocked = null;
      if (!this.ready) await this.#goToLatest(); // before anybody can write: it would be written elsewhere
      this.ready = true;
    } catch (error) {
      this.#heard = false;
      const problem = asApiError(error);
      if (problem.code === 'UNREACHABLE') setTimeout(() => void this.resync(), RETRY_MS);
      else this.blocked = problem;
    } finally {
      this.#syncing = false;
      if (this.ready) this.#fold();
    }
  });

  /** When the turns that run began, to tell of the end of long ones. */
  #began = new Map<string, number>();

  /** Tells of the end of long work, if the user is elsewhere. */
  #notify(event: BusEvent): void {
    if (event.type === 'turn.progress') {
      if (!this.#began.has(event.data.message_id)) this.#began.set(event.data.message_id, Date.now());
    } else if (event.type === 'turn.done' || event.type === 'turn.failed') {
      const { conversation_id: id, message_id: message } = event.data;
      const lasted = Date.now() - (this.#began.get(message) ?? Date.now());
      this.#began.delete(message);
      if (lasted < LONG_MS || this.state.settings.notifications === false) return;
      const title = event.type === 'turn.done' ? t().answerComplete : t().answerFailed;
      const conversation = this.state.conversations.find((c) => c.id === id)?.title ?? '';
      void notify(title, conversation, href({ place: 'chat', id }));
    }
  }

  #announce(event: BusEvent, before: State): void {
    this.#notify(event);
    if (event.type === 'turn.done' && event.data.conversation_id === this.conversationId) {
      void this.#words(event.data.message_id)
        .then(async (words) => {
          const { plainText } = await import('./markdown');
          this.announce(`${t().answerComplete}: ${plainText(words.slice(0, ANNOUNCED))}`);
        })
        .catch(() => undefined);
    }
    if (event.type === 'block.changed' && event.data.actor !== 'user') {
      this.announce(t().memoryEdited(event.data.label));
      if (event.data.actor === 'system') void this.#tellTranslated(event.data);
    }
    if (event.type === 'model.progress' && event.data.state !== 'running') {
      if (before.jobs[event.data.job]?.state !== 'running') return;
      const { kind, model, state, problem } = event.data;
      if (kind === 'document') return this.#documentRead(event.data);
      if (kind === 'move') return; // the settings tell of it; at its end the app starts anew
      const text = {
        done: model ? t().jobDone(model) : t().startersDone,
        failed: `${model ? t().jobFailed(model) : t().startersFailed} ${problem ? problemText(problem, t(), f()) : ''}`,
        cancelled: '',
      }[state];
      if (text === '') return;
      toasts.show(text, { alarm: state === 'failed' });
      if (this.state.settings.notifications !== false) void notify(text, '', href({ place: 'settings', id: 'models' }));
    }
    if (event.type === 'passages.changed' && event.data.undoes) {
      for (const tell of this.#undoing) tell(event.data.count);
    }
    if (event.type === 'compaction.done' && event.data.kind === 'core') void this.#tellTidied(event.data.compaction_id);
    if (event.type === 'notice' && event.data.level !== 'info') toasts.show(event.data.text, { alarm: true });
  }

  /** Tells how the reading of a document ended, unless whoever began it does. */
  #documentRead(progress: ModelProgress): void {
    const { job, model: name, state, status, revision = '', problem } = progress;
    const waiting = this.#awaited.get(job);
    if (!waiting && this.#early) {
      this.#early.push(progress);
      return;
    }
    this.#awaited.delete(job);
    waiting?.(state === 'done' ? revision : undefined);
    if (state === 'failed') {
      if (route.place === 'memory' && route.id === 'documents') return; // it is told there
      const text = t().documentFailed(name, problem ? problemText(problem, t(), f()) : '');
      toasts.show(text, { alarm: true });
    } else if (state === 'done' && !waiting) {
      const said = { added: t().documentAdded, updated: t().documentUpdated }[status] ?? t().documentKnown;
      const action = { label: t().undo, run: () => void this.undo(revision) };
      toasts.show(said(name), revision === '' ? {} : { action });
      if (this.state.settings.notifications !== false)
        void notify(said(name), '', href({ place: 'memory', id: 'documents' }));
    }
  }

  /** Who waits for documents to be read. */
  readonly #awaited = new Map<string, (revision: string | undefined) => void>();
  /** Ends of documents that came before it was known whether anybody waits for them. */
  #early: ModelProgress[] | undefined;

  /**
   * Hands a document in and waits until it has been read; `begun` is told the job that reads it. The revision to take back,
   * '' where it was there already; undefined: it was not read.
   */
  async documentRead(handIn: () => Promise<Jobs>, begun: (job: string) => void): Promise<string | undefined> {
    this.#early ??= [];
    const job = (await this.attempt(handIn))?.jobs[0]?.id ?? '';
    const read = new Promise<string | undefined>((done) =>
      job === '' ? done(undefined) : this.#awaited.set(job, done),
    );
    const early = this.#early ?? [];
    this.#early = undefined;
    for (const progress of early) this.#documentRead(progress);
    this.#settle();
    begun(job);
    return read;
  }

  /** Answers those who wait for a document whose end was not told, such as one before a gap. */
  #settle(): void {
    for (const [id, answer] of this.#awaited) {
      const job = this.#now.jobs[id];
      if (!job || job.state === 'running') continue;
      this.#awaited.delete(id);
      answer(job.state === 'done' ? (job.revision ?? '') : undefined);
    }
  }

  /** An agent that nobody gave words of their own follows the language of the app; that is told, with the way back. */
  async #tellTranslated({ revision_id, agent_ids, label }: BlockChanged): Promise<void> {
    if (this.isUnused) return; // a block of which they have not heard
    const revision = await http.get<Revision>(`/revisions/${revision_id}`).catch(() => undefined);
    if (revision?.cause.reason !== 'language' || revision.undoes) return;
    const [before, after] = [revision.before, revision.after].map((json) => (JSON.parse(json) as Block).value);
    if (before === after) return; // only what it is for
    const agent = this.state.agents.find(({ id }) => agent_ids.includes(id))?.name ?? '';
    await this.loadSettings().catch(() => undefined); // it is told in the language that the app speaks now
    this.offerUndo(t().blockTranslated(label, agent), revision);
  }

  /** Compactions of core memory that were told of. */
  readonly #tidied = new Set<string>();

  /** Core memory was compacted, mostly in the background: that is told once, with the way back. */
  async #tellTidied(id: string): Promise<void> {
    if (this.#tidied.has(id)) return;
    this.#tidied.add(id);
    const made = await http.get<Compaction>(`/compactions/${id}`).catch(() => undefined);
    const entries = made?.entries ?? [];
    const left = entries.filter(({ action }) => action === 'archived' || action === 'linked').length;
    // An earlier one of which an entry is put back is done anew.
    if (!made || left === 0 || Date.now() - Date.parse(made.created_at) > FRESH_MS) return;
    if (entries.some(({ action }) => action === 'restored')) return;
    const undo = async () => {
      const undone = await this.attempt(() => http.post<Compaction>(`/compactions/${id}/undo`));
      if (undone) toasts.show(t().tidyUndone);
    };
    toasts.show(t().tidied(left, f().number(Math.max(0, made.tokens_before - made.tokens_after))), {
      action: { label: t().undo, run: () => void undo() },
    });
  }

  /** What a message says: as it has come, else as it is stored. */
  async #words(id: string): Promise<string> {
    const stream = this.#now.streams[id];
    const whole = stream && stream.waiting.length === 0 && stream.content.length > 0;
    return whole ? stream.content.text : (await http.get<Message>(`/messages/${id}`)).content;
  }

  announce(text: string): void {
    this.announcement = text;
  }

  /** Shows what went wrong as a notice. */
  complain(error: unknown): void {
    toasts.show(problemText(asApiError(error), t(), f()), { alarm: true });
  }

  /** Runs an action of the user; undefined and a notice when it fails. */
  async attempt<T>(action: () => Promise<T>): Promise<T | undefined> {
    try {
      return await action();
    } catch (error) {
      this.complain(error);
      return undefined;
    }
  }

  // --- fetching what the marks say has changed

  /** Conversations whose end was asked for, wherever the reader is in them. */
  readonly #toEnd = new Set<string>();
  /** Each time the reader goes elsewhere in a conversation: of several the last counts, in whatever order they come. */
  readonly #going = latest();

  /** Fetches the end of a conversation, unless the reader is elsewhere in it and did not ask for the end. */
  async loadThread(id: string, toEnd = false): Promise<void> {
    if (toEnd) this.#toEnd.add(id);
    await this.#loadEnd(id);
  }

  readonly #loadEnd = serial(async (id) => {
    const asked = this.#toEnd.delete(id);
    const stays = asked ? this.#going() : () => !this.state.threads[id]?.newer;
    if (id === '' || !stays()) return;
    try {
      const page = await http.get<Messages>(`/conversations/${id}/messages?limit=${PAGE}`);
      if (!stays()) return;
      this.state = putThread(this.#now, id, page);
      // A link may lead to one that has not been fetched yet.
      if (!this.state.conversations.some((c) => c.id === id)) {
        this.state = putFetched(this.#now, [await http.get<Conversation>(`/conversations/${id}`)]);
      }
    } catch (error) {
      if (asApiError(error).code !== 'ENOTFOUND') throw error;
      if (this.conversationId === id) navigate({ place: 'chat', id: '', fresh: true }, true);
    }
  });

  /** Fetches what is before or behind the messages that are there; `put` is called when it is about to be shown. */
  extendThread = async (id: string, where: 'older' | 'newer', put: () => unknown): Promise<void> => {
    const edge = () => this.state.threads[id]?.messages.at(where === 'older' ? 0 : -1)?.id;
    const from = edge();
    const at = `${where === 'older' ? 'before' : 'after'}=${from}`;
    const page = await http.get<Messages>(`/conversations/${id}/messages?limit=${PAGE}&${at}`);
    if (edge() !== from) return; // something else is there by now
    const shown = put();
    this.state = putThread(this.#now, id, page, where);
    await shown;
  };

  /**
   * Fetches the messages around one, or around the first of a day, and returns which, '' where the reader has gone
   * elsewhere since. A message of another branch makes that branch the visible one.
   */
  loadAround = async (id: string, at: { message: string } | { day: string }): Promise<string> => {
    const stays = this.#going();
    const around = 'message' in at ? `around=${at.message}` : `date=${at.day}`;
    const fetch = () => http.get<Messages>(`/conversations/${id}/messages?limit=${PAGE}&${around}`);
    const page = await fetch().catch(async (error: unknown) => {
      if (!('message' in at) || asApiError(error).code !== 'ENOTFOUND') throw error;
      await http.post(`/messages/${at.message}/select`);
      return fetch();
    });
    if (!stays()) return '';
    this.state = putThread(this.#now, id, page, 'elsewhere');
    return page.around;
  };

  /** Fetches one message, and again shortly as long as words of it are missing. */
  loadMessage = serial(async (id) => {
    const message = await http.get<Message>(`/messages/${id}`);
    this.state = putMessage(this.#now, message);
    if (this.state.streams[id]?.waiting.length) setTimeout(() => void this.loadMessage(id).catch(() => undefined), 500);
  });

  loadModels = serial(async () => {
    if (this.state.engine.state !== 'ready') return;
    this.models = await http.get<Models>('/models');
  });

  loadCore = serial(async () => {
    const agent = this.agentId;
    if (agent !== '') this.#core = { agent, core: await http.get<Core>(`/agents/${agent}/core`) };
  });

  loadSettings = serial(async () => {
    this.state = { ...this.#now, settings: await http.get<Settings>('/settings') };
  });

  loadAgents = serial(async () => {
    const known = new Set(this.#now.agents.map((a) => a.id));
    const { agents, sample } = await http.get<Agents>('/agents');
    // One that was deleted and is back has conversations that are not in the list. They come first: whoever goes to it
    // goes to the latest of them.
    if (agents.some((a) => !known.has(a.id))) await this.loadAllConversations();
    this.state = { ...this.#now, agents, sample };
  });

  /** Fetches the conversations that have changed. */
  loadConversations = serial(async () => {
    const ids = [...this.#now.stale];
    this.state = setStale(this.#now, []); // what changes from now on is fetched once more
    try {
      await (ids.length > MANY ? this.loadAllConversations() : this.#loadThese(ids));
    } catch (error) {
      this.state = setStale(this.#now, [...this.#now.stale, ...ids]);
      throw error;
    }
  });

  async #loadThese(conversations: string[]): Promise<void> {
    const gone = new Set<string>();
    const fetched = await Promise.all(
      conversations.map((id) =>
        http.get<Conversation>(`/conversations/${id}`).catch((error: unknown) => {
          if (asApiError(error).code !== 'ENOTFOUND') throw error;
          gone.add(id);
          return undefined;
        }),
      ),
    );
    this.state = dropGone(
      putFetched(
        this.#now,
        fetched.filter((c) => c !== undefined),
      ),
      gone,
    );
  }

  /** Fetches the list of conversations to its end, archived and deleted ones after the others, as far as it changed. */
  loadAllConversations = serial(async () => {
    for (const state of ['active', 'archived', 'deleted']) {
      let next = '';
      do {
        const page = await http.get<Conversations>(
          `/conversations?state=${state}&limit=${LIST_PAGE}&cursor=${encodeURIComponent(next)}`,
        );
        this.state = putFetched(this.#now, page.conversations);
        next = page.next;
      } while (next !== '');
    }
    this.allConversations = true;
  });

  #receipts = new Map<string, Promise<Receipt | null>>();

  /** The receipt of an answer; null where nothing was recalled for it. */
  receipt(message: string): Promise<Receipt | null> {
    const known = this.#receipts.get(message);
    if (known) return known;
    const fetched = http.get<Receipt | null>(`/messages/${message}/receipt`).catch((error: unknown) => {
      this.#receipts.delete(message);
      throw error;
    });
    this.#receipts.set(message, fetched);
    for (const oldest of this.#receipts.keys()) {
      if (this.#receipts.size <= RECEIPTS) break;
      this.#receipts.delete(oldest);
    }
    return fetched;
  }

  // --- chat

  /** The ids of messages that could not be sent: the same one sent once more is stored once. */
  #unsent = new Map<string, string>();

  /**
   * Sends a message, in a new conversation with the agent where `conversation` is ''. Tells which one it is for, '' where
   * none could be begun, and whether it was stored: where it was not, the text is still the user's.
   */
  async send(
    { conversation, agent }: { conversation: string; agent: string },
    content: string,
    files: FileCreate[] = [],
  ): Promise<{ id: string; stored: boolean }> {
    let id = conversation;
    const stored = await this.attempt(async () => {
      if (id === '') {
        const created = await http.post<Conversation>('/conversations', { agent_id: agent });
        id = created.id;
        this.state = {
          ...putFetched(this.#now, [created]),
          threads: { ...this.state.threads, [id]: { messages: [], more: false, newer: false } },
        };
        if (route.place === 'chat' && route.id === '') navigate({ place: 'chat', id }); // else they went elsewhere
      }
      const what = JSON.stringify([id, content, files.map((file) => file.name)]);
      const clientId = this.#unsent.get(what) ?? newId();
      this.#unsent.set(what, clientId);
      const { message } = await http.post<MessageResult>(`/conversations/${id}/messages`, {
        content,
        client_id: clientId,
        files,
      });
      this.#unsent.delete(what);
      this.state = appendMessage(this.#now, message);
      if (this.state.threads[id]?.newer) await this.loadThread(id, true);
      if (this.conversationId === id) this.sent = message.id;
      return true;
    });
    return { id, stored: stored ?? false };
  }

  async stop(): Promise<void> {
    const id = this.conversationId;
    if (id !== '') await this.attempt(() => http.post<Stopped>(`/conversations/${id}/stop`));
  }

  /** Takes back a message that waits for its answer; its words and its files go back to where they were written. */
  async withdraw(message: string): Promise<void> {
    const taken = await this.attempt(() => http.post<MessageResult>(`/messages/${message}/withdraw`));
    if (!taken) return;
    const { content, files: carried = [], conversation_id } = taken.message;
    void give(conversation_id, { text: content === namesOf(carried) ? '' : content });
    const files = await this.attempt(() => Promise.all(carried.map((file, i) => fetched(message, i, file))));
    if (files) void give(conversation_id, { files });
    await this.attempt(() => this.loadThread(conversation_id, true));
  }

  /** `deep`: the model helps to recall for it. */
  regenerate = once((message: string, deep = false) =>
    this.attempt(() => http.post(`/messages/${message}/regenerate`, { deep })),
  );
  continueAnswer = once((message: string) => this.attempt(() => http.post(`/messages/${message}/continue`)));
  editMessage = (message: string, content: string) =>
    this.attempt(() => http.post(`/messages/${message}/edit`, { content }));

  async selectBranch(conversation: string, message: string): Promise<void> {
    await this.attempt(() => http.post(`/messages/${message}/select`));
    await this.attempt(() => this.loadAround(conversation, { message }));
  }

  // --- conversations

  async changeConversation(id: string, change: ConversationChange): Promise<boolean> {
    const changed = await this.attempt(() => http.patch<Conversation>(`/conversations/${id}`, change));
    if (changed) this.state = putFetched(this.#now, [changed]);
    return changed !== undefined;
  }

  /** Puts a conversation on the shelf of the archived ones, or back; tells of it with the way back. */
  async archiveConversation({ id, title, archived_at }: Conversation): Promise<void> {
    const archived = archived_at === undefined;
    if (!(await this.changeConversation(id, { archived }))) return;
    toasts.show((archived ? t().conversationArchived : t().conversationUnarchived)(title || t().untitled), {
      action: { label: t().undo, run: () => void this.changeConversation(id, { archived: !archived }) },
    });
  }

  async deleteConversation({ id, title }: Conversation): Promise<void> {
    const open = this.conversationId === id;
    const gone = await this.attempt(async () => {
      // The page leaves it first, since it would say that it was deleted.
      if (open) navigate({ place: 'chat', id: '', fresh: true });
      await http.delete(`/conversations/${id}`);
      return true;
    });
    if (!gone) {
      if (open && this.conversationId === '' && route.fresh) navigate({ place: 'chat', id }, true);
      return;
    }
    this.state = putFetched(this.#now, [await http.get<Conversation>(`/conversations/${id}`)]);
    toasts.show(t().conversationDeleted(title || t().untitled), {
      action: {
        label: t().undo,
        run: () => void this.restoreConversation(id).then((back) => back && open && navigate({ place: 'chat', id })),
      },
    });
  }

  /** Brings a conversation back, and its agent where that was deleted. */
  async restoreConversation(id: string): Promise<boolean> {
    const { agent_id, deleted_at } = this.state.conversations.find((c) => c.id === id) ?? {};
    if (agent_id && !this.state.agents.some((a) => a.id === agent_id)) await this.restoreAgent(agent_id);
    return deleted_at === undefined || this.changeConversation(id, { deleted: false });
  }

  // --- agents

  /** Talks to another agent: its last conversation is opened, or a new one begun. Who looks at memory sees that agent's. */
  choose(agent: string): void {
    this.remember(agent);
    if (route.place === 'memory') return navigate({ place: 'memory', id: route.id });
    const latest = this.latest(agent);
    navigate({ place: 'chat', id: latest?.id ?? '', fresh: latest === undefined });
  }

  remember(agent: string): void {
    this.chosen = agent;
    try {
      localStorage.setItem(CHOSEN, agent);
    } catch {
      // The first agent is chosen next time.
    }
  }

  /** Changes an agent. What depends on how it is now is told by a function, called when it is this change's turn. */
  changeAgent(id: string, change: AgentChange | ((agent: Agent) => AgentChange)): Promise<boolean> {
    return this.#inTurn(async () => {
      const agent = this.#now.agents.find((a) => a.id === id);
      if (!agent) return;
      const wanted = typeof change === 'function' ? change(agent) : change;
      const changed = await http.patch<Agent>(`/agents/${id}`, wanted);
      this.state = { ...this.#now, agents: this.#now.agents.map((a) => (a.id === id ? changed : a)) };
    });
  }

  /** Shows an agent that was just made or brought back, here, before its event comes: where it will stand, the oldest first. */
  putAgent(agent: Agent): void {
    const agents = [...this.#now.agents.filter((a) => a.id !== agent.id), agent];
    this.state = { ...this.#now, agents: agents.sort((a, b) => (a.id < b.id ? -1 : 1)) };
  }

  async deleteAgent({ id, name }: Agent): Promise<void> {
    const gone = await this.attempt(async () => {
      await http.delete(`/agents/${id}`);
      return true;
    });
    if (!gone) return;
    this.state = { ...this.#now, agents: this.#now.agents.filter((a) => a.id !== id) };
    toasts.show(t().agentDeleted(name), {
      action: { label: t().undo, run: () => void this.restoreAgent(id) },
    });
  }

  restoreAgent = (id: string) =>
    this.attempt(async () => {
      const agent = await http.patch<Agent>(`/agents/${id}`, { deleted: false });
      await this.loadAllConversations();
      this.putAgent(agent);
    });

  // --- memory

  /** Who takes something back is told how many passages a part of it was. */
  readonly #undoing = new Set<(passages: number) => void>();

  undo = async (revision: string): Promise<Revised | undefined> => {
    const notice = toasts.during(t().undoing);
    let passages = 0;
    const tell = (more: number) => notice.progress(t().passagesSoFar(f().number((passages += more))));
    this.#undoing.add(tell);
    const undone = await this.attempt(() => http.post<Revised>(`/revisions/${revision}/undo`));
    this.#undoing.delete(tell);
    notice.end();
    return undone;
  };

  /** Tells of a change that was just made, with the way back. */
  offerUndo(text: string, { id }: Revision, stays = false): void {
    toasts.show(text, { stays, action: { label: t().undo, run: () => void this.undo(id) } });
  }

  /** Does the same for a change that broke off, as soon as it can be asked whether it has been taken back. */
  async offerUndoOfPart(text: string, part: Revision): Promise<void> {
    try {
      const { undone_by } = await http.get<Revision>(`/revisions/${part.id}`);
      if (!undone_by) this.offerUndo(text, part, true);
    } catch (error) {
      if (asApiError(error).code === 'UNREACHABLE') setTimeout(() => void this.offerUndoOfPart(text, part), RETRY_MS);
    }
  }

  async storeInArchive(text: string, from: PassageFrom = {}): Promise<boolean> {
    const stored = await this.store(text, from);
    if (stored) this.offerTakeBack(stored);
    return stored !== undefined;
  }

  /** Stores a text as passages and tells nobody; undefined where that failed. */
  store(text: string, from: PassageFrom): Promise<Stored | undefined> {
    const agent = this.agentId;
    return this.attempt(async () => {
      const { passages } = await http.post<Passages>('/passages', { agent_id: agent, text, ...from });
      return { agent, ids: passages.map((p) => p.id) };
    });
  }

  takeBack = ({ agent, ids }: Stored) =>
    this.attempt(() => http.post<PassagesChanged>('/passages/change', { agent_id: agent, ids, delete: true }));

  /** Tells what was stored just now, with the way back. */
  offerTakeBack(stored: Stored): void {
    toasts.show(t().storedInArchive(stored.ids.length), {
      action: { label: t().undo, run: () => void this.takeBack(stored) },
    });
  }

  // --- engine, models, settings

  restartEngine = () => this.attempt(() => http.post('/engine/restart'));

  /** Keeps settings at once; a null takes one back to its default. A function is asked when it is this change's turn. */
  set(change: SettingsChange | (() => SettingsChange)): Promise<boolean> {
    return this.#inTurn(async () => {
      const settings = await http.patch<Settings>('/settings', typeof change === 'function' ? change() : change);
      this.state = { ...this.#now, settings };
    });
  }

  #turns: Promise<unknown> = Promise.resolve();
  /** Keeps something after what was to be kept before it: of two quick changes the later one holds. False: it was not. */
  #inTurn(keep: () => Promise<void>): Promise<boolean> {
    const kept = this.#turns.then(() =>
      this.attempt(async () => {
        await keep();
        await tick(); // the page shows it, and the next change builds on it
        return true;
      }),
    );
    this.#turns = kept;
    return kept.then((done) => done ?? false);
  }

  async chooseModel(name: string): Promise<void> {
    if (this.agent?.model) {
      const agent = this.agent.id;
      await this.changeAgent(agent, { model: name });
    } else {
      await this.set({ model: name });
    }
  }

  async setThinking(on: boolean): Promise<void> {
    await this.changeAgent(this.agentId, { thinking: on });
  }

  startJob(path: string, body: object): Promise<JobResult | undefined> {
    return this.attempt(async () => {
      const result = await http.post<JobResult>(path, body);
      // What is known of it already is newer than the answer.
      this.state = { ...this.#now, jobs: { [result.job.id]: result.job, ...this.#now.jobs } };
      return result;
    });
  }

  cancelJob = (id: string) => this.attempt(() => http.delete(`/jobs/${id}`));
}

function newId(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (b) => b.toString(16).padStart(2, '0')).join('');
}

export const app = new App();

/**
 * In a component: runs `load` at once, and again whenever the thing that `names` marks has changed, or is another one. Of
 * several names the first tells which thing it is. What the snapshot itself carries need not be fetched until it changes.
 */
export function onMark(names: () => string | [string, ...string[]], load: () => unknown, inSnapshot = false): void {
  const all = $derived([names()].flat());
  const count = $derived(all.reduce((n, name) => n + (app.state.marks[name] ?? 0), 0));
  const cause = $derived(inSnapshot ? count : `${all[0]} ${count} ${app.state.snapshots}`);
  $effect(() => {
    if (cause !== 0) untrack(() => void Promise.resolve(load()).catch(() => undefined));
  });
}
