import type {
  Batch,
  Context,
  Event,
  Memory,
  Message,
  Page,
  Receipt,
  Removed,
  Reply,
  ReplyBegun,
  ReplyDelta,
  ReplyEnded,
  SearchResult,
  Stats,
  Thread,
  UndoneBatch,
  Written,
  HistoryItem,
} from "./types.js";

export type * from "./types.js";

export interface Options {
  url: string;
  /** `msk_…` */
  key: string;
  /** With an application's key: the end user for whom the requests act. */
  user?: string;
  /** How often a request is tried again that is safe to repeat (2). */
  retries?: number;
  /** Milliseconds to wait for an answer that is no stream (30,000). */
  timeout?: number;
  fetch?: typeof globalThis.fetch;
  sleep?: (milliseconds: number) => Promise<void>;
}

/** Fields that the API takes; docs/api.md lists them. */
export type Fields = Record<string, unknown>;

export interface RequestOptions {
  query?: Fields;
  body?: unknown;
  /** Whether the request, sent twice, has the effect of one. */
  repeatable?: boolean;
  /** Milliseconds that the server may take longer than usual. */
  wait?: number;
}

export type ReplyEvent =
  | { event: "begun"; data: ReplyBegun }
  | { event: "delta"; data: ReplyDelta }
  | { event: "ended"; data: ReplyEnded };

export interface NewMessage {
  role: "system" | "user" | "assistant" | "tool";
  content?: string | null;
  client_id?: string;
  [field: string]: unknown;
}

export declare class Memsite {
  constructor(options: Options);
  readonly memories: Memories;
  readonly threads: Threads;
  request<T = unknown>(method: string, path: string, options?: RequestOptions): Promise<T>;
  context(threadId: string, input: string, options?: Fields): Promise<Context>;
  reply(threadId: string, input?: string, options?: Fields): Promise<Reply>;
  streamReply(threadId: string, input?: string, options?: Fields): AsyncGenerator<ReplyEvent>;
  events(options?: {
    after?: number;
    types?: string[];
    users?: "all";
    signal?: AbortSignal;
  }): AsyncGenerator<Event>;
}

export interface Memories {
  add(content: string, fields?: Fields): Promise<Written>;
  addMany(memories: Fields[]): Promise<Batch>;
  search(query: string, options?: Fields): Promise<SearchResult>;
  list(query?: Fields): Promise<Page<Memory>>;
  all(query?: Fields): AsyncGenerator<Memory>;
  get(id: string): Promise<Memory>;
  change(id: string, changes: Fields): Promise<Written>;
  forget(id: string): Promise<Written>;
  erase(id: string): Promise<Receipt>;
  restore(id: string): Promise<Written>;
  undo(batchId: string): Promise<UndoneBatch>;
  history(id: string): Promise<{ results: HistoryItem[] }>;
  stats(): Promise<Stats>;
}

export interface Threads {
  create(fields?: Fields): Promise<Thread>;
  list(query?: Fields): Promise<Page<Thread>>;
  get(id: string): Promise<Thread>;
  delete(id: string): Promise<Removed>;
  append(id: string, message: NewMessage): Promise<Message>;
  appendMany(id: string, messages: NewMessage[]): Promise<{ results: Message[] }>;
  messages(id: string, query?: Fields): Promise<Page<Message>>;
  allMessages(id: string, query?: Fields): AsyncGenerator<Message>;
  close(id: string): Promise<Thread>;
}

export declare class MemsiteError extends Error {}
export declare class ConnectionFailed extends MemsiteError {}
export declare class UnexpectedAnswer extends MemsiteError {}
export declare class WebhookInvalid extends MemsiteError {}
export declare class AnswerError extends MemsiteError {
  readonly status: number;
  readonly code: string;
  readonly detail: unknown;
  readonly retryAfter: number | undefined;
}

export declare const webhooks: {
  verify(
    body: string,
    headers: Headers | Record<string, string | undefined>,
    secret: string,
    options?: { tolerance?: number; now?: number },
  ): unknown;
};
