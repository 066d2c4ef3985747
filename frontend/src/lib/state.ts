// The state of the page is a fold over the events of the bus, begun by a snapshot. Nothing here does I/O, so that any
// run can be replayed in a test. Events are small: they carry the words of a running answer, and otherwise only say
// that something changed. For the latter a mark is raised, and whoever shows the thing fetches it anew.
import type {
  Agent,
  BusEvent,
  Conversation,
  EmbedProgress,
  SelftestProgress,
  EngineStatus,
  Job,
  Message,
  MessageCreated,
  MessageDelta,
  ModelProgress,
  Notice,
  Problem,
  Settings,
  Snapshot,
  TurnProgress,
} from './api.gen';
import { putConversations } from './conversations';

/** A stretch of the visible branch of one conversation: what the reader has near. */
export interface Thread {
  messages: Message[];
  /** There are older ones. */
  more: boolean;
  /** There are newer ones: the end is not here. */
  newer: boolean;
}

/** Messages of a thread; when more are fetched at one end, those at the other end are let go. */
const HELD = 200;
/** Conversations whose threads are held. */
const THREADS = 6;

interface Words {
  text: string;
  /** Code points of text. */
  length: number;
}

/** The words of a message that is being written. Pieces that came before their predecessors wait. */
export interface Stream {
  content: Words;
  thinking: Words;
  waiting: MessageDelta[];
}

export interface State {
  epoch: string;
  seq: number;
  version: string;
  desktop: boolean;
  home: string;
  engine: EngineStatus;
  settings: Settings;
  agents: Agent[];
  /** The agent that holds the sample life, '' where it is not loaded. */
  sample: string;
  /** All that are known, archived and deleted ones too, in the order of the list. */
  conversations: Conversation[];
  /** Conversations that have changed on the other side. */
  stale: ReadonlySet<string>;
  threads: Record<string, Thread>;
  streams: Record<string, Stream>;
  turns: Record<string, TurnProgress>;
  jobs: Record<string, Job>;
  /** How far each embedding model is that has something to do. */
  embedding: Readonly<Record<string, EmbedProgress>>;
  /** What a self-test that runs is at. */
  selftest: SelftestProgress | null;
  notice: Notice | null;
  /** What a check of the database has found. */
  damage: Problem | null;
  /** Grows whenever the thing of that name changed on the other side. */
  marks: Record<string, number>;
  /** Grows with each snapshot: anything may have changed, whether it has a mark or not. */
  snapshots: number;
}

export const emptyState: State = {
  epoch: '',
  seq: 0,
  version: '',
  desktop: false,
  home: '',
  engine: { state: 'searching', loopback: true, models: 0, since: '' },
  settings: {},
  agents: [],
  sample: '',
  conversations: [],
  stale: new Set(),
  threads: {},
  streams: {},
  turns: {},
  jobs: {},
  embedding: {},
  selftest: null,
  notice: null,
  damage: null,
  marks: {},
  snapshots: 0,
};

export const mark = {
  agents: 'agents',
  conversations: 'conversations',
  settings: 'settings',
  models: 'models',
  passages: 'passages',
  /** Which embedder an archive has, and how far that is. */
  archives: 'archives',
  documents: 'documents',
  facts: 'facts',
  /** What is asked about facts. */
  questions: 'questions',
  /** What the user wants with memories that recall brings. */
  feedback: 'feedback',
  /** Any block, of any agent or of none. */
  blocks: 'blocks',
  /** Anything that is kept among the activity. */
  activity: 'activity',
  /** Any compaction. One of them: `subject`. */
  compactions: 'compactions',
  /** What calls of models took. */
  usage: 'usage',
  core: (agent: string) => `core:${agent}`,
  /** The revisions of one block or passage. */
  subject: (id: string) => `subject:${id}`,
  thread: (conversation: string) => `thread:${conversation}`,
  plan: (conversation: string) => `plan:${conversation}`,
  message: (id: string) => `message:${id}`,
};

/** Replaces everything a snapshot tells. */
export function applySnapshot(state: State, snapshot: Snapshot): State {
  const sameProcess = snapshot.epoch === state.epoch;
  return {
    ...state,
    epoch: snapshot.epoch,
    seq: snapshot.seq,
    version: snapshot.version,
    desktop: snapshot.platform.desktop,
    home: snapshot.platform.home,
    damage: snapshot.damage ?? null,
    engine: snapshot.engine,
    settings: snapshot.settings,
    agents: snapshot.agents,
    sample: snapshot.sample,
    conversations: putConversations(state.conversations, snapshot.conversations),
    turns: Object.fromEntries(snapshot.running.map((turn) => [turn.conversation_id, turn])),
    streams: sameProcess ? state.streams : {},
    jobs: Object.fromEntries(snapshot.jobs.map((job) => [job.id, job])),
    snapshots: state.snapshots + 1,
  };
}

/** Whether `event` follows directly on what the state has seen. Older ones are to be dropped, a gap needs a snapshot. */
export function place(state: State, event: BusEvent): 'old' | 'next' | 'gap' {
  if (event.seq <= state.seq) return 'old';
  return event.seq === state.seq + 1 ? 'next' : 'gap';
}

/** Folds one event into the state. */
export function reduce(state: State, event: BusEvent): State {
  const kept = event.id !== undefined; // a durable event
  const next = { ...state, seq: event.seq, marks: kept ? raise(state.marks, mark.activity) : state.marks };
  const raised = (...names: string[]): State => ({ ...next, marks: raise(next.marks, ...names) });
  switch (event.type) {
    case 'message.created':
      return messageCreated(next, event.data, event.at);
    case 'message.delta':
      return messageDelta(next, event.data);
    case 'message.updated': {
      const marked = raised(mark.message(event.data.id), mark.thread(event.data.conversation_id));
      // The words of an answer that is shown nowhere are not kept once they are stored.
      if (event.data.status === 'streaming' || threadOf(state, event.data.id)) return marked;
      return { ...marked, streams: without(marked.streams, event.data.id) };
    }
    case 'turn.progress':
      return turnProgress(next, event.data);
    case 'turn.done':
    case 'turn.failed':
      return turnEnded(next, event.data.conversation_id);
    case 'block.changed': {
      const thread = event.data.message_id ? threadOf(next, event.data.message_id) : undefined;
      return raised(
        mark.blocks,
        mark.subject(event.data.block_id),
        ...event.data.agent_ids.map(mark.core),
        ...(thread ? [mark.thread(thread)] : []),
      );
    }
    case 'attachment.changed':
      return raised(mark.blocks, mark.subject(event.data.block_id), ...next.agents.map((agent) => mark.core(agent.id)));
    case 'order.changed':
      return raised(mark.blocks, mark.core(event.data.agent_id), mark.subject(event.data.agent_id));
    case 'passage.changed': {
      const thread = event.data.message_id ? threadOf(next, event.data.message_id) : undefined;
      // It may be the summary of a document.
      return raised(
        mark.passages,
        mark.documents,
        mark.subject(event.data.passage_id),
        ...(thread ? [mark.thread(thread)] : []),
      );
    }
    case 'passages.changed':
      return raised(mark.passages, mark.subject(event.data.archive_id));
    case 'feedback.changed':
      return raised(mark.feedback);
    case 'fact.changed': {
      const { fact_id: fact, message_id: message } = event.data;
      const thread = message ? threadOf(next, message) : undefined;
      return raised(mark.facts, ...(fact ? [mark.subject(fact)] : []), ...(thread ? [mark.thread(thread)] : []));
    }
    case 'fact.question':
      return raised(mark.questions);
    case 'document.changed':
      return raised(mark.passages, mark.documents, mark.subject(event.data.document_id));
    case 'agent.changed':
      // Who shares a block with it is told by the core memory of the others.
      return raised(mark.agents, mark.core(event.data.agent_id), ...next.agents.map((agent) => mark.core(agent.id)));
    case 'conversation.changed':
      return stale(next, event.data.conversation_id);
    case 'window.evicted':
    case 'window.rebased':
      return raised(mark.plan(event.data.conversation_id));
    case 'compaction.pending':
    case 'compaction.done':
    case 'compaction.undone':
    case 'compaction.failed':
    case 'compaction.tried': {
      const { compaction_id, conversation_id, agent_id, kind } = event.data;
      const where = kind === 'core' ? mark.core(agent_id) : mark.plan(conversation_id);
      return raised(mark.compactions, mark.subject(compaction_id), where);
    }
    case 'usage.noted':
      return raised(mark.usage);
    case 'recall.done':
      return raised(mark.message(event.data.message_id));
    case 'settings.changed':
      return raised(mark.settings, mark.models, mark.archives, ...next.agents.map((agent) => mark.core(agent.id)));
    case 'engine.state':
      return { ...raised(mark.models), engine: event.data };
    case 'model.progress':
      return modelProgress(next, event.data, event.at);
    case 'selftest.progress':
      return { ...next, selftest: event.data.task ? event.data : null };
    case 'embed.progress': {
      const { model, pending } = event.data;
      if (pending > 0) return { ...next, embedding: { ...next.embedding, [model]: event.data } };
      const others = Object.entries(next.embedding).filter(([other]) => other !== model);
      return { ...raised(mark.passages, mark.archives), embedding: Object.fromEntries(others) };
    }
    case 'embed.trouble':
      return raised(mark.archives);
    case 'archive.changed':
      return raised(mark.passages, mark.archives);
    case 'notice':
      return {
        ...next,
        notice: event.data,
        damage:
          event.data.code === 'database_damaged'
            ? { code: 'ECORRUPT', message: event.data.text, remedy: 'restore' }
            : next.damage,
      };
    default:
      return next; // of a newer version
  }
}

/** Notes that a conversation is not as it is known. */
function stale(state: State, conversation: string): State {
  return {
    ...state,
    stale: new Set([...state.stale, conversation]),
    marks: raise(state.marks, mark.conversations),
  };
}

/** Says of which conversations it is not known how they are. */
export function setStale(state: State, conversations: Iterable<string>): State {
  return { ...state, stale: new Set(conversations) };
}

/** Puts fetched conversations in the list. */
export function putFetched(state: State, fetched: Conversation[]): State {
  return { ...state, conversations: putConversations(state.conversations, fetched) };
}

/** Takes conversations out that are no longer there at all. */
export function dropGone(state: State, ids: ReadonlySet<string>): State {
  if (ids.size === 0) return state;
  return { ...state, conversations: state.conversations.filter((c) => !ids.has(c.id)) };
}

function without<T>(record: Record<string, T>, key: string): Record<string, T> {
  return Object.fromEntries(Object.entries(record).filter(([name]) => name !== key));
}

function raise(marks: Record<string, number>, ...names: string[]): Record<string, number> {
  const raised = { ...marks };
  for (const name of names) raised[name] = (raised[name] ?? 0) + 1;
  return raised;
}

function threadOf(state: State, message: string): string | undefined {
  return Object.keys(state.threads).find((id) => state.threads[id]?.messages.some((m) => m.id === message));
}

function messageCreated(state: State, data: MessageCreated, at: string): State {
  const conversation = data.conversation_id;
  state = stale(state, conversation);
  const marks = raise(state.marks, mark.thread(conversation));
  const thread = state.threads[conversation];
  const last = thread?.messages.at(-1);
  if (!thread || data.role !== 'assistant' || last?.id !== data.parent_id) return { ...state, marks };
  // The answer begins to show before it has been fetched.
  const message: Message = {
    id: data.id,
    conversation_id: conversation,
    agent_id: last.agent_id,
    parent_id: data.parent_id,
    turn_id: last.turn_id,
    role: 'assistant',
    content: '',
    status: 'streaming',
    tokens: 0,
    siblings: [],
    revision_ids: [],
    created_at: at,
  };
  return {
    ...state,
    marks,
    threads: { ...state.threads, [conversation]: { ...thread, messages: [...thread.messages, message] } },
    streams: { ...state.streams, [data.id]: newStream() },
  };
}

function newStream(content = '', thinking = ''): Stream {
  return {
    content: { text: content, length: codePoints(content) },
    thinking: { text: thinking, length: codePoints(thinking) },
    waiting: [],
  };
}

/** The number of code points of a string, which is what Go counts as runes. */
export function codePoints(s: string): number {
  let n = s.length;
  for (let i = 0; i < s.length - 1; i++) {
    const unit = s.charCodeAt(i);
    if (unit >= 0xd800 && unit < 0xdc00) {
      const low = s.charCodeAt(i + 1);
      if (low >= 0xdc00 && low < 0xe000) {
        n--;
        i++;
      }
    }
  }
  return n;
}

/** Joins one piece to the words; undefined when words are missing between them. Pieces may overlap what is there. */
function join(words: Words, delta: MessageDelta): Words | undefined {
  if (delta.offset > words.length) return undefined;
  const known = words.length - delta.offset;
  if (known === 0) return { text: words.text + delta.text, length: words.length + codePoints(delta.text) };
  const fresh = Array.from(delta.text).slice(known);
  return fresh.length === 0 ? words : { text: words.text + fresh.join(''), length: words.length + fresh.length };
}

function settle(stream: Stream): Stream {
  let { content, thinking } = stream;
  const waiting: MessageDelta[] = [];
  for (const delta of [...stream.waiting].sort((a, b) => a.offset - b.offset)) {
    const joined = join(delta.kind === 'content' ? content : thinking, delta);
    if (!joined) waiting.push(delta);
    else if (delta.kind === 'content') content = joined;
    else thinking = joined;
  }
  return { content, thinking, waiting };
}

function messageDelta(state: State, delta: MessageDelta): State {
  const base = state.streams[delta.id] ?? newStream();
  const stream = settle({ ...base, waiting: [...base.waiting, delta] });
  const streams = { ...state.streams, [delta.id]: stream };
  // Words are missing: the message is fetched, and putMessage closes the gap.
  const gap = stream.waiting.length > 0 && base.waiting.length === 0;
  return { ...state, streams, marks: gap ? raise(state.marks, mark.message(delta.id)) : state.marks };
}

function turnProgress(state: State, turn: TurnProgress): State {
  const before = state.turns[turn.conversation_id];
  // While words come, they are the progress.
  const same = before?.message_id === turn.message_id && before.queued.length === turn.queued.length;
  if (turn.phase === 'writing' && before?.phase === 'writing' && same) return state;
  return { ...state, turns: { ...state.turns, [turn.conversation_id]: turn } };
}

function turnEnded(state: State, conversation: string): State {
  const turns = without(state.turns, conversation);
  const marks = raise(state.marks, mark.thread(conversation), mark.plan(conversation), mark.usage);
  return stale({ ...state, turns, marks }, conversation);
}

function modelProgress(state: State, progress: ModelProgress, at: string): State {
  const { job: id, ...rest } = progress;
  const job: Job = { created_at: at, ...state.jobs[id], ...rest, id };
  const marks =
    job.state === 'running' || job.kind === 'document' ? state.marks : raise(state.marks, mark.models, mark.settings);
  return { ...state, jobs: { ...state.jobs, [id]: job }, marks };
}

/** Where fetched messages belong: the end of the branch, the stretch before or behind what is there, or somewhere else. */
export type Page = 'newest' | 'older' | 'newer' | 'elsewhere';

/** Puts fetched messages in. */
export function putThread(state: State, conversation: string, page: Thread, where: Page = 'newest'): State {
  const present = state.threads[conversation];
  let { messages, more, newer } = page;
  if (where === 'older' && present) {
    messages = [...page.messages, ...present.messages];
    newer = present.newer || messages.length > HELD;
    messages = messages.slice(0, HELD);
  } else if (where === 'newer' && present) {
    messages = [...present.messages, ...page.messages];
    more = present.more || messages.length > HELD;
    messages = messages.slice(-HELD);
  } else if (where === 'newest' && present && page.messages[0]) {
    // What was fetched further back stays, where the branch is still the same one.
    const first = page.messages[0];
    const at = present.messages.findIndex((m) => m.id === first.id);
    if (at > 0) {
      messages = [...present.messages.slice(0, at), ...page.messages];
      more = present.more || messages.length > HELD;
      messages = messages.slice(-HELD);
    }
  }
  const kept = Object.entries(without(state.threads, conversation)).slice(1 - THREADS);
  const threads = { ...Object.fromEntries(kept), [conversation]: { messages, more, newer } };
  return messages.reduce(putStream, { ...state, threads });
}

/** Puts one fetched message in its thread. */
export function putMessage(state: State, message: Message): State {
  const thread = state.threads[message.conversation_id];
  const known = thread?.messages.some((m) => m.id === message.id);
  const threads =
    thread && known
      ? {
          ...state.threads,
          [message.conversation_id]: {
            ...thread,
            messages: thread.messages.map((m) => (m.id === message.id ? { ...m, ...message } : m)),
          },
        }
      : state.threads;
  return putStream({ ...state, threads }, message);
}

/** Keeps a stream as long as its message is being written, at least as long as what has been fetched. */
function putStream(state: State, message: Message): State {
  const stream = state.streams[message.id];
  if (message.status !== 'streaming') {
    if (!stream) return state;
    return { ...state, streams: without(state.streams, message.id) };
  }
  const fetched = newStream(message.content, message.thinking);
  const merged = settle({
    content: stream && stream.content.length > fetched.content.length ? stream.content : fetched.content,
    thinking: stream && stream.thinking.length > fetched.thinking.length ? stream.thinking : fetched.thinking,
    waiting: stream?.waiting ?? [],
  });
  return { ...state, streams: { ...state.streams, [message.id]: merged } };
}

/** Appends a message the user just sent, unless an event was faster. */
export function appendMessage(state: State, message: Message): State {
  const thread = state.threads[message.conversation_id] ?? { messages: [], more: false, newer: false };
  if (thread.newer || thread.messages.some((m) => m.id === message.id)) return state;
  return {
    ...state,
    threads: { ...state.threads, [message.conversation_id]: { ...thread, messages: [...thread.messages, message] } },
  };
}
