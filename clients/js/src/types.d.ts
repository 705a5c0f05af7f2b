// What the API answers: the same shapes as the results of the Python client, whose tests compare them with the
// OpenAPI schema.


/** One event; it holds ids and no text. */
export interface Event {
  readonly id: number;
  readonly type: string;
  readonly created_at: string;
  readonly memory: string | null;
  readonly thread: string | null;
  readonly action: string | null;
  readonly batch_id: string | null;
  readonly actor: string | null;
  readonly user?: string | null;
}

/** A page of events; ask again with `after=last` while `more`. */
export interface EventPage {
  readonly results: Event[];
  readonly last: number;
  readonly more: boolean;
}

/** A key, without the key itself. */
export interface Key {
  readonly id: string;
  readonly name: string;
  readonly prefix: string;
  readonly scopes: string[];
  readonly application: string | null;
  readonly created_at: string;
  readonly expires_at: string | null;
  readonly last_used_at: string | null;
  readonly last_used_address: string | null;
  readonly revoked_at: string | null;
}

/** A new key; only this answer contains it. */
export interface IssuedKey extends Key {
  readonly key: string;
}

/** The key that the request was made with. */
export interface OwnKey {
  readonly id: string;
  readonly name: string;
  readonly prefix: string;
  readonly scopes: string[];
  readonly application: string | null;
  readonly expires_at: string | null;
}

/** The user for whom the requests act. */
export interface Me {
  readonly id: string;
  readonly kind: string;
  readonly username: string;
  readonly application: string | null;
  readonly external_id: string | null;
  readonly key: OwnKey | null;
}

/** An end user of an application. */
export interface EndUser {
  readonly id: string;
  readonly application: string;
  readonly external_id: string;
  readonly is_active: boolean;
  readonly created_at: string;
}

/** What the person chose. */
export interface Preferences {
  readonly memory_on: boolean;
  readonly auto_extract: boolean;
  readonly citations_on: boolean;
  readonly kept_kinds: string[];
  readonly refused_kinds: string[];
  readonly language: string;
}

/** Tokens and cost of one model on one day. */
export interface Usage {
  readonly day: string;
  readonly model: string;
  readonly calls: number;
  readonly failures: number;
  readonly input_tokens: number;
  readonly output_tokens: number;
  readonly cost: number;
}

/** Usage of the last days, newest first. */
export interface Usages {
  readonly daily_tokens: number;
  readonly tokens_today: number;
  readonly results: Usage[];
}

/** A count of tokens. */
export interface TokenCount {
  readonly tokens: number;
  readonly messages: number[] | null;
  readonly encoding: string;
  readonly is_estimate: boolean;
}

/** A job that does the work. */
export interface Queued {
  readonly job: string;
}

/** The state of a job. */
export interface Job {
  readonly id: string;
  readonly task: string;
  readonly status: string;
  readonly attempts: number;
  readonly error: string | null;
  readonly created_at: string;
  readonly started_at: string | null;
  readonly finished_at: string | null;
}

/** A memory with every field. */
export interface Memory {
  readonly id: string;
  readonly owner: string;
  readonly layer: string;
  readonly kind: string;
  readonly category: string;
  readonly content: string;
  readonly tags: string[];
  readonly participants: string[];
  readonly subject: string;
  readonly predicate: string;
  readonly object: string;
  readonly single_valued: boolean;
  readonly speaker: string;
  readonly session: string;
  readonly turn: number;
  readonly importance: number;
  readonly base_importance: number;
  readonly confidence: number;
  readonly lifespan: string;
  readonly status: string;
  readonly pinned: boolean;
  readonly sensitive: boolean;
  readonly strength: number | null;
  readonly abstraction_level: string;
  readonly occurrence_count: number;
  readonly access_count: number;
  readonly forgotten_by: string;
  readonly written_by: string;
  readonly metadata: Record<string, unknown>;
  readonly occurred_at: string | null;
  readonly restated_at: string | null;
  readonly valid_from: string | null;
  readonly valid_until: string | null;
  readonly ended_at: string | null;
  readonly retired_at: string | null;
  readonly forgotten_at: string | null;
  readonly last_accessed_at: string | null;
  readonly created_at: string;
  readonly updated_at: string;
  readonly sources: string[];
  readonly supersedes: string[];
  readonly on_left_branch: boolean;
}

/** What the ranking says of a memory, part by part, each from 0 to 1. They do not add up to the score. */
export interface ScoreBreakdown {
  readonly similarity: number;
  readonly keyword: number;
  readonly graph: number;
  readonly structure: number;
  readonly time: number;
  readonly recency: number;
  readonly frequency: number;
  readonly outdated: number;
  readonly replaces: number;
}

/** A memory that answers a search. */
export interface FoundMemory extends Memory {
  readonly score: number;
  readonly relevance: number;
  readonly score_breakdown: ScoreBreakdown;
  readonly why: string;
}

/** What a search found, best first. */
export interface SearchResult {
  readonly memories: FoundMemory[];
  readonly by_layer: Record<string, number>;
  readonly total_found: number;
  readonly cold_start: boolean;
  readonly suggestion: string;
  readonly conflict_warning: string;
  readonly conflicting_ids: string[];
  readonly diagnostics: Diagnostics;
}

/** How a search compared meanings, and which share of the memories, 0 to 1, has a sentence vector. */
export interface Diagnostics {
  readonly sentence_vectors: "used" | "late" | "none";
  readonly sentence_share: number;
}

/** What a write did; `memory` is the row that is active now. */
export interface Written {
  readonly action: string;
  readonly memory: Memory;
  readonly batch_id: string;
}

/** What became of one memory of a batch; `memory` is None if it was refused. */
export interface BatchItem {
  readonly action: string;
  readonly memory: Memory | null;
  readonly reason: string;
}

/** What became of a batch, in the order of the request. */
export interface Batch {
  readonly results: BatchItem[];
  readonly batch_id: string;
}

/** What was learnt from messages. */
export interface Learnt {
  readonly action: string;
  readonly memory: Memory | null;
  readonly reason: string;
  readonly batch_id: string | null;
}

/** What erasing destroyed, and what it could not reach. */
export interface Receipt {
  readonly action: string;
  readonly memory_ids: string[];
  readonly erased: Record<string, number>;
  readonly erased_at: string;
  readonly not_reached: string[];
}

/** A memory that would be forgotten, with the reasons. */
export interface Match extends Memory {
  readonly why: string[];
}

/** What is forgotten, or with `dry_run` would be. */
export interface Forgotten {
  readonly dry_run: boolean;
  readonly count: number;
  readonly ids: string[];
  readonly memories: Match[];
  readonly derived: Match[];
  readonly more: boolean;
  readonly batch_id: string | null;
}

/** What the clean-up forgot, or with `dry_run` would forget. */
export interface Collected {
  readonly dry_run: boolean;
  readonly count: number;
  readonly memory_ids: string[];
  readonly batch_id: string | null;
  readonly warnings: string[];
}

/** What undoing a batch changed. */
export interface UndoneBatch {
  readonly action: string;
  readonly memories: Memory[];
  readonly batch_id: string;
  readonly left_out: string[];
}

/** One change of a memory. */
export interface HistoryItem {
  readonly at: string;
  readonly event: string;
  readonly reason: string;
  readonly actor: string;
  readonly batch_id: string;
  readonly memory_id: string;
  readonly content: string;
  readonly valid_from: string | null;
  readonly valid_until: string | null;
  readonly before: Record<string, unknown> | null;
}

/** A name that memories mention. */
export interface Entity {
  readonly id: string;
  readonly name: string;
  readonly aliases: string[];
  readonly mentions: number;
  readonly distance: number;
}

/** A relation between two entities. */
export interface Relation {
  readonly subject: string;
  readonly predicate: string;
  readonly object: string;
  readonly subject_id: string;
  readonly object_id: string;
  readonly memory: string;
  readonly valid_from: string | null;
  readonly valid_until: string | null;
}

/** Entities and relations around a name. */
export interface Graph {
  readonly entities: Entity[];
  readonly relations: Relation[];
  readonly more: boolean;
}

/** What connects two memories. */
export interface Via {
  readonly kind: string;
  readonly name: string;
  readonly predicate: string;
  readonly source: string;
}

/** A memory that is connected to another. */
export interface Neighbour extends Memory {
  readonly distance: number;
  readonly weight: number;
  readonly via: Via;
}

/** Two memories that cannot both be true. */
export interface Conflict {
  readonly id: string;
  readonly memories: Memory[];
  readonly reason: string;
  readonly created_at: string;
}

/** Counts and the state of the memories. */
export interface Stats {
  readonly owner: string;
  readonly total: number;
  readonly by_layer: Record<string, number>;
  readonly by_kind: Record<string, number>;
  readonly by_status: Record<string, number>;
  readonly last_reflection: string | null;
  readonly episodes_since_reflection: number;
  readonly should_reflect: boolean;
  readonly oldest_unreflected: string | null;
  readonly embedding_model: string;
  readonly embedding_models: Record<string, number>;
  readonly not_embedded: number;
  readonly sentence_vectors: { readonly model: string; readonly filled: number; readonly missing: number };
  readonly warnings: string[];
}

/** The tokens of a context by part. */
export interface TokenStats {
  readonly system_prompt: number;
  readonly requirements: number;
  readonly summary: number;
  readonly task_state: number;
  readonly recent_messages: number;
  readonly retrieved: number;
  readonly current_input: number;
  readonly total: number;
}

/** The tokens that each part of a context may take. */
export interface Budget {
  readonly system_prompt: number;
  readonly summary: number;
  readonly retrieved: number;
  readonly recent_messages: number;
  readonly current_input: number;
  readonly reserved: number;
}

/** How a context was made. */
export interface ContextMetadata {
  readonly context_id: string;
  readonly included_messages: number;
  readonly summarised_messages: number;
  readonly summary_used: boolean;
  readonly memories_retrieved: number;
  readonly encoding: string;
  readonly degraded: string[];
  readonly notes: Record<string, string>;
  readonly budget: Budget;
}

export type CitationRole = "recalled" | "respected";

/** A memory in a context: recalled for the input, or respected as a requirement (`relevance` is null). */
export interface Citation {
  readonly id: string;
  readonly memory_id: string;
  readonly content: string;
  readonly role: CitationRole;
  readonly score: number;
  readonly relevance: number | null;
  readonly why: string;
}

/** A memory that was considered for a context. */
export interface Considered {
  readonly memory_id: string;
  readonly content: string;
  readonly relevance: number;
  readonly tokens: number;
  readonly included: boolean;
  readonly reason: string;
}

/** Tokens that moved from one part of a budget to another. */
export interface TokenFlow {
  readonly source: string;
  readonly target: string;
  readonly tokens: number;
}

/** A part of a context; `text` is set for a part that consists of one text. */
export interface ContextPart {
  readonly name: string;
  readonly budget: number;
  readonly tokens: number;
  readonly text: string | null;
}

/** How a context is assembled. */
export interface ContextPreview {
  readonly parts: ContextPart[];
  readonly flows: TokenFlow[];
  readonly memories: Considered[];
}

/** The messages to send to a model. */
export interface Context {
  readonly messages: Record<string, unknown>[];
  readonly token_stats: TokenStats;
  readonly metadata: ContextMetadata;
  readonly citations: Citation[];
  readonly system?: string | null;
  readonly preview?: ContextPreview | null;
}

/** A citation with the judgement on it. */
export interface JudgedCitation {
  readonly id: string;
  readonly memory_id: string;
  readonly context_id: string;
  readonly score: number;
  readonly role: CitationRole;
  readonly why: string;
  readonly useful: boolean | null;
}

/** The state of a reply. */
export interface ReplyState {
  readonly id: string;
  readonly status: string;
  readonly source: string;
  readonly error: string | null;
  readonly created_at: string;
  readonly finished_at: string | null;
}

/** A reply with its question and answer. */
export interface Reply {
  readonly reply: ReplyState;
  readonly question: Message;
  readonly message: Message | null;
  readonly token_stats: TokenStats | null;
  readonly metadata: ContextMetadata | null;
  readonly citations: Citation[] | null;
}

/** The first event of a streamed reply. */
export interface ReplyBegun {
  readonly reply: ReplyState;
  readonly question: Message;
  readonly token_stats: TokenStats | null;
  readonly metadata: ContextMetadata | null;
  readonly citations: Citation[] | null;
}

/** A piece of the answer. */
export interface ReplyDelta {
  readonly text: string;
}

/** The last event of a streamed reply. */
export interface ReplyEnded {
  readonly reply: ReplyState;
  readonly message: Message | null;
}

/** What was learnt from a thread. */
export interface ExtractedThread {
  readonly status: string;
  readonly source: string;
  readonly error: string | null;
  readonly memories: Learnt[];
}

/** What a summary stands for. */
export interface SummaryDump {
  readonly messages: string[];
  readonly offloaded: string[];
  readonly based_on: string | null;
  readonly previous: Record<string, unknown> | null;
  readonly task_state: Record<string, unknown> | null;
}

/** The parts of a summary. */
export interface StructuredSummary {
  readonly user_goal: string;
  readonly last_step: string;
  readonly key_decisions: string[];
  readonly modified_files: string[];
  readonly critical_context: Record<string, string>;
  readonly timestamp: string;
  readonly dump: SummaryDump;
}

/** A summary of a branch. */
export interface Summary {
  readonly id: string;
  readonly thread: string;
  readonly last_message: string;
  readonly content: string;
  readonly structured: StructuredSummary;
  readonly token_count: number;
  readonly source: string;
  readonly error: string | null;
  readonly waiting: number;
  readonly is_stale: boolean;
  readonly created_at: string;
  readonly updated_at: string;
}

/** What summarising wrote. */
export interface Summarised {
  readonly status: string;
  readonly source: string;
  readonly error: string | null;
  readonly summary: Summary | null;
}

/** The summary that a branch uses. */
export interface SummaryState {
  readonly summary: Summary | null;
  readonly is_due: boolean;
  readonly new_messages: number;
  readonly new_tokens: number;
}

/** What is used again after undoing a summary. */
export interface RestoredSummary {
  readonly summary: Summary | null;
  readonly messages: string[];
  readonly task_state_restored: boolean;
}

/** A thread, without its messages. */
export interface Thread {
  readonly id: string;
  readonly owner: string;
  readonly title: string;
  readonly system_prompt: string;
  readonly is_temporary: boolean;
  readonly metadata: Record<string, unknown>;
  readonly branch: string | null;
  readonly created_at: string;
  readonly updated_at: string;
  readonly last_message_at: string | null;
  readonly closed_at: string | null;
  readonly external_id?: string | null;
}

/** The function that a tool call names. */
export interface ToolFunction {
  readonly name: string;
  readonly arguments?: string | null;
}

/** A call of a tool by the model. */
export interface ToolCall {
  readonly id: string;
  readonly function: ToolFunction;
  readonly type?: string | null;
}

/** A message. */
export interface Message {
  readonly id: string;
  readonly thread: string;
  readonly parent: string | null;
  readonly role: string;
  readonly content: string;
  readonly tool_calls: ToolCall[] | null;
  readonly tool_call_id: string | null;
  readonly state: Record<string, unknown>;
  readonly token_count: number;
  readonly is_compacted: boolean;
  readonly client_id: string | null;
  readonly do_not_remember: boolean;
  readonly created_at: string;
}

/** A message that answers a query. */
export interface FoundMessage extends Message {
  readonly score: number;
  readonly similarity: number;
  readonly words: number;
}

/** The most similar messages, best first. */
export interface Retrieved {
  readonly results: FoundMessage[];
  readonly searched: number;
  readonly total: number;
  readonly degraded: string | null;
}

/** How many messages match, and their tokens. */
export interface MessageCount {
  readonly count: number;
  readonly is_empty: boolean;
  readonly token_count: number;
  readonly encoding: string;
}

/** What deleting removed. */
export interface Removed {
  readonly messages: number;
  readonly forgotten: string[];
  readonly batch_id: string | null;
}

/** A branch; without a name if it was left by a step back. */
export interface Branch {
  readonly id: string;
  readonly name: string | null;
  readonly head: string | null;
  readonly is_current: boolean;
  readonly created_at: string;
}

/** One side of a comparison. */
export interface Side {
  readonly branch: Branch;
  readonly count: number;
  readonly messages: Message[];
}

/** Two branches from the last message they share. */
export interface Comparison {
  readonly ancestor: Message | null;
  readonly left: Side;
  readonly right: Side;
}

/** What moving the head back left: the messages after the new head, and what was learnt from them alone. */
export interface UndoneMessages {
  readonly thread: Thread;
  readonly messages: Message[];
  readonly kept_by: Branch | null;
  readonly learnt: string[];
}

/** What was learnt only from an abandoned branch. */
export interface TakenBack {
  readonly memories: string[];
  readonly batch_id: string | null;
}

/** Memories that other threads may see. */
export interface Kept {
  readonly memories: string[];
  readonly keep: boolean;
}

/** Settings of compaction and summaries. */
export interface ThreadSettings {
  readonly is_on: boolean;
  readonly pre_rot: number;
  readonly compaction_at: number;
  readonly summarisation_at: number;
  readonly keep_last: number;
  readonly tool_result_tokens: number;
  readonly model: string;
  readonly summary_by_messages: boolean;
  readonly summary_by_tokens: boolean;
}

/** What a compaction saved. */
export interface Compacted {
  readonly status: string;
  readonly source: string;
  readonly error: string | null;
  readonly messages: number;
  readonly tokens_before: number;
  readonly tokens_after: number;
  readonly tokens_saved: number;
}

/** Offloaded content in full. */
export interface OffloadedContent {
  readonly message: string;
  readonly content: string;
}

/** Numbers of compactions and summarisations. */
export interface Metrics {
  readonly compactions: number;
  readonly summarisations: number;
  readonly offloaded: number;
  readonly restored: number;
  readonly tokens_before: number;
  readonly tokens_after: number;
  readonly tokens_saved: number;
  readonly compacted_at: string | null;
  readonly live_tokens: number;
}

/** The task state of a thread. */
export interface TaskState {
  readonly current_goal: string;
  readonly completed_steps: string[];
  readonly pending_steps: string[];
  readonly key_findings: string[];
  readonly written_by: string | null;
  readonly updated_at: string | null;
}

/** What was learnt from messages without a thread. */
export interface ExtractedMessages {
  readonly extraction: string;
  readonly status: string;
  readonly source: string;
  readonly error: string | null;
  readonly memories: Learnt[];
}

/** A job that reads messages without a thread. */
export interface QueuedExtraction {
  readonly job: string;
  readonly extraction: string;
}

/** One memory that a reflection wrote. */
export interface ReflectionResult {
  readonly action: string;
  readonly memory: Memory | null;
  readonly reason: string;
}

/** Counts of a part of a reflection. */
export interface ReflectionCounts {
  readonly looked_at: number;
  readonly proposed: number;
  readonly written: number;
  readonly refused: number;
  readonly retired: number;
}

/** A reflection of one kind. */
export interface ReflectionPart {
  readonly id: string;
  readonly run: string;
  readonly what: string;
  readonly actor: string;
  readonly source: string;
  readonly error: string | null;
  readonly counts: ReflectionCounts;
  readonly batch_id: string | null;
  readonly created_at: string;
  readonly finished_at: string | null;
  readonly results: ReflectionResult[];
  readonly preserved_facts: string[];
  readonly dropped_redundant: string[];
}

/** What a reflection would write. */
export interface Proposed {
  readonly what: string;
  readonly content: string;
  readonly layer: string;
  readonly kind: string;
  readonly category: string;
  readonly confidence: number | null;
  readonly occurrence_count: number;
  readonly derived_from: string[];
}

/** What a reflection did. */
export interface Reflection {
  readonly status: string;
  readonly run: string | null;
  readonly source: string;
  readonly error: string | null;
  readonly dry_run: boolean;
  readonly results: ReflectionResult[];
  readonly batch_ids: string[];
  readonly preserved_facts: string[];
  readonly dropped_redundant: string[];
  readonly parts: ReflectionPart[];
  readonly proposed: Proposed[];
}

/** A job that reflects. */
export interface QueuedReflection {
  readonly job: string;
  readonly run: string;
}

/** The score of a day. */
export interface ScorePoint {
  readonly day: string;
  readonly score: number;
}

/** How the score changed. */
export interface Trend {
  readonly points: ScorePoint[];
  readonly change: number | null;
}

/** One finding of a report. */
export interface Finding {
  readonly id: string;
  readonly kind: string;
  readonly why: string;
  readonly open: boolean;
  readonly mends: string[];
  readonly suggested: string | null;
  readonly memories: Memory[];
}

/** A report without its findings. */
export interface ReportSummary {
  readonly id: string;
  readonly kind: string;
  readonly day: string;
  readonly score: number | null;
  readonly figures: Record<string, unknown>;
  readonly complete: boolean;
  readonly source: string;
  readonly error: string | null;
  readonly created_at: string;
}

/** A report with its findings. */
export interface Report extends ReportSummary {
  readonly body: Record<string, unknown>;
  readonly trend: Trend;
  readonly findings: Finding[];
}

/** What resolving a finding changed. */
export interface Mended {
  readonly action: string;
  readonly batch_id: string;
  readonly memories: Memory[];
}

/** A sample of what an import would keep. */
export interface ImportExample {
  readonly kind: string;
  readonly text: string;
}

/** A part of a file that could not be read. */
export interface ReadingProblem {
  readonly where: string;
  readonly why: string;
}

/** What an import would keep. */
export interface ImportPreview {
  readonly format: string;
  readonly total: number;
  readonly threads: number;
  readonly messages: number;
  readonly memories: number;
  readonly pending: number;
  readonly present: number;
  readonly refused: number;
  readonly reasons: Record<string, number>;
  readonly tokens: number;
  readonly earliest: string | null;
  readonly latest: string | null;
  readonly examples: ImportExample[];
  readonly warnings: ReadingProblem[];
}

/** How far an import is. */
export interface Progress {
  readonly done: number;
  readonly total: number;
}

/** An import and what it wrote. */
export interface Import {
  readonly id: string;
  readonly format: string;
  readonly status: string;
  readonly files: string[];
  readonly threads_wanted: boolean;
  readonly learn: string;
  readonly progress: Progress;
  readonly threads: number;
  readonly extended: number;
  readonly messages: number;
  readonly created: number;
  readonly pending: number;
  readonly strengthened: number;
  readonly merged: number;
  readonly superseded: number;
  readonly disputed: number;
  readonly restored: number;
  readonly skipped: number;
  readonly refused: number;
  readonly removed: number;
  readonly left_out: number;
  readonly warnings: ReadingProblem[];
  readonly error: string;
  readonly batch_id: string;
  readonly job: string | null;
  readonly created_at: string;
  readonly finished_at: string | null;
}

/** A job that imports. */
export interface QueuedImport {
  readonly job: string;
  readonly import: string;
}

/** A page of a list; `next` is the address of the page after it. */
export interface Page<T> {
  readonly results: T[];
  readonly next: string | null;
  readonly previous: string | null;
}
