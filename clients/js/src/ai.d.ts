import type { LanguageModelMiddleware, Tool } from "ai";

import type { Memsite } from "./index.js";

export declare function memsiteMiddleware(options: {
  memsite: Memsite;
  /** The conversation's id in your program; without it nothing is stored. */
  threadId?: string;
  mostMemories?: number;
  /** Longest wait for Memsite before and after an answer, in milliseconds (2,000). */
  timeout?: number;
  onError?: (error: Error) => void;
}): LanguageModelMiddleware;

export declare function memsiteTools(options: { memsite: Memsite; onError?: (error: Error) => void }): {
  remember: Tool<{ fact: string }, string>;
  recall: Tool<{ query: string }, string>;
};

export type MemoryCommand =
  | { command: "view"; path: string; view_range?: [number, number] }
  | { command: "create"; path: string; file_text: string }
  | { command: "str_replace"; path: string; old_str: string; new_str: string }
  | { command: "insert"; path: string; insert_line: number; insert_text: string }
  | { command: "delete"; path: string }
  | { command: "rename"; old_path: string; new_path: string };

export declare function claudeMemory(options: {
  memsite: Memsite;
  onError?: (error: Error) => void;
}): (command: MemoryCommand) => Promise<string>;
