// Written by `go run ./backend/api/typescript` from the Go types of the API. Do not edit.

/** CompactionKind says what a compaction makes room in. */
export type CompactionKind =
  | 'core' // entries move from blocks to the archive
  | 'transcript' // messages leave the window; they stay in the transcript

/** Trigger says what began a compaction. */
export type Trigger =
  | 'threshold' // the plan or core memory is over its share
  | 'block' // a block is over its share of its limit
  | 'overflow' // the engine found the prompt too long
  | 'user' // a button
  | 'words' // the user said so in a message
  | 'tool' // the model called compact_memory
  | 'forecast' // proposed ahead of time, and accepted
  | 'replay' // an earlier one was tried in another way

/** Strategy says how it was decided what goes. */
export type Strategy =
  | 'sliding_window' // the newest messages stay
  | 'priority' // so do earlier ones that score high, verbatim and in order
  | 'summary' // what left is summed up
  | 'tool_stubs' // what was left of tools' results goes, which was enough
  | 'auto' // the length of the chat decides
  | 'judge' // a model scored the entries
  | 'score' // signals alone did, without a model

/** CompactionState says what became of a compaction. */
export type CompactionState =
  | 'pending' // ready; takes effect at the next rebase
  | 'done'
  | 'undone'
  | 'failed' // it changed nothing; Problem says why
  | 'tried' // what would happen; nothing did, but it can be adopted

/** Compaction is the record of one compaction: what it decided, from what, and what it brought. What left stays in the transcript or the archive. */
export interface Compaction {
  id: string
  kind: CompactionKind
  agent_id: string
  conversation_id: string // of core: the conversation it was asked for in, "" for none
  trigger: Trigger
  strategy: Strategy
  state: CompactionState
  tokens_before: number // of what it makes room in, as measured where the engine has counted it
  tokens_after: number
  required: number // tokens that had to be freed to reach the target
  before?: Plan
  after?: Plan
  evicted?: string[] // ids of the messages that left the window with it, oldest first
  was?: Selection // what the window held before
  now?: Selection // … and holds with it
  leaf?: string // the message that it was made at: branches without it are not concerned
  rebase_ms?: number // that the engine took to read the new beginning of the prompt while idle
  dry_run?: boolean // nothing is to happen when it is ready
  replays?: string // id of the compaction that this one tries in another way
  rolls?: string // id of the compaction whose summary this one took up
  progress?: Selection // of a pending summary: what is summed up so far
  summed?: number // stages that the model summed up; for the others the user's own words stand in
  lost?: string[] // numbers and names that the summary does not have any more
  target?: number // of a replay: the share that was tried; 0 = the agent's
  keep?: number // … the importance below which entries leave; 0 = the agent's
  block_id?: string // the block that was asked for, "" = all
  entries?: CompactionEntry[]
  values?: BlockValues[] // of the blocks that it changed
  held?: Record<string, number> // tokens that may not go, by EntryProtection; where the target was not reached, this is why
  revisions?: string[] // that it made, and those of its undo and redo
  applied_at?: string // when blocks and archive changed last: done, undone, done again or an entry put back
  model?: string // that judged or summed up, "" = none
  prompt?: string // what it was asked
  output?: string // what it said
  attempts?: number
  duration_ms: number
  problem?: Problem // why it failed; of one that is done, why the model did not decide
  created_at: string
  undone_at?: string
}

/** Plan is the budget of one request. The sum of Used never exceeds Window. */
export interface Plan {
  window: number // tokens
  wanted?: number // tokens of the window that is set, where that did not fit into memory or the engine serves less
  usable: number // Window − reserve − margin
  parts: Part[]
  prompt: number // tokens of the whole prompt, estimated by us (all parts but reserve and margin)
  cached: number // of these, expected in the engine's prefix cache
  measured: number // what the engine counted of the prompt; 0 = nothing of it yet
  exact: boolean // counted with the model's own vocabulary
  num_predict: number
  messages: number // messages inside the window
  first: string // the oldest of them
  evicted: number // messages that this request moved out of the window
  pins: number // tokens of what is pinned: blocks, messages, pages. They never leave to make room
  recalled: number // memories that this request brings
  created_at: string
}

/** Part is one share of the window, in tokens. For reserve and margin Used equals Allowed. */
export interface Part {
  name: PartName
  allowed: number
  used: number
}

/** PartName names a part of the context window. */
export type PartName =
  | 'system'
  | 'tools'
  | 'core'
  | 'summary'
  | 'recalled'
  | 'messages'
  | 'reserve' // kept for the answer
  | 'margin' // safety

/** Selection says which messages of a branch are in the window and what stands for the others. It changes at a rebase only. */
export interface Selection {
  first: string // id of the message from which on all are in the window, "" = from the start
  kept?: string[] // ids of messages before it that are in the window too, oldest first
  summary?: string // of those before it, as the model reads it
  summed?: string // id of the last message that it covers
  left?: number // messages before it that are not in the window
  turns?: number // user messages before it
  saved?: number // tokens that those not in the window took
  held?: boolean // after an undo: nothing leaves before the window is really full
}

/** CompactionEntry is one entry of core memory and how it was judged. The texts of a block's entries, one after the other, are its value. */
export interface CompactionEntry {
  block_id: string
  label: string // of the block
  text: string // with the blanks and line ends behind it
  start: number // characters from the beginning of the block's value
  tokens: number
  kind: string // of content, as the rules see it: "health", "weather" …
  score: number // importance, 0 to 10
  basis: number // the same by signals alone
  judged?: number // what the model said; it moves Basis by a bounded amount
  reason: string // what the model said, in one line; else the kind or the signal that tells most
  signals?: EntrySignal[] // what Basis is made of
  by_model: boolean // else signals alone decided
  protected: EntryProtection // why it may not go, "" = it may
  heading?: string // that it stands under
  origin?: string // the message that it came from
  revision?: string // of the block, that wrote it; "" = unknown
  since?: string // when that was
  action: EntryAction
  passage_id?: string // where it is, once it has left
}

/** EntrySignal is a part of an entry's score. */
export interface EntrySignal {
  name: string // of a kind of content, or "recent", "used", "talk", "remember", "restored", "replaced", "twice", "learned"
  value: number
}

/** EntryProtection says why an entry may not leave core memory, whatever its score. */
export type EntryProtection =
  | 'identity' // it says who the agent or the user is
  | 'pinned' // it, its block or the fact that it states
  | 'read_only'
  | 'shared' // other agents have the block too, and would not find it in this one's archive
  | 'structure' // a heading, or what stands around the value of a block

/** EntryAction says what was done with an entry of a block. */
export type EntryAction =
  | 'stays'
  | 'archived' // it is a new passage
  | 'linked' // the archive had it already
  | 'restored' // it left and was put back

/** BlockValues is what a compaction made of a block. */
export interface BlockValues {
  block_id: string
  before: string
  after: string // with what was put back since
}

/** Problem is an error as the user sees it: stored with a failed message, returned by the API. */
export interface Problem {
  code: Code
  message: string // English
  chinese?: string // the same in Chinese, where it is known; the code has a sentence anyway
  remedy?: Remedy // the next step
  others?: Remedy[] // other ways out
  limit?: number
  actual?: number
}

/** Code classifies an error for callers that must decide what to do next. Codes are part of the API: they are stable, and the page has a text for each. */
export type Code =
  | 'EINVALID' // the input is malformed: empty, wrong type, not text
  | 'ENOTFOUND' // the thing does not exist (any more)
  | 'ECONFLICT' // it changed meanwhile, or its name is taken
  | 'ELIMIT' // a limit would be exceeded; Error.Limit and Error.Actual say by how much
  | 'EREADONLY' // the block, the disk or the folder cannot be written
  | 'EOVERFLOW' // it does not fit into the context window
  | 'EENGINE' // the engine is not running or does not answer
  | 'EMODEL' // the model is missing, refused or broken
  | 'EBUSY' // try again shortly
  | 'EINCOMPLETE' // the engine ended the answer without saying that it was done
  | 'EMALFORMED' // the model's tool call or JSON could not be used
  | 'EUNSUPPORTED' // the model or the platform cannot do it
  | 'EDISKFULL' // the disk is full
  | 'ENEWER' // the data was written by a newer version
  | 'ECORRUPT' // the data is damaged
  | 'EFORBIDDEN' // no valid token, host or origin
  | 'ECANCELLED' // stopped by the user
  | 'EINTERNAL' // a fault of ours

/** Remedy names the next step after an error: the page offers it as a button, the command line as a sentence. The names are part of the API: they are stable. */
export type Remedy =
  | 'retry' // the same again
  | 'retry_no_think' // again without thinking: the model did nothing else
  | 'stop' // stop the turn that runs
  | 'start_engine' // nothing answers
  | 'install_engine' // there is none on this machine
  | 'update_engine' // the model needs a newer Ollama
  | 'check_address' // the engine's address in the settings does not answer
  | 'pull_model' // the model is not there
  | 'choose_model' // this model cannot be used for it
  | 'smaller_model' // the machine has not enough memory for this one
  | 'check_model_name' // no such model in the registry, or not a name
  | 'shorten_message' // the message does not fit into the window
  | 'store_in_archive' // as passages, where a message is too long
  | 'raise_window' // the window is too small for what is always in it
  | 'shorten_core' // core memory takes too much of the window: shorten or compact it
  | 'fewer_tools' // the tools take too much of it: switch some off
  | 'free_space' // the disk is full
  | 'choose_folder' // the data folder cannot be written
  | 'restore' // put a backup back: the database is damaged
  | 'update_app' // the data was written by a newer version
  | 'open_link' // open the link that the app printed: it carries the token
  | 'fill_file' // the document holds no text
  | 'check_file' // the document is broken: open it in its own program, save it again
  | 'unlock_file' // the document is protected by a password
  | 'recognise_text' // the pages of the document are pictures
  | 'other_format' // save it in a format that is read
  | 'split_file' // the document is too large, or unfolds to something too large

/** EntryPlace tells of a passage which entry of core memory it was. */
export interface EntryPlace {
  compaction_id: string
  entry: number // its number in the compaction
  block_id: string
  label: string
  score: number
  reason: string
  revision?: string
  restored?: boolean // it is in core memory again
}

/** CompactionWeights is what undoing and putting back taught an agent's scores, by kind of content. */
export interface CompactionWeights {
  kinds: Record<string, number> // added to the score of each entry of the kind; from -MaxLearned to MaxLearned
  lessons: Lesson[] // the newest first
}

/** Lesson is one thing that the user did and what it changed. */
export interface Lesson {
  kind: string
  change: number
  cause: string // "undo", "redo", "restore" or "user"
  text: string // the beginning of the entry
  at: string
}

/** Frame is what stands around a text in a prompt. */
export type Frame =
  | '' // none of ours: the template of the model has one
  | 'block'
  | 'recalled'
  | 'summary'
  | 'file'
  | 'chat'
  | 'entry'

/** DocumentFormat says how a document is read. */
export type DocumentFormat =
  | 'pdf'
  | 'docx'
  | 'html'
  | 'markdown'
  | 'text'
  | 'csv'
  | 'json'
  | 'code'
  | 'email'

/** Document is a file whose text is in an archive, as passages. */
export interface Document {
  id: string
  archive_id: string
  name: string // of the file
  path?: string // where it was read from on this machine, "" = it was uploaded
  title: string
  author?: string
  format: DocumentFormat
  bytes: number
  hash: string // SHA-256 of the file
  language: string // two letters, "" = not known
  pages: number // or parts, of a format without pages
  paged: boolean // they are pages
  passages: number
  summary: string // the text of its summary passage
  summary_by: Actor // system: its first sentences, by rule; model; user
  written_at?: string // as the document says
  changed_at?: string // as the document or its file says
  deleted_at?: string // deleted with undo
  created_at: string // when it was first read
  updated_at: string // when it was last read
}

/** Actor says who made a change. */
export type Actor =
  | 'user'
  | 'model'
  | 'system' // compaction, reflection, sync
  | 'import'

/** DocumentPlace says where in a document a passage stands. */
export interface DocumentPlace {
  id: string
  title: string
  page: number // 0 = it is the summary
  paged: boolean // the document has pages, rather than parts
  heading?: string // the headings above it
}

/** DocumentState is what a revision of a document records: which reading of the file is in the archive. */
export interface DocumentState {
  name: string
  reading: number
}

/** Fact is one keyed value: something that is true of the user, or of a person, a pet or a thing of theirs, with the time it became true and, once it is over or replaced, until when and by what. Facts about the same single-valued thing form a chain in the order in which they were said, or take effect where that is later: of "from January I work at Bosch". Only one of it is true at a time. */
export interface Fact {
  id: string
  agent_id: string
  subject: string // SubjectUser, else the noun that was said: "sister", "bicycle", 猫
  key: string // "home", "likes", or an attribute as it was said: "interest rate"
  value: string
  many: boolean // others of the same key stand beside it
  valid_from?: string
  valid_to?: string // when it was, or will be, over or replaced; zero = no end is known
  replaced_by?: string // id of the fact that took its place
  ended_at?: string // when it is over, as said or set; ValidTo follows from it or from ReplacedBy
  said_at: string // date of the message; orders the chain
  confirmed_at?: string // when the same was said last
  origin: string // id of the message it came from, "" when written by hand
  start: number // range of characters in that message, [Start, End)
  end: number
  actor: Actor
  confidence: number // 0 to 1
  pinned: boolean // what contradicts it becomes a question
  version: number
  deleted_at?: string // deleted with undo
  created_at: string
  updated_at: string
  origin_conversation?: string // the conversation of Origin; filled on reading
  end_said?: boolean // EndedAt is when it was said to be over: since when is not known; filled on reading
}

/** FactStatement is a fact as a message states it. */
export interface FactStatement {
  subject: string
  key: string
  value: string
  many: boolean
  over?: boolean // it is no longer true
  valid_from?: string
  ended_at?: string // when it was, or will be, over, where that was said
  said_at: string
  origin: string
  start: number
  end: number
  confidence: number
}

/** BlockLine is a line of a block. */
export interface BlockLine {
  block_id: string
  label: string
  line: string
  full?: boolean // it is not pinned, but the block has no room for what would take the line's place
}

/** FactChange is a partial update of a fact by hand: nil fields stay. Ended true says that it is over as of now, or as of EndedAt, false that it is not. */
export interface FactChange {
  subject?: string
  key?: string
  value?: string
  valid_from?: string
  ended?: boolean
  ended_at?: string
  pinned?: boolean
  if_version?: number
}

/** FactAnswer is how the user decides between what is pinned and what they said. */
export type FactAnswer =
  | 'old' // what is pinned stays, what was said is not stored
  | 'new' // what was said takes its place
  | 'both' // both are true
  | 'gone' // nobody's: what was pinned has changed, so that nothing contradicts it any more

/** FactQuestion asks whether something that the user said is to take the place of something pinned. It waits until it is answered. */
export interface FactQuestion {
  id: string
  agent_id: string
  conversation_id: string
  message_id: string // the user message that says it
  fact_id: string // the pinned fact, "" where a block is pinned
  against?: BlockLine // the line that says otherwise
  old: string // what is pinned: the fact's value, or the line
  new: FactStatement // what was said
  answer: FactAnswer // "" = not answered yet
  answered_at?: string
  created_at: string
}

/** Replacement says what took the place of a fact. */
export interface Replacement {
  old: Fact
  new: Fact // the one that is true now; the zero Fact where the old one is over without a successor
}

/** Agent is a persona with its own model settings, blocks, conversations and archive. */
export interface Agent {
  id: string
  name: string
  model: string // chat model; "" = the default of the settings
  window: number // context window in tokens; 0 = chosen from memory and model
  core_share: number // share of the window for core memory; 0 = 0.25
  max_steps: number // model calls a turn; 0 = 8
  temperature: number | null // nil = the model's own
  thinking: boolean | null // nil = off where the model can choose
  language: string // "en", "zh" or "" = the language of the interface
  tools_off: string[] // names of the tools that its model is not given
  room: Room // when and how room is made in its windows
  archive_id: string // where its passages go
  deleted_at?: string // deleted with undo; kept on disk
  created_at: string
  updated_at: string
}

/** Room says when and how room is made in a window; what is zero is as the settings say, or else as it stands here. */
export interface Room {
  compact_at?: number // share of the usable window from which on there is too little; 0.8
  compact_to?: number // share that a prompt may have afterwards; 0.6
  compaction?: Strategy // auto
  window_messages?: number // that a sliding window keeps; 20
  page_turns?: number // that something paged in stays at least; 6
  core_at?: number // share of its budget, or of a block's limit, from which on core memory is compacted; 0.8
  core_to?: number // share that it may have afterwards; 0.6
  core_keep?: number // importance below which entries go first; 4
  core_judge?: string // "off" = signals alone score the entries, no model
}

/** Block is a labelled piece of core memory that is always in the window of the agents it is attached to. */
export interface Block {
  id: string
  label: string // unique among the blocks of an agent
  value: string
  description: string
  limit: number // characters (runes) of Value
  read_only: boolean
  pinned: boolean
  tags: string[]
  version: number // 1 for a new block, one more with each revision; for conflict checks
  created_at: string
  updated_at: string
}

/** BlockChange is a partial update of a block: nil fields stay. IfVersion, where not 0, must equal the block's version, else the change fails with ECONFLICT. */
export interface BlockChange {
  label?: string
  value?: string
  description?: string
  limit?: number
  read_only?: boolean
  pinned?: boolean
  tags?: string[]
  if_version?: number
}

/** Conversation is a tree of messages; Head is the leaf of the visible branch. */
export interface Conversation {
  id: string
  agent_id: string
  title: string
  title_by: Actor // system while the title follows the first message by rule
  head: string // id of the last message of the visible branch, "" when empty
  pinned: boolean
  archived_at?: string
  deleted_at?: string // deleted with undo; kept on disk
  created_at: string
  updated_at: string // time of the last message
}

/** ConversationMatch is where a conversation says what was searched for. */
export interface ConversationMatch {
  conversation_id: string
  message_id: string
  text: string // the sentence, shortened where it is long
}

/** Role says whose message it is. */
export type Role =
  | 'user'
  | 'assistant'
  | 'tool'

/** Status is the state of a message. */
export type Status =
  | 'streaming' // being written now
  | 'complete'
  | 'partial' // the app or the engine died while it was written
  | 'stopped' // stopped by the user
  | 'failed' // Problem says why

/** EndReason says how the engine ended an answer. */
export type EndReason =
  | 'stop'
  | 'length' // num_predict reached, or the window is full: "continue" is offered
  | 'rule' // the app itself answered, by rule; no model was asked

/** ToolCall is one call that the model made. Arguments is canonical JSON (sorted keys, compact) and is never marshalled anew, so that the prompt stays byte-stable. */
export interface ToolCall {
  id: string
  name: string
  arguments: string
  repaired?: boolean // parsed out of text or made by constrained JSON
}

/** Usage is what an answer cost, measured by the engine where it says so. */
export interface Usage {
  prompt_tokens: number // all tokens of the prompt, cached or not
  cached_tokens: number // of these, served from the engine's prefix cache; -1 = unknown
  output_tokens: number
  prompt_ms: number // work on the prompt
  output_ms: number
  load_ms: number // loading the model
  first_token_ms: number // from sending to the first token
  thinking_ms?: number // from the first thought to the first word or call behind it; 0 = it did not think
  estimate_tokens: number // our own count of the prompt before sending
  truncated: boolean // the engine read fewer tokens than we sent
}

/** MessageFile is a file that a user message carries: a text for this message only, or an image for a model that sees. */
export interface MessageFile {
  name: string
  type: string // text/plain, image/png, image/jpeg or image/webp
  bytes: number
}

/** Message is one message of a conversation's tree. Nothing is removed from it once it is complete. */
export interface Message {
  id: string
  conversation_id: string
  agent_id: string
  parent_id: string // "" for a first message
  turn_id: string // id of the user message that began the turn
  role: Role
  speaker?: string // name of who spoke, where it is known from an import; "" = the role
  content: string
  preamble?: string // user only: date, deltas, recalled text, as sent before Content
  thinking?: string
  tool_calls?: ToolCall[]
  tool_call_id?: string // tool only: the call it answers
  tool_name?: string
  status: Status
  end?: EndReason
  problem?: Problem
  model?: string
  usage?: Usage
  tokens: number // tokens of Content as counted for Model; 0 = not counted yet
  siblings: string[] // ids of the alternatives at this place, itself among them; filled on reading a path
  revision_ids: string[] // changes to memory that this message caused; filled on reading a path
  files?: MessageFile[] // user only
  client_id?: string // given by whoever sends a user message: sent again, it is not stored again
  created_at: string
}

/** Archive holds passages. */
export interface Archive {
  id: string
  name: string
  embedder: string // embedding model of its passages; "" = that of the settings
  created_at: string
}

/** Passage is one unit of archival memory. */
export interface Passage {
  id: string
  archive_id: string
  text: string
  tags: string[]
  origin: string // id of the message it came from, "" when written by hand
  version: number
  embedded: boolean // has a vector for the present embedder
  deleted_at?: string // deleted with undo
  created_at: string // the date the memory is about or was made; settable on import
  updated_at: string
  origin_conversation?: string // the conversation of Origin; filled on reading
  document?: DocumentPlace // where it stands in its document; filled on reading
  core?: EntryPlace // which entry of core memory it was; filled on reading
}

/** PassageChange is a partial update of a passage, as BlockChange is of a block. */
export interface PassageChange {
  text?: string
  tags?: string[]
  if_version?: number
}

/** PassagesChange is what is done to many passages at once: they are deleted, or tags are added and removed. */
export interface PassagesChange {
  delete?: boolean
  add_tags?: string[]
  remove_tags?: string[]
}

/** PassageState is what a change of many passages records of each: the part that it may change. */
export interface PassageState {
  id: string
  deleted?: boolean
  tags: string[]
}

/** Cause says who changes memory, why, and from where. */
export interface Cause {
  actor: Actor
  reason?: string
  agent_id?: string
  conversation_id?: string
  message_id?: string // the message it came from
  start?: number // range of characters in that message, [Start, End)
  end?: number
  tool_call_id?: string
}

/** Subject says what a revision is about. */
export type Subject =
  | 'block'
  | 'attachment' // SubjectID is the block, Before/After list its agents
  | 'passage'
  | 'passages' // many at once: SubjectID is the archive, Before/After list a PassageState each
  | 'document' // Before/After are DocumentStates
  | 'order' // SubjectID is the agent, Before/After list its blocks
  | 'fact'
  | 'feedback' // what the user wants with a memory that recall brought

/** Revision is the immutable record of one change. Before and After are the JSON of the whole Block or Passage (or of the list that the subject names); "" before a creation and after a deletion. */
export interface Revision {
  id: string
  subject: Subject
  subject_id: string
  label: string // the block's label, or the beginning of the passage
  before: string
  after: string
  cause: Cause
  undoes?: string // the revision that this one takes back
  undone_by?: string // filled on reading
  created_at: string
}

/** Prefix is the part of a conversation's prompt that stays byte for byte the same until the next rebase. */
export interface Prefix extends Selection {
  conversation_id: string
  generation: number // one more with each rebase
  system: string // the static system message with the core-memory snapshot
  tools: string // JSON of the tool schemas, "" when the model has no tools
  blocks: Block[] // the snapshot; deltas are told against it
  preambles_from: string // preambles of messages before this id are no longer sent
  pages_from?: string // what tools loaded before this id is no longer sent in full
  model: string
  window: number // tokens
  reason: string // why the rebase happened
  created_at: string
}

/** Event is one numbered happening. Durable ones are also rows of the store, written in the transaction they report. */
export interface Event {
  id?: string // of the durable row, sorts by time
  seq: number // number on the bus; 0 until published
  type: string
  at: string
  data: Record<string, unknown> // at most 4 KB as JSON; bodies are fetched
}

/** Layer says where a memory stands. */
export type Layer =
  | 'message' // the transcript
  | 'passage' // the archive
  | 'document' // a passage of a document
  | 'fact'

/** Why says why a candidate was taken or not. */
export type Why =
  | 'taken'
  | 'below_floor' // not enough evidence, or far behind the best
  | 'in_window' // the model sees it anyway
  | 'in_core' // a line of core memory, which the model sees, says the same
  | 'duplicate' // another one that was taken says the same
  | 'cap' // the tokens were spent
  | 'paged' // it was not found but put into the window by the user
  | 'never' // the user does not want it in this conversation

/** ScoreName names a part of a score. */
export type ScoreName =
  | 'words' // keywords, normalised within the candidates
  | 'meaning' // vectors, normalised within the candidates
  | 'session' // what was said around it fits too
  | 'speaker' // the message names who said it
  | 'told' // it says in the usual words what the message asks about the user
  | 'exact' // it has an identifier of the message: a number, a path, a code word
  | 'time' // it is of the time that the message speaks of
  | 'fresh' // it is the newer of two statements about the same thing
  | 'question' // it asks rather than tells
  | 'feedback' // what the user said about it

/** ScorePart is a named part of a score. */
export interface ScorePart {
  name: ScoreName
  value: number
}

/** Successor is what has taken the place of a memory. */
export interface Successor {
  text: string
  date: string
  id?: string // of the message or passage that says it
}

/** Candidate is one memory that recall considered. */
export interface Candidate {
  kind: string // "message", "passage" or "fact"
  layer?: Layer // "" in old receipts, where it is the kind
  id: string
  text: string // what would be injected, at most 1,000 characters
  role?: Role
  by_rule?: boolean // the app itself said it; no model was asked
  origin?: string // message it came from: itself, or the passage's origin
  date: string
  lexical: number // normalised 0–1
  semantic: number // normalised 0–1; 0 without vectors
  lex_rank: number // 1 = best; 0 = not found that way
  sem_rank: number
  session: number // boost from its neighbourhood
  score: number // the sum of Parts
  parts?: ScorePart[] // those that are not 0; none in old receipts
  evidence?: number // which does not depend on the other candidates: 1 = just enough to be injected
  tokens: number
  taken: boolean
  why: Why
  conversation_id?: string // of a message
  document?: DocumentPlace // of a passage of a document
  feedback?: FeedbackUse // what the user said about it
  hop?: number // found by looking up an identifier: 1 = one of the message, 2 = one of what was found so, …
  round?: number // of a deep search: the round whose query found it; 0 = the message itself
  replaced?: Successor // what is true now instead
  begins?: string // of a fact that was to begin later than it was said
  ends?: string // of a fact that is true until then
}

/** FeedbackUse is what the user wants with a memory. */
export type FeedbackUse =
  | '' // none: it takes another one back
  | 'less'
  | 'never'
  | 'always'

/** WordsOnly says why meaning was not searched. */
export type WordsOnly =
  | 'no_embedder' // there is none
  | 'late' // the embedder did not answer in time
  | 'failed' // it failed, or has kept failing, so that it was not asked

/** Receipt records what recall considered for one answer, and which core blocks the answer could see. */
export interface Receipt {
  message_id: string // the user message it was made for
  query: string
  plan: string // PlanRules or PlanModel: by which the candidates were found
  deep?: DeepSearch // plan B, also where it came to nothing; nil = there was no reason for it
  considered: number
  floor: number
  cap: number // tokens
  tokens: number
  vectors: boolean // whether meaning was searched
  words_only?: WordsOnly // why it was not; "" also in old receipts
  candidates: Candidate[]
  blocks: ReceiptBlock[] // core memory in the window
  micros: number // time it took, without embedding the query and without plan B
  embed_ms: number
  created_at: string
}

/** DeepSearch records plan B: the model judges what was found and asks anew. */
export interface DeepSearch {
  reason: DeepReason
  end: DeepEnd
  model: string
  budget_ms: number
  predicted_ms: number // of one round; 0 = unknown
  ms: number // it took
  rounds: DeepRound[]
}

/** DeepReason says why a deep search was to be made. */
export type DeepReason =
  | 'asked' // by the user, for this answer
  | 'always' // by the user, for all
  | 'unsure' // the message asks about the past, and plan A found too little

/** DeepEnd says how a deep search ended. */
export type DeepEnd =
  | 'enough' // the model found that what was found suffices
  | 'rounds' // all rounds were made
  | 'nothing' // the model knew nothing else to search for
  | 'time' // a further round did not fit into the time
  | 'too_slow' // not even one did, so that none was begun
  | 'unknown' // how fast the model is is not known yet, so that none was begun
  | 'cache' // it would have cost what the model has read of the conversation
  | 'nonsense' // the model's answer could not be used
  | 'late' // it took longer than predicted
  | 'failed' // the engine failed
  | 'no_model' // none is there

/** DeepRound is one question to the model, and the search that it asked for. */
export interface DeepRound {
  enough: boolean // what had been found so far suffices
  query: string // what it searched for then; "" = nothing
  found: number // candidates that were new
  ms: number
}

/** ReceiptBlock names a core block that was in the window. */
export interface ReceiptBlock {
  id: string
  label: string
  version: number
  tokens: number
}

/** Feedback is what the user said about a memory that recall brought. */
export interface Feedback {
  id: string
  agent_id: string
  conversation_id?: string // of UseNever; "" for the others
  kind: string
  item_id: string
  use: FeedbackUse
  text: string // the beginning of what it is about
  message_id?: string // the user message whose receipt it was given on
  created_at: string
  origin_conversation?: string // of a message that it is about; filled on reading
}

/** ModelCall is what one call of a model for an answer took: how the window was shared out, what the engine measured. A turn with tools has several, and so has an answer that was continued. */
export interface ModelCall {
  at: string
  kind: CallKind // of all but answers only the model, its window and what was measured is known
  agent_id: string
  conversation_id: string
  turn_id: string // the user message
  message_id: string // the answer
  step: number // 1 for the first call of its turn
  model: string
  window: number // 0 where no plan is known
  usable: number
  system: number
  tools: number
  core: number
  summary: number
  recalled: number
  messages: number
  reserve: number
  margin: number
  estimate: number // of the whole prompt
  evicted: number // messages that left the window with it
  recalls: number // memories that it brought
  prompt_tokens: number
  cached_tokens: number // of these, not read anew; -1 = unknown
  output_tokens: number
  prompt_ms: number
  output_ms: number
  first_token_ms: number
  load_ms: number
  truncated: boolean // the engine read less than was sent
}

/** CallKind says what a model was called for. */
export type CallKind =
  | 'answer'
  | 'retry' // of an answer that could not be used, or a tool call that had to be repaired
  | 'note' // what to remember of a message, for a model without tools
  | 'recall' // whether what was found answers, and what else to search for
  | 'summary' // of what left the window
  | 'judge' // of what may leave core memory
  | 'document' // its summary
  | 'warm' // the next prompt's beginning, read in advance; what it wrote is thrown away

/** ItemKind says what stands in the window. */
export type ItemKind =
  | 'instructions'
  | 'tools' // their schemas
  | 'block'
  | 'summary'
  | 'message'
  | 'tool_result' // in full: of the newest turn, or paged in
  | 'stub' // what is left of a tool's result after its turn
  | 'passage'
  | 'document' // a passage of a document
  | 'fact'
  | 'next' // what stands in front of the next message: the date, changes of memory

/** ItemReason says why something is in the window. */
export type ItemReason =
  | 'core' // core memory always is
  | 'recent' // it is of the newest turns
  | 'kept' // a compaction kept it verbatim
  | 'summed' // it stands for messages that left
  | 'recall' // recall brought it for a message
  | 'loaded' // the model called load_memory
  | 'clicked' // the user put it there
  | 'pinned' // the user wants it there for good
  | 'new_turn' // a tool's result of the newest turn
  | 'fixed' // each request begins with it
  | 'next' // it comes with the next message

/** WindowItem is one thing that stands in the window. */
export interface WindowItem {
  kind: ItemKind
  part: PartName // of the plan, whose tokens are those of its items
  id: string // of the block, message, passage or fact; "" for all else
  text: string // its beginning
  role?: Role
  label?: string // of a block; name of a tool; title of a document
  tokens: number
  reason: ItemReason
  by?: string // the message that brought it: the one it was recalled for, or whose turn loaded it
  pinned?: boolean // it never leaves
  turns?: number // of a paged-in item: turns until it expires
  expired?: boolean // it goes at the next rebase
  stale?: boolean // of a block: the prompt begins with an older text, and the change is told behind it, until the next rebase
  date?: string
}

/** Marker tells what is not in the window, and how the model is told to find it. */
export interface Marker {
  messages: number // that left; all are in the transcript
  tokens: number // that they took
  tool: string // the tool that finds them, "" where the model has none
  text: string // as the model reads it
}

/** Forecast tells how long the window lasts at the present pace. No model is asked for it. */
export interface Forecast {
  tokens_per_turn: number // over the last turns; 0 = there are none yet
  turns: number // until room has to be made; -1 = cannot be told
  limit: number // tokens of a prompt at which that is
  strategy: Strategy // that would then be used
  leaves: string[] // ids of the messages that it would take out now, oldest first
  frees: number // tokens that that would free
}

/** ContextWindow is what a conversation's window holds, and what will become of it. */
export interface ContextWindow {
  plan: Plan // of the next request, without a message
  items: WindowItem[]
  marker: Marker | null // null = nothing has left
  summary: string
  forecast: Forecast
  pending: string // id of a compaction that takes effect at the next rebase, "" = none
}

/** PageIn is something that the user put into a conversation's window by hand. */
export interface PageIn {
  conversation_id: string
  kind: ItemKind // message, passage, document or fact
  id: string
  pinned: boolean // it stays until it is taken out
  turn?: string // the user message after which its turns count, "" = before the first
  out?: boolean // the user took it out: recall's copy of it goes at the next rebase too
  created_at: string
}

/** CoreCompact asks for room in core memory. */
export interface CoreCompact {
  block_id?: string // "" = all blocks
  conversation_id?: string // that it is asked for in
  dry_run?: boolean // only tell what would leave by signals alone; nothing is stored
  trigger?: Trigger // user (default) or forecast
}

/** CoreWeights is what undoing and putting back taught an agent's scores. */
export interface CoreWeights extends CompactionWeights {
  max: number // a weight is from -Max to Max
  names: string[] // of all kinds of content
}

/** CoreWeight gives a kind of content another weight. */
export interface CoreWeight {
  kind: string
  value: number
}

/** EventData names every type of event on the bus and the form of its data. The page's types are generated from it. */
export interface EventData {
  'block.changed': BlockChanged
  'attachment.changed': AttachmentChanged
  'order.changed': OrderChanged
  'passage.changed': PassageChanged
  'passages.changed': ManyPassagesChanged
  'feedback.changed': FeedbackChanged
  'fact.changed': FactChanged
  'fact.question': FactAsked
  'document.changed': DocumentChanged
  'agent.changed': AgentChanged
  'archive.changed': ArchiveChanged
  'conversation.changed': ConversationChanged
  'window.evicted': WindowEvicted
  'window.rebased': WindowRebased
  'window.paged': WindowPaged
  'compaction.pending': CompactionChanged
  'compaction.done': CompactionChanged
  'compaction.undone': CompactionChanged
  'compaction.failed': CompactionChanged
  'compaction.tried': CompactionChanged
  'weights.changed': WeightsChanged
  'recall.done': RecallDone
  'turn.failed': TurnFailed
  'settings.changed': SettingsChanged
  'job.ended': JobEnded
  'job.failed': JobEnded
  'embed.done': EmbedDone
  'backup.done': BackupDone
  'engine.failed': EngineFailed
  'message.created': MessageCreated
  'message.delta': MessageDelta
  'message.updated': MessageUpdated
  'turn.progress': TurnProgress
  'turn.done': TurnDone
  'usage.noted': UsageNoted
  'engine.state': EngineStatus
  'model.progress': ModelProgress
  'embed.progress': EmbedProgress
  'embed.trouble': EmbedTrouble
  'selftest.progress': SelftestProgress
  notice: Notice
  reset: Reset
}

/** BlockChanged tells of a block that was created, changed or deleted. */
export interface BlockChanged extends MemoryChange {
  block_id: string
  agent_ids: string[]
}

/** MemoryChange is what the events of changes to memory have in common. */
export interface MemoryChange {
  label: string // of the block, the beginning of the passage, the name of the agent
  revision_id: string
  actor: Actor
  message_id?: string // the message that caused it
  undoes?: string // the revision that it takes back
  created?: boolean
  deleted?: boolean
}

/** AttachmentChanged tells of a block that was attached or detached. */
export interface AttachmentChanged extends MemoryChange {
  block_id: string
  agent_ids: string[] // after the change
}

/** OrderChanged tells that the blocks of an agent stand in another order. */
export interface OrderChanged extends MemoryChange {
  agent_id: string
}

/** PassageChanged tells of a passage that was created, changed or deleted. */
export interface PassageChanged extends MemoryChange {
  passage_id: string
  archive_id: string
}

/** ManyPassagesChanged tells of passages that were changed together. */
export interface ManyPassagesChanged extends MemoryChange {
  archive_id: string
  count: number
}

/** FeedbackChanged tells that the user wants something else with a memory that recall brought. */
export interface FeedbackChanged extends MemoryChange {
  agent_id: string
  kind: string
  item_id: string
  use: FeedbackUse // "" = taken back
}

/** FactChanged tells of a fact that was created, changed or deleted. Without a fact, others are to be seen now: a branch was chosen, or a conversation deleted or brought back. Such an event is transient. */
export interface FactChanged extends MemoryChange {
  fact_id?: string
  agent_id: string
  conversation_id?: string // whose branch it is; without a fact only
}

/** FactAsked tells of a question about a fact that came up, or was answered. */
export interface FactAsked {
  question_id: string
  agent_id: string
  conversation_id: string
  message_id: string // the user message under which it is asked
  actor: Actor
  answer: FactAnswer // "" = it is open
}

/** DocumentChanged tells of a document that was read, read anew or deleted. */
export interface DocumentChanged extends MemoryChange {
  document_id: string
  archive_id: string
  added: number // passages that came
  removed: number // passages that went
}

/** AgentChanged tells of an agent that was created, changed or deleted. */
export interface AgentChanged {
  agent_id: string
  actor?: Actor
  created?: boolean
  deleted?: boolean
  label?: string // name of one that was deleted; "" in old events
  restored?: boolean // it was brought back
}

/** ArchiveChanged tells that an archive has another embedder. */
export interface ArchiveChanged {
  archive_id: string
  agent_id: string // whose archive it is
  embedder: string // "" = the app's
}

/** ConversationChanged tells of a conversation that was created or changed. */
export interface ConversationChanged {
  conversation_id: string
  agent_id: string
  deleted?: boolean
}

/** WindowEvicted tells that messages left the window; they stay in the transcript. */
export interface WindowEvicted {
  conversation_id: string
  count: number
  tokens: number
  first: string // id of the oldest message that is still in
}

/** WindowRebased tells that the static prefix of the prompt was written anew. */
export interface WindowRebased {
  conversation_id: string
  generation: number
  reason: string
  tokens: number
}

/** WindowPaged tells of something that the user put into a conversation's window, or took out of it. */
export interface WindowPaged {
  conversation_id: string
  kind: ItemKind
  id: string
  pinned: boolean
  out: boolean
}

/** CompactionChanged tells of a compaction that is in another state now: the last part of the event's type. */
export interface CompactionChanged {
  compaction_id: string
  kind: CompactionKind
  agent_id: string
  conversation_id: string // of core: the conversation it was asked for in, "" for none
  trigger: Trigger
  strategy: Strategy
  saved: number // tokens
  evicted: number // messages that left the window
}

/** WeightsChanged tells that an agent's scores learned something, or forgot it. */
export interface WeightsChanged {
  agent_id: string
}

/** RecallDone tells that recall has searched for a message. */
export interface RecallDone {
  message_id: string
  conversation_id: string
  taken: number
  considered: number
  tokens: number
}

/** TurnFailed tells why a turn ended without an answer. */
export interface TurnFailed {
  conversation_id: string
  message_id: string
  problem: Problem
}

/** SettingsChanged names the setting that changed. */
export interface SettingsChanged {
  key: string
}

/** JobEnded tells how a long piece of work ended: a pull, an import, the starter models. */
export interface JobEnded {
  job: string // its id
  kind: JobKind
  model: string
  state: JobState
  problem?: Problem
}

/** Kind says what a job does. */
export type JobKind =
  | 'pull' // fetch a model from a registry
  | 'import' // take in a model file
  | 'starter' // install the starter models
  | 'move' // move the data folder
  | 'document' // read a document into an archive

/** State is the state of a job. */
export type JobState =
  | 'running'
  | 'done'
  | 'failed' // Problem says why
  | 'cancelled' // stopped by the user

/** EmbedDone tells that many memories got a vector. */
export interface EmbedDone {
  model: string
  count: number
}

/** BackupDone tells of a backup, which was verified. */
export interface BackupDone {
  path: string
  bytes: number
  actor: Actor
}

/** EngineFailed tells that the engine could not be used. */
export interface EngineFailed {
  problem: Problem
}

/** MessageCreated tells of a new message; its text is fetched or follows as deltas. */
export interface MessageCreated {
  id: string
  conversation_id: string
  role: Role
  parent_id: string
}

/** MessageDelta is the next piece of a message that is being written. */
export interface MessageDelta {
  id: string
  conversation_id: string
  kind: DeltaKind
  offset: number // Unicode code points of this text before the piece
  text: string
}

/** DeltaKind says which text of a message grows. */
export type DeltaKind =
  | 'content'
  | 'thinking'

/** MessageUpdated tells that a message reached another state; fetch it. */
export interface MessageUpdated {
  id: string
  conversation_id: string
  status: Status
}

/** TurnProgress tells where a turn is. */
export interface TurnProgress {
  conversation_id: string
  message_id: string // the answer being written, "" before it exists
  phase: Phase
  read: number // tokens of the prompt read so far
  total: number // tokens of the prompt
  eta_ms: number // until the prompt is read, 0 = unknown
  elapsed_ms: number
  detail: string
  queued: string[] // messages of the user that wait behind this turn
}

/** Phase is a step of a turn. */
export type Phase =
  | 'queued' // another request comes first
  | 'loading' // the model is being loaded
  | 'recalling' // memories are searched
  | 'searching' // a model helps with that: Read is the round, Total how many there may be
  | 'reading' // the model reads the prompt
  | 'writing'
  | 'tool' // a tool runs; Detail is its name
  | 'retrying' // the engine failed and is asked again

/** TurnDone tells that a turn has ended. */
export interface TurnDone {
  conversation_id: string
  message_id: string
  status: Status
}

/** UsageNoted tells that a model was called for something that is no answer. */
export interface UsageNoted {
  agent_id: string
  conversation_id: string // "" = none
  kind: CallKind
}

/** Status is the state of the engine as people see it. */
export interface EngineStatus {
  state: EngineState
  kind?: EngineKind
  address?: string // base URL
  version?: string
  loopback: boolean // false: prompts leave this machine, which the page warns about
  message?: string
  chinese?: string // the message in Chinese, where it is known
  remedy?: Remedy // the next step: install_engine, start_engine or check_address
  models: number
  slots?: number // prompt caches for one model on our own engine; 0 = unknown
  since: string
  unanswered?: string
}

/** State is what the engine is doing now. */
export type EngineState =
  | 'searching' // looking for a running or installed engine
  | 'starting' // our own child is starting
  | 'ready' // it answers
  | 'missing' // none runs and none is installed
  | 'failed' // it ran and stopped, or does not start; tried again with back-off
  | 'stopped' // Run has ended

/** Kind says whose engine it is. */
export type EngineKind =
  | 'external' // was running already; not ours to stop
  | 'found' // installed on this machine, started by us
  | 'bundled' // came with the app, started by us

/** ModelProgress tells how far a job is. */
export interface ModelProgress {
  job: string // its id
  kind: JobKind
  model: string
  archive_id?: string
  state: JobState
  status: string
  completed: number
  total: number
  bytes_per_s: number
  eta_s: number
  result?: string
  revision?: string
  problem?: Problem
}

/** EmbedProgress tells how many memories still wait for a vector. */
export interface EmbedProgress {
  pending: number
  total: number
  model: string
}

/** EmbedTrouble tells that an embedding model has begun to make no vectors, and why, or makes them again. */
export interface EmbedTrouble {
  model: string
  problem?: Problem
}

/** SelftestProgress tells which task a model is tried on now. */
export interface SelftestProgress {
  model: string
  task: string // "" when all are done
  limit_s: number // seconds after which the task is given up
  done: number
  total: number
  results: SelftestResult[] // of the tasks that are done
}

/** Result is how one task went. Detail is in the language of Deps; what the model wrote is as it wrote it. */
export interface SelftestResult {
  task: string // answer, chinese, remember, note, recall, summary, judge, json, embedding
  outcome: SelftestOutcome
  detail: string
  ms: number
}

/** Outcome says how a model did a task. */
export type SelftestOutcome =
  | 'works'
  | 'repaired' // the model needed help: a retry, or its call was read out of its text
  | 'falls_back' // the model cannot; a rule of the app does it, or does without
  | 'failed' // not even that: Detail says why

/** Notice is something to tell the user that belongs to no answer. */
export interface Notice {
  level: NoticeLevel
  code: string
  text: string // English; the page translates by Code
}

/** NoticeLevel says how much a notice matters. */
export type NoticeLevel =
  | 'info'
  | 'warn'
  | 'error'

/** Reset takes the place of events that are no longer there: fetch a snapshot. */
export type Reset = Record<string, never>

/** Compactions is a page of compactions, the newest first. */
export interface Compactions {
  compactions: Compaction[]
  next: string // cursor for more, "" at the end
}

/** PageChange puts something into a conversation's window, or takes it out. */
export interface PageChange {
  kind: ItemKind // message, passage, document or fact
  id: string
  pinned?: boolean // it stays until it is taken out
  out?: boolean // it goes at the next rebase, and is not recalled in this conversation
}

/** ProblemDetails is the body of every error, as application/problem+json (RFC 9457). Code is stable; Remedy is the key of the next step that the page offers as a button. */
export interface ProblemDetails extends Problem {
  type: string // "about:blank"
  title: string // text of the HTTP status
  status: number // HTTP status
}

/** Health answers whether the app lives and which process it is. */
export interface Health {
  ok: boolean
  version: string
  pid: number
}

/** SessionCreate exchanges the token of the printed link for a cookie. */
export interface SessionCreate {
  token: string
}

/** Snapshot is all that the page needs to show itself, and the number of the event it continues from. */
export interface Snapshot {
  epoch: string // numbers of another epoch cannot be compared
  seq: number // read events after this one
  version: string
  reset: boolean // events since the asked number are gone: fetch what is shown anew
  events: Event[] // those since the asked number, unless Reset
  damage?: Problem // what a check of the database has found
  engine: EngineStatus
  settings: Settings
  agents: Agent[]
  sample: string // id of the agent that holds the sample life, "" = it is not loaded
  conversations: Conversation[] // the newest
  next: string // cursor for more conversations
  platform: Platform
  running: TurnProgress[] // turns that run now
  jobs: Job[]
}

/** Settings are the known settings; one that is absent has its default. The page may keep what it likes under "ui". */
export interface Settings {
  language?: string // "en", "zh"; default: the system's
  theme?: string // "light", "dark"; default: the system's
  model?: string // chat model of agents that name none
  embedder?: string // embedding model
  window?: number // context window in tokens; default: by memory and model
  core_share?: number // share of the window for core memory; default 0.25
  engine_host?: string // address of the engine; default: look for one
  threads?: number // of a chat model; default: the cores of this machine
  daily_backups?: number // how many are kept, 0 = none are made; default 7
  vector_cache_mb?: number // memory for vectors, 0 = none
  send_key?: string // "enter" or "mod_enter"
  notes?: string // "auto" (default): models without tools note what they are told; "off"
  facts?: string // "on" (default): facts are read by rule in what the user says; "off"
  summaries?: string // whether a model summarises documents: "auto" (default): where that costs the chat and the machine little; "always", "off"
  deep_recall?: string // whether a model helps to recall: "auto" (default): where rules find too little; "always", "never"
  deep_seconds?: number // that it may take; default 3
  compact_at?: number // share of the usable window from which on room is made in it; default 0.8
  compact_to?: number // share that a prompt may have afterwards; default 0.6
  compaction?: Strategy // how: "auto" (default), "sliding_window", "priority" or "summary"
  window_messages?: number // that a sliding window keeps; default 20
  page_turns?: number // turns that what was paged in stays; default 6
  text_size?: number // size of the page's text in percent, 80 to 200; default 100
  notifications?: boolean // tell when long work ended while the window is not in front; default true
  ui?: Record<string, unknown> // kept for the page
}

/** Platform says where the app runs. */
export interface Platform {
  os: string // "linux", "darwin" or "windows"
  desktop: boolean // in the app's own window: events come from it, links open outside
  home: string // data folder
}

/** Job is one piece of long work. */
export interface Job {
  id: string
  kind: JobKind
  model: string // or the name of the document
  archive_id?: string // that the document is read into
  state: JobState
  status: string // what it is doing, in the words of the engine
  result?: string // id of the document that was read
  revision?: string // id of the revision that it made
  completed: number // bytes; never goes back
  total: number // bytes, 0 = not known yet
  bytes_per_s: number
  eta_s: number // 0 = not known
  problem?: Problem
  created_at: string
  ended_at?: string
}

/** Agents is a list of agents. */
export interface Agents {
  agents: Agent[]
  sample: string // id of the one that holds the sample life, "" = it is not loaded
}

/** AgentCreate makes an agent with the blocks persona and human. Absent fields have the defaults of memory.Agent. */
export interface AgentCreate {
  name?: string // default "Recollect"
  model?: string
  window?: number
  core_share?: number
  max_steps?: number
  temperature?: number
  thinking?: boolean
  language?: string
  tools_off?: string[]
  room?: Room
  persona?: string // text of the block persona; default: the plain assistant's
  human?: string // block human of another agent, for both; default: an empty one of its own
  embedder?: string // embedding model of its archive; default: that of the settings
}

/** Personas are templates for the block persona, the plain assistant first. */
export interface Personas {
  personas: Persona[]
}

/** Persona is a template for the block persona of an agent. */
export interface Persona {
  id: string
  name: string
  about: string // one line for people
  text: string // the value of the block
}

/** AgentClone makes another agent with the same settings and an archive of its own. With Shared it has the very blocks of the agent, else copies of them. */
export interface AgentClone {
  name: string
  shared?: boolean
}

/** SampleLoad asks for the sample life in a language. */
export interface SampleLoad {
  language: string // "en" or "zh"
}

/** SampleState is the sample life that is loaded. */
export interface SampleState {
  sample: Sample | null // null = it is not
}

/** Sample says which agent is the sample that the user has loaded, and what they have added to it. */
export interface Sample {
  agent_id: string
  language: string
  loaded_at: string
  added: SampleAdded // by the user since: it goes with the sample
}

/** SampleAdded counts what has come to an agent since a moment. */
export interface SampleAdded {
  messages: number // of the user
  blocks: number
  passages: number
  edits: number // changes to blocks and passages that were there
}

/** Tools is a list of the tools that a model can be given. */
export interface Tools {
  tools: Tool[]
}

/** Tool is something that a model can do in its turn. */
export interface Tool {
  name: string
  description: string // as the model reads it
}

/** AgentChange is a partial update of an agent: absent fields stay. Default names fields to set back to their default. */
export interface AgentChange {
  name?: string
  model?: string
  window?: number
  core_share?: number
  max_steps?: number
  temperature?: number
  thinking?: boolean
  language?: string
  tools_off?: string[] // replaces the list; [] turns all tools on
  room?: Room // replaces all of it
  deleted?: boolean // false takes a deletion back, and goes alone
  default?: string[] // of "temperature", "thinking"
}

/** Core is an agent's core memory and how full it is. Budget is the one denominator of gauge, warning and compaction. */
export interface Core {
  blocks: CoreBlock[] // in the order they are shown
  tokens: number // of all blocks as they stand in the prompt
  budget: number // tokens that core memory may take
  window: number // tokens
  share: number // Budget as a share of Window
  warn: number // share of Budget from which the gauge warns
  exact: boolean // counted with the model's own vocabulary
}

/** CoreBlock is a block with its size. */
export interface CoreBlock extends Block {
  tokens: number // as it stands in the prompt
  chars: number // characters of the value, to compare with Limit
  agents: string[] // ids of the agents that it is attached to
}

/** CoreDraft is a block as it would be with another value. */
export interface CoreDraft {
  block_id: string
  value: string
}

/** CoreCount is how large a block, and core memory with it, would be. */
export interface CoreCount {
  tokens: number // of the block as it stands in the prompt
  total: number // of all blocks of the agent
  budget: number // tokens that core memory may take
  exact: boolean // counted with the model's own vocabulary
}

/** Blocks is a list of blocks. Their tokens are counted for the agent that was asked for, else for the first. */
export interface Blocks {
  blocks: CoreBlock[]
  exact: boolean // counted with the model's own vocabulary
}

/** BlockOrder lists all blocks of an agent in the order in which they are shown and stand in the prompt. */
export interface BlockOrder {
  block_ids: string[]
}

/** DeletedBlocks are blocks that can be brought back by an undo of the revision that each names, the last deleted first. */
export interface DeletedBlocks {
  blocks: DeletedBlock[]
}

/** DeletedBlock is a block that was deleted. */
export interface DeletedBlock extends Block {
  deleted_at: string
  revision_id: string // its undo brings the block back
}

/** BlockCreate makes a block and attaches it. */
export interface BlockCreate {
  label: string
  value?: string
  description?: string
  limit?: number // characters; 0 = memory.DefaultBlockLimit
  read_only?: boolean
  pinned?: boolean
  tags?: string[]
}

/** Changed is a block after a change, with the revision that records it. */
export interface Changed {
  block: Block
  revision: Revision
}

/** Revised holds the revision that records a change. */
export interface Revised {
  revision: Revision
}

/** Revisions is a page of revisions, newest first. */
export interface Revisions {
  revisions: Revision[]
  next: string // cursor of the next page, "" = this is the last
}

/** Conversations is a page of conversations, the last used first, pinned ones before the others. Matches are where those that were searched for say it, but for those whose title alone does. */
export interface Conversations {
  conversations: Conversation[]
  matches: ConversationMatch[]
  next: string
}

/** ConversationCreate begins a conversation. Without a title it gets one from its first message. */
export interface ConversationCreate {
  agent_id: string
  title?: string
}

/** ConversationChange is a partial update of a conversation: absent fields stay. */
export interface ConversationChange {
  title?: string
  pinned?: boolean
  archived?: boolean
  deleted?: boolean // false takes a deletion back
}

/** Messages is a stretch of the visible branch, oldest first. */
export interface Messages {
  messages: Message[]
  more: boolean // there are older ones
  newer: boolean // there are newer ones
  around: string // the message that the stretch was asked for around, "" = none
}

/** Found is where words stand in a conversation. */
export interface Found {
  message_ids: string[] // oldest first
}

/** MessageCreate is a message of the user. ClientID makes sending it again after a lost answer harmless. */
export interface MessageCreate {
  content: string
  client_id?: string
  files?: FileCreate[]
}

/** FileCreate is a file for one message: a text in UTF-8, or an image in PNG, JPEG or WebP. */
export interface FileCreate {
  name: string
  content: string // base64
}

/** MessageEdit is the new text of a user message; it begins a branch. */
export interface MessageEdit {
  content: string
}

/** Regenerate says how a message is answered again. */
export interface Regenerate {
  deep?: boolean // a model helps to recall for it
}

/** RecallTry asks what recall would bring for a text. */
export interface RecallTry {
  text: string
  conversation_id?: string // "" = a new one
  deep?: boolean // a model helps
}

/** FeedbackSet says what the user wants with a memory. */
export interface FeedbackSet {
  kind: string
  item_id: string
  use: FeedbackUse // "" takes the wish back
  conversation_id?: string // of never
  message_id?: string // whose receipt it was given on
}

/** FeedbackResult is the wish as it is stored. Where nothing was changed, the revision is empty. */
export interface FeedbackResult {
  feedback: Feedback
  revision: Revision
}

/** FeedbackList are the wishes about the memories of an agent, the newest first. */
export interface FeedbackList {
  feedback: Feedback[]
}

/** Facts is a page of what is known: by subject, the user first, and key; of each what is true now first. */
export interface Facts {
  facts: Fact[]
  groups: FactGroup[] // of all facts of the agent
  next: string
}

/** FactGroup counts what is known of a subject under a key. */
export interface FactGroup {
  subject: string
  key: string
  count: number
  current: number // of these, how many are true now, or are to come
}

/** FactKeys are the keys that the rules know. */
export interface FactKeys {
  keys: FactKey[]
}

/** FactKey is a key of facts. */
export interface FactKey {
  key: string
  many: boolean // it holds several values at once
}

/** FactCreate is a fact written by hand. */
export interface FactCreate {
  subject?: string // default "user"
  key: string
  value: string
  many?: boolean // true beside what is known under the key, where that holds one value
  valid_from?: string // default: now, where it has no end
  ended_at?: string // it is over since then: it replaces nothing
  pinned?: boolean
}

/** FactResult is a fact as it is stored. Where nothing was changed, the revision is empty. */
export interface FactResult {
  fact: Fact
  revision: Revision
}

/** FactDetail is a fact, and everything that is known of the same thing: what is true now, then what was true last. */
export interface FactDetail {
  fact: Fact
  history: Fact[]
}

/** Questions are what the user is asked about facts, the newest first. */
export interface Questions {
  questions: FactQuestion[]
}

/** QuestionAnswer is the user's answer. */
export interface QuestionAnswer {
  answer: FactAnswer
}

/** QuestionResult is the answered question, and the changes to memory that the answer made. */
export interface QuestionResult {
  question: FactQuestion
  revisions: Revision[]
}

/** MessageResult is the message that a request made. */
export interface MessageResult {
  message: Message
}

/** Stopped says whether there was a turn to stop. */
export interface Stopped {
  stopped: boolean
}

/** TokenMeasure is a text to measure in tokens. */
export interface TokenMeasure {
  text: string
  model: string // whose tokens are counted beside those that many people know; "" = of none
}

/** TokensMeasured is a text measured in several ways. */
export interface TokensMeasured extends TokenRuler {
  model: string
}

/** Ruler measures one text in several ways, side by side. */
export interface TokenRuler {
  characters: number
  words: number // of languages that part words by blanks
  chinese: number // Chinese characters
  lines: number // that are not empty
  code: boolean // it looks like source code
  counts: TokenCount[] // of the model first, where one was named
  rule: TokenRule
}

/** Count is how many tokens a text has, and which. */
export interface TokenCount {
  name: TokenCountName
  tokens: number
  exact: boolean // else it is an estimate: of a very long text, or for a model whose tokens are not known
  pieces: TokenPiece[] // the tokens from the beginning on; none for a model whose tokens are not known
  cut: boolean // there are more tokens than Pieces has
}

/** CountName says whose tokens are counted. */
export type TokenCountName =
  | 'model'
  | 'cl100k' // of GPT-3.5 and GPT-4
  | 'o200k' // of GPT-4o and later

/** Piece is a stretch of text that is one token, or several where they part a character, or none where the model skips it. */
export interface TokenPiece {
  text: string
  tokens: number
}

/** Rule is the rule of thumb: 1.5 to 2 tokens for a Chinese character, 1.3 for an English word, 5 to 10 for a line of code. */
export interface TokenRule {
  low: number
  high: number
}

/** ForgetRun says how the forgetting experiment is made. */
export interface ForgetRun {
  turns: number // how many there are; 0 = 100
  model: string // that is asked; "" = none: only what it would be sent is looked at
}

/** CompareRun says how strategies are compared. */
export interface CompareRun {
  model: string // that sums up; "" = none
  embedder: string // that recall finds with, as the app does; "" = none: it finds by words
  chat: ExperimentChat | null // null = the built-in one
}

/** Chat is a talk with questions about it. */
export interface ExperimentChat {
  messages: ExperimentChatMessage[] // user and assistant in turn
  questions: ExperimentChatQuestion[] // about what was said, in other words
}

/** ChatMessage is one message of a talk. */
export interface ExperimentChatMessage {
  role: Role
  content: string
}

/** ChatQuestion asks for something that was said. */
export interface ExperimentChatQuestion {
  ask: string
  answer: string // a word or a phrase of what was said, which the question does not contain
}

/** ModelCalls is a page of model calls, the newest first. */
export interface ModelCalls {
  calls: ModelCall[]
  next: string
}

/** Draft is text in the composer. */
export interface Draft {
  draft: string
}

/** Passages is a page of passages, newest first; or the passages that a text was stored as, in its order. */
export interface Passages {
  passages: Passage[]
  next: string
}

/** Archives are all archives, the oldest first. */
export interface Archives {
  archives: ArchiveState[]
}

/** ArchiveState is an archive with whose it is and how far it can be searched by meaning. */
export interface ArchiveState extends Archive {
  agents: string[] // ids of the agents whose archive it is
  index: ArchiveIndex
}

/** ArchiveIndex says how far an archive can be searched by meaning. */
export interface ArchiveIndex {
  model: string // that embeds it: its own, else that of the settings; "" = none
  serving: string // whose vectors are searched: another one as long as Model has not embedded everything
  total: number // texts, or pieces of long ones
  pending: number // of these, those that have no vector by Model yet
  problem?: Problem // why Model makes none
}

/** ArchiveChange is a partial update of an archive: absent fields stay. */
export interface ArchiveChange {
  embedder?: string // an embedding model; "" = that of the settings
}

/** PassageCreate stores a text in an agent's archive; a long one becomes several passages. */
export interface PassageCreate {
  agent_id: string
  text: string
  tags?: string[]
  origin?: string // id of the message it is taken from
  created_at?: string
}

/** PassageIDs are all passages of a list, in its order, without their texts. */
export interface PassageIDs {
  ids: string[]
}

/** BulkChange does the same to many passages of an agent's archive, with one undo for all. */
export interface BulkChange extends PassagesChange {
  agent_id: string
  ids: string[]
  act?: string // the revision of the change that this one goes on with: one undo takes back both
}

/** PassagesChanged tells how many passages were changed. Where there were none, the revision is empty. */
export interface PassagesChanged {
  revision: Revision
  count: number
}

/** Tags are the tags of an archive's passages, the most used first. */
export interface Tags {
  tags: Tag[]
}

/** Tag says how many passages have a tag. */
export interface Tag {
  tag: string
  count: number
}

/** Hits is a page of search results, best first. */
export interface Hits {
  hits: Candidate[]
  next: string
}

/** Models are the installed models and some that could be fetched. */
export interface Models {
  models: EngineModel[]
  memory_bytes: number // of this machine, 0 = unknown
  cores: number // of this machine, as far as a model's threads may use them
  suggestions: Suggestion[]
  embedders: EmbedderOffer[]
}

/** Model is one installed model. */
export interface EngineModel {
  name: string
  digest: string
  family: string
  parameters: string // e.g. "8.0B"
  quantization: string
  bytes: number // on disk
  capabilities: string[]
  context: number // trained context in tokens
  embedding: boolean
  chat: boolean
  tools: boolean
  thinking: boolean
  vision: boolean
  dimension: number // of its vectors (embedding models) or its hidden state
  need_bytes: number // estimated memory at the default window
  base_bytes: number // of these, without the window
  kv_bytes_per_token: number // memory for each token of the window
  fits: string // "yes", "tight" or "no"; "" for an engine on another machine
  remote: boolean // runs in a cloud: never used
  loaded: boolean
  starter: boolean // one of the small models that come with the app
  append_only: boolean // its prompt cache survives only what is added at the end: to answer again or edit reads all anew
}

/** Suggestion is a model worth fetching. */
export interface Suggestion {
  name: string
  bytes: number // to download
  need_bytes: number // memory, estimated at the default window
  fits: string // "yes", "tight", "no", "" = unknown
  languages: string[] // what it writes well: "en", "zh"
  embedding: boolean
  note_key: string // key of a text in the page
  license: string
  installed: boolean
}

/** EmbedderOffer is an embedding model to choose, and how well it finds memories here. */
export interface EmbedderOffer {
  name: string
  bytes: number // to download
  languages: string[] // in which it searches
  english: number | null // share of the right memories among the ten first, LoCoMo; null = not measured
  chinese: number | null // the same of MADial-Bench
  library: boolean // can be fetched from the public library; the other comes with the app
  installed: boolean
}

/** WindowCost is the memory that a context window takes with a model, estimated. */
export interface WindowCost {
  bytes: number // of the window alone, in all its caches
  need_bytes: number // with the model
  token_bytes: number // for each token in each cache; 0 = unknown
  caches: number // prompt caches that the engine keeps, each as large as the window
  fits: string // "yes", "tight", "no", "" = unknown
  trained: number // tokens that the model was trained for, 0 = unknown
  largest: number // the largest window that fits well, 0 = unknown or none
}

/** ModelPull names the model to fetch. */
export interface ModelPull {
  name: string
  use?: boolean // once it is there it becomes the chat model of the settings, or the embedder if it is one
}

/** ModelImport takes in a model file (GGUF) of this machine. A file can also be sent as multipart/form-data with the fields "name", "use" ("true") and then "file". */
export interface ModelImport {
  path: string
  name: string
  use?: boolean // as of ModelPull
}

/** JobResult is the job that a request started. */
export interface JobResult {
  job: Job
}

/** Jobs is a list of jobs, newest first. */
export interface Jobs {
  jobs: Job[]
}

/** Documents is a page of the documents of an archive, newest first. */
export interface Documents {
  documents: Document[]
  next: string
}

/** DocumentsAdd names files on this machine that are to be read into the archive of an agent. */
export interface DocumentsAdd {
  agent_id: string
  paths: string[] // whole paths
  document_id?: string // the one file is another form of this document
}

/** DocumentPage is what stands on a page of a document. */
export interface DocumentPage {
  document: Document
  page: number
  parts: DocumentPart[] // its passages, each word once
}

/** DocumentPart is a passage of a document with its place. */
export interface DocumentPart {
  id: string // of the passage
  text: string
  heading?: string // the headings above it
  page: number
  deleted?: boolean // by itself: it is in no search
}

/** DocumentHits are the passages of a document that contain a text, in order. */
export interface DocumentHits {
  hits: DocumentHit[]
  more: boolean // there are more than are listed
}

/** DocumentHit is a passage of a document that contains a text. */
export interface DocumentHit {
  passage_id: string
  page: number
  text: string // around the place
}

/** Activity is a page of durable events, newest first. */
export interface Activity {
  events: Event[]
  next: string
}

/** BackupCreate says where a backup goes; without a path it goes into the data folder. */
export interface BackupCreate {
  path?: string
}

/** Backup is a finished backup. Verified: it was read again as a whole and is sound; one that is not is never kept. */
export interface Backup {
  path: string
  bytes: number
  verified: boolean
}

/** Backups are the copies of the database that lie beside it, the newest first. */
export interface Backups {
  folder: string
  backups: BackupFile[]
}

/** File is one backup. */
export interface BackupFile {
  name: string
  path: string
  kind: BackupKind
  bytes: number
  at: string
}

/** Kind says why a backup was made. */
export type BackupKind =
  | 'manual' // the user asked for it
  | 'daily' // once a day, while nobody waited for an answer
  | 'migration' // before an update changed the schema

/** BackupVerify names a backup of the list. */
export interface BackupVerify {
  name: string
}

/** Licences are those of the software of others that is in the program. */
export interface Licences {
  parts: LicencePart[]
}

/** Part is one module or package. */
export interface LicencePart {
  name: string
  version: string
  licence: string // SPDX identifiers, joined by " AND "
  texts: string[] // of the licences, as they lie in it
}

/** EngineLog is the end of what our own engine has logged; there is nothing of an engine that runs without us. */
export interface EngineLog {
  text: string
}

/** SelftestRun names the chat model to try; "" = the one in use. */
export interface SelftestRun {
  model?: string
}

/** Selftest is how a model did each task that needs one. */
export interface Selftest {
  model: string
  results: SelftestResult[]
}

/** Doctor is what the doctor found. */
export interface Doctor {
  checks: DoctorCheck[]
}

/** Check is one finding. Detail and Remedy are sentences in the language of the patient; errors of others are English. */
export interface DoctorCheck {
  id: string // folder, disk, database, cpu, memory, engine, chat_model, embedder
  level: DoctorLevel
  detail: string
  remedy?: string
}

/** Level says how much a finding matters. */
export type DoctorLevel =
  | 'ok'
  | 'warn' // works, but worse than it could
  | 'error' // something the user wants does not work

/** OpenURL asks the desktop to open a link outside. */
export interface OpenURL {
  url: string
}

/** Focused says whether there was a window to bring to the front. */
export interface Focused {
  window: boolean
  url: string // link for a browser, "" = none
}

/** FileKind says what a dialog is for. */
export type FileKind =
  | 'model' // a GGUF file
  | 'database' // a backup
  | 'folder'
  | 'document' // documents, several at once

/** PathChoose asks the window for the system's dialog. */
export interface PathChoose {
  kind: FileKind
}

/** FileSave asks the window for the system's dialog for saving text. */
export interface FileSave {
  name: string // proposed, without a folder
  text: string
}

/** Chosen is what the user chose in a dialog. */
export interface Chosen {
  path: string // "" = nothing
  paths?: string[] // of documents
}

/** Dropped are files that were dropped on the window. */
export interface Dropped {
  files: DroppedFile[]
}

/** DroppedFile is one of them. */
export interface DroppedFile {
  name: string
  path: string
  bytes: number
  data: string // base64; empty for a file of more than 32 MB
}

/** Menu is what the page can do, for the menu bar of the system. */
export interface Menu {
  groups: MenuGroup[]
}

/** MenuGroup is one menu of the bar. */
export interface MenuGroup {
  title: string
  items: MenuItem[]
}

/** MenuItem is an action of the page. */
export interface MenuItem {
  id: string
  label: string
  keys: string // shortcut such as "cmdorctrl+shift+o"; "" = none
}

/** Notification is shown by the system while the window is not in front. */
export interface Notification {
  title: string
  body: string
  route: string // of the page that a click leads to, such as "#/c/ID"
}

/** LoginStart is whether the app starts when the user logs in. */
export interface LoginStart {
  enabled: boolean
  possible: boolean
}

/** LoginStartSet switches the start at login. */
export interface LoginStartSet {
  enabled: boolean
}

/** DataFolder is where the data is and how much there is. */
export interface DataFolder {
  path: string
  bytes: number // of the app's own files in it
  free: number // bytes that its disk still takes; 0 = not known
  movable: boolean // it can be moved from here
  problem?: Problem // why the last move did not happen; nothing was lost
}

/** DataErase asks for the erasure of everything but the models. */
export interface DataErase {
  name: string // "Recollect", typed by the user
}

/** DataMove moves the data folder to an empty or new folder. The app starts anew at the end. */
export interface DataMove {
  path: string
}

/** Checkup is what the window of a chat is used for, and what to do about it. */
export interface Checkup {
  agent_id: string
  conversation_id: string // "" = one that does not exist yet
  model: string
  turns: number // of the chat
  plan: Plan // of the next request, without a message
  last: ModelCall | null // the newest call as it was measured; null = none was
  share: number // of the usable window that the chat takes now
  warning: boolean
  parts: PartShare[] // of the next request, the largest first
  largest: PartName // consumer
  compaction: CompactionAdvice
  ticks: Tick[]
}

/** PartShare is how much of a prompt one part is. */
export interface PartShare {
  name: PartName
  tokens: number
  share: number // of the prompt
}

/** CompactionAdvice says whether a chat needs compaction, and which. The threshold decides whether, the length which. */
export interface CompactionAdvice {
  needed: boolean
  threshold: number // share of the usable window from which on it is needed
  strategy: Strategy // that fits a chat of this length
  summary: boolean // a summary follows it, in the background
}

/** Tick is one thing that a check-up looks at. */
export interface Tick {
  name: TickName
  ok: boolean
  tokens: number // of the system prompt, or of full results
  monthly: number // what these tokens came to in the last thirty days, read or cached
  seconds: number // to read them once; 0 = not measured
  remedy?: TickRemedy // where it is not OK
}

/** TickName names something that a check-up looks at. */
export type TickName =
  | 'tool_results' // results of tools do not pile up
  | 'system_prompt' // the system prompt is short
  | 'monitor' // what answers take is measured

/** TickRemedy is what to do where something is not as it should be. */
export type TickRemedy =
  | 'stub_results' // compact the chat: stubs take the place of full results
  | 'shorten_setup' // fewer tools; each request pays for them
  | 'check_engine' // the engine tells no numbers: update it, or use another

/** Price is what a model costs elsewhere, and what it holds. */
export interface Price {
  model: string
  window: number // tokens
  usable: number // of these, for a talk
  chinese: number // Chinese characters that it holds, about
  input: number // dollars for a thousand tokens
  output: number
  as_of: string // the date of the prices, as 2024-04-30
}

/** OwnCost is what the model on this machine costs. */
export interface OwnCost {
  watts: number // that the machine draws more while a model works
  kwh_price: number // dollars
}

/** CostTable is what costs are worked out from; the user can change it. */
export interface CostTable {
  prices: Price[]
  own: OwnCost
}

/** Habit is how much somebody talks with a model. */
export interface Habit {
  daily: number // conversations a day
  tokens: number // of each, read and written
  input: number // parts of these that are read, to
  output: number // parts that are written
}

/** Cost is what a habit costs, in dollars. */
export interface Cost {
  monthly_tokens: number // thirty days
  monthly_cost: number
  per_conversation: number
}

/** CostReport compares what a habit and what the user really did would cost. */
export interface CostReport extends CostTable {
  edited: boolean // by the user: not the table that comes with the app
  habit: Habit
  rows: CostRow[] // one for each price, in their order
  local: LocalCost
  days: number // how many of the last days Last in the rows is about
  read_tokens: number // tokens of the prompts of these days
  wrote_tokens: number // tokens of their answers
  calls: number // of a model, in these days
}

/** CostRow is what one model costs. */
export interface CostRow {
  model: string
  cost: Cost // of the habit
  fits: boolean // a conversation of the habit fits into what is usable
  last: number // what the tokens of the last days would have cost, in dollars
}

/** LocalCost is what the model on this machine costs, by the speed that was measured. */
export interface LocalCost {
  measured: boolean // else there is no speed yet, and the costs are 0
  read_per_second: number
  write_per_second: number
  cost: Cost // of the habit, nothing being cached
  last: number // of the last days, in dollars
  hours: number // that the model worked in these days
}

/** UsageReport is the history of what model calls took, over a stretch of time. */
export interface UsageReport {
  from: string // zero where nothing was measured yet
  to: string
  bucket: BucketSize
  total: UsageTotals // of answers, as is all that follows but Kinds
  requests: Distribution // tokens of the prompt of a model call
  turns: Distribution // tokens of a turn, prompts and outputs of all its calls
  conversations: Distribution // tokens of a conversation, prompts and outputs of all its calls
  windows: Distribution // tokens of the largest prompt of a conversation
  first_token: Distribution // milliseconds
  models: ModelUsage[] // the most used first
  series: UsageSlice[] // without gaps, oldest first
  kinds: KindUsage[] // what models were called for, those that they were
}

/** BucketSize says how long a slice is. */
export type BucketSize =
  | 'hour'
  | 'day'
  | 'week' // from Monday

/** UsageTotals are sums over model calls, and what follows from them. */
export interface UsageTotals {
  calls: number
  turns: number
  prompt_tokens: number
  cached_tokens: number // of these, not read anew
  output_tokens: number
  reuse: number | null // share of the prompts that was cached, 0 to 1; null = the engine did not tell
  first_token_ms: number // mean
  tokens_per_second: number // written; 0 = not measured
  read_per_second: number // tokens of prompts read anew; 0 = not measured
  largest: number // prompt
  crowded: number // calls whose prompt took more than 80 % of what is usable
  truncated: number // calls whose prompt the engine cut
  evicted: number // messages that left the window
  recalls: number // memories that recall brought
}

/** Distribution describes many numbers. A percentile is the smallest number that is not exceeded by that share of all. */
export interface Distribution {
  count: number
  mean: number
  p50: number
  p75: number
  p90: number
  p99: number
  max: number
}

/** ModelUsage is the history of one model. */
export interface ModelUsage {
  model: string
  total: UsageTotals
  requests: Distribution
  turns: Distribution
  first_token: Distribution
}

/** UsageSlice is one stretch of the time that a report covers. */
export interface UsageSlice {
  from: string
  to: string
  total: UsageTotals
  compactions: number
}

/** KindUsage is the history of one kind of work. */
export interface KindUsage {
  kind: CallKind
  total: UsageTotals
}

/** Mode is how much memory there is in an experiment. */
export type ExperimentMode =
  | 'off' // no core memory, no recall, no summary: the oldest turns are dropped
  | 'window' // a sliding window beside core memory
  | 'summary' // what leaves the window is summed up
  | 'all' // everything, as the app is

/** ForgetRow is what became of a number that was told in the first turn. */
export interface ExperimentForgetRow {
  mode: ExperimentMode
  turn: number // after which it was asked for
  available: boolean // its ten digits stand in the prompt, outside the question
  digits_kept: number // how many of them, from the first on, are said; without a model, stand in the prompt
  prompt_tokens: number // measured where there is a model
  said: string // the model's answer, "" without a model
}

/** Forgotten is the outcome of the forgetting experiment. */
export interface ExperimentForgotten {
  model: string // "none", or the one that was asked
  window: number
  rows: ExperimentForgetRow[] // in the order of turns
}

/** Range is a figure of the reference, in percent. */
export interface ExperimentRange {
  low: number
  high: number
}

/** StrategyRow is what one strategy costs and keeps. */
export interface ExperimentStrategyRow {
  strategy: Strategy
  used: Strategy // in the end: a summary that no model could make leaves another one in its place
  prompt_tokens: number // of the next request
  saved: number // percent of the tokens that the whole talk takes; 0 where it takes less than instructions and tools
  reference_saved: ExperimentRange
  delay_ms: number // that making room added before a message was sent, the longest
  background_ms: number // that models worked for it, in the background
  model_calls: number
  model_tokens: number // read and written by these
  model_cost: number // dollars that they would cost at ReferencePrice
  retained: number // percent of the questions whose answer is in the window, without recall
  reference_retained: number // percent
  retained_recall: number // percent, in the window or found by recall
  missed: string[] // the questions whose answer is in neither
  response_ms: number // of an answer, at the speeds of the comparison, nothing being cached
  faster: number // percent less than with the whole talk; 0 as above
}

/** Compared is the outcome of a comparison of strategies over one talk. */
export interface ExperimentCompared {
  model: string
  embedder?: string // that recall found with; "" = by words
  turns: number
  questions: number
  window: number
  target: number // tokens that a prompt may have after room was made
  whole_tokens: number // of a prompt with the whole talk
  speeds: ExperimentSpeeds
  whole_ms: number // of an answer with the whole talk, at these speeds
  rows: ExperimentStrategyRow[]
}

/** Speeds are those at which response times are worked out. */
export interface ExperimentSpeeds {
  read: number // tokens of a prompt a second, nothing being cached
  write: number // tokens of an answer a second
  answer: number // tokens of the answer
}

/** An event on the bus, its data typed by its type. */
export type BusEvent = {
  [T in keyof EventData]: Omit<Event, 'type' | 'data'> & { type: T; data: EventData[T] }
}[keyof EventData]
