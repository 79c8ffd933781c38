import type {
  Cost,
  Coverage,
  Fate,
  FilesBack,
  RecordStatus,
  Tier,
  Trigger,
} from '../compaction/records/record.ts';

/** A line of the conversation. `id` never changes; everything else about a row may. */
export type ChatRow = UserRow | AssistantRow | ToolRow | EditsRow | CompactionRow | ErrorRow;

export interface UserRow {
  readonly type: 'user';
  /** Id of the message. */
  readonly id: string;
  readonly text: string;
  /** Of the message with everything attached to it. */
  readonly tokens?: number | undefined;
  /** Pictures in the message; undefined if there are none. */
  readonly pictures?: readonly PictureView[] | undefined;
  /** Attachments, in the order the text names them. */
  readonly attachments?: readonly AttachmentView[] | undefined;
  /** Undefined if the message cannot be pinned. */
  readonly isPinned?: boolean | undefined;
}

/** A picture. Its data is sent when the page asks for it. */
export interface PictureView {
  /** Names it in requests: the reference that a message is written with, or the place in a message that was said. */
  readonly key: string;
  /** Pixels; undefined if its data is not in the session, or cannot be read. */
  readonly size?: { readonly width: number; readonly height: number } | undefined;
  /** Undefined if it was not counted by itself. */
  readonly tokens?: number | undefined;
}

/** Something that goes along with a message. */
export interface AttachmentView {
  /** As a person types it, for example `@src/lock.ts:10-20`. */
  readonly label: string;
  readonly tokens: number;
  /** Undefined if it is not a file. */
  readonly path?: string | undefined;
  /** Counted from 1, both included; undefined for all of them. */
  readonly lines?: { readonly first: number; readonly last: number } | undefined;
}

export interface AssistantRow {
  readonly type: 'assistant';
  /** Id of the message. */
  readonly id: string;
  readonly markdown: string;
  readonly reasoning: string;
  readonly state: 'streaming' | 'done' | 'stopped';
  /** Of the message with its calls; undefined while it is streamed. */
  readonly tokens?: number | undefined;
  /** Undefined if the message cannot be pinned, or not yet. */
  readonly isPinned?: boolean | undefined;
}

export interface ToolRow {
  readonly type: 'tool';
  readonly id: string;
  readonly tool: string;
  /** The call in a few words, for example a path. */
  readonly label: string;
  /** `waiting`: for a person's approval. `declined`: not allowed by a person. */
  readonly state: 'running' | 'waiting' | 'done' | 'failed' | 'declined' | 'interrupted';
  /** Tokens of the result; undefined while it runs. */
  readonly tokens?: number | undefined;
  /** The beginning of the result; the whole is sent on request. */
  readonly preview: string;
  readonly isClipped: boolean;
  /** The request for approval, while it waits. */
  readonly approval?: ApprovalView | undefined;
  /** The end of the output so far. Grows by `output` changes. */
  readonly output?: string | undefined;
  /** It can be stopped by itself. */
  readonly canStop?: boolean | undefined;
  /** One line on the whole of the result, for example `exit code 1`. */
  readonly summary?: string | undefined;
  readonly changes?: readonly FileChangeView[] | undefined;
  /** The sub-agents of a `delegate` call. */
  readonly subAgents?: readonly SubAgentView[] | undefined;
  /** Id of the message with the call. */
  readonly callerId?: string | undefined;
  /** Id of the message with the result; undefined as long as there is none. */
  readonly messageId?: string | undefined;
  /** The file that the call names, as the call names it; undefined if it names none. */
  readonly path?: string | undefined;
  /** Pictures in the result; undefined if there are none. */
  readonly pictures?: readonly PictureView[] | undefined;
  /** True if that message is pinned; undefined if it cannot be. */
  readonly isPinned?: boolean | undefined;
}

type ApprovalKind = 'edit' | 'command' | 'read' | 'mcp' | 'memory' | 'delegate';

/** A request for approval of an action. */
export interface ApprovalView {
  readonly kind: ApprovalKind;
  readonly title: string;
  /** A command or arguments, whole; empty if `changes` tells. */
  readonly details: string;
  readonly warning?: string | undefined;
  readonly changes: readonly FileChangeView[];
  /** The actions that "this session" and "always" would allow; undefined if there is only "once". */
  readonly rule?: string | undefined;
  /** Of a command: how it would run. */
  readonly terms?: CommandTermsView | undefined;
}

/** In the sandbox; in the sandbox with the network; outside of it. */
export const shownReaches = ['sandbox', 'network', 'everything'] as const;
export type ShownReach = (typeof shownReaches)[number];

export interface CommandTermsView {
  /** The reach that is asked for. Can be changed if there is a sandbox. */
  readonly reach: ShownReach;
  readonly withoutSandbox?: 'off' | 'missing' | 'home' | 'folder' | undefined;
  /** The model's reason for needing the network. */
  readonly networkReason?: string | undefined;
}

/** A file in a change, with the changed lines. */
export interface FileChangeView {
  readonly path: string;
  readonly change: 'created' | 'modified' | 'deleted';
  /** Lines. */
  readonly added: number;
  readonly removed: number;
  /** The changed lines with a few around them, as a unified diff without headers; cut off if it is long. */
  readonly diff: string;
}

/** The files the agent changed in one turn, at the end of the turn. */
export interface EditsRow {
  readonly type: 'edits';
  readonly id: string;
  readonly files: readonly Omit<FileChangeView, 'diff'>[];
  readonly isUndone: boolean;
}

/** A sub-agent. */
export interface SubAgentView {
  /** Id of its session. Empty until it has begun. */
  readonly sessionId: string;
  /** As the agent that started it calls it. */
  readonly name: string;
  readonly task: string;
  readonly dependsOn: readonly string[];
  readonly state: 'waiting' | 'running' | 'done' | 'failed' | 'stopped' | 'skipped';
  /** Tokens of its view. */
  readonly tokens: number;
  /** Its current step in a few words, or its outcome. */
  readonly note: string;
}

/** A step of the agent's plan. */
export interface PlanStepView {
  readonly text: string;
  readonly status: 'pending' | 'in_progress' | 'done';
}

/** A message typed while the agent works, which is sent at the next opportunity. */
export interface QueuedMessage {
  readonly id: string;
  readonly text: string;
}

/** A compaction of what a person chose: messages or pictures to hide, a message to go on from, or a part. */
export interface ByHandView {
  readonly what: 'hide' | 'pictures' | 'rewind' | 'part';
  /** Messages that were hidden or left out, or that the part has. */
  readonly messages: number;
}

export interface CompactionRow {
  readonly type: 'compaction';
  /** Id of the record. */
  readonly id: string;
  readonly strategy: string;
  /** The strategy that was asked for, if another one replaced it. */
  readonly requestedStrategy?: string | undefined;
  readonly status: RecordStatus;
  readonly tokensBefore: number;
  readonly tokensAfter: number;
  /** The trigger. */
  readonly trigger?: Trigger | undefined;
  /** One sentence, for anything but `applied`. */
  readonly reason?: string | undefined;
  /** Undefined if it was about the whole context. */
  readonly byHand?: ByHandView | undefined;
  /** A person changed the words of the summary before it was applied. */
  readonly isEdited?: boolean | undefined;
  /** Undefined if no file came back. */
  readonly filesBack?: FilesBack | undefined;
  readonly isUndone: boolean;
}

/** The effects of a compaction, for its row to unfold. */
export interface RecordDetails {
  /** Each fate that befell any message, in the order of the view. */
  readonly fates: readonly FateCount[];
  /** `missing` may be cut off: `total − kept` are missing. */
  readonly coverage: Coverage;
  readonly cost: Cost;
  readonly tiers: readonly Tier[];
  /** Label of the model that wrote a summary. */
  readonly summaryModel?: string | undefined;
  readonly durationMs: number;
  readonly warnings: readonly string[];
}

export interface FateCount {
  readonly fate: Fate;
  /** Messages it befell; for `insert`, messages that came in. */
  readonly messages: number;
  readonly tokensBefore: number;
  readonly tokensAfter: number;
}

export interface ErrorRow {
  readonly type: 'error';
  readonly id: string;
  readonly message: string;
  readonly canRetry: boolean;
  /** True if it was stopped, not failed. */
  readonly isStopped?: boolean | undefined;
}
