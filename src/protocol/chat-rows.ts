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
  readonly id: string;
  readonly text: string;
  /** Tokens of the message with all its attachments. */
  readonly tokens?: number | undefined;
  /** Pictures in the message, or undefined. */
  readonly pictures?: readonly PictureView[] | undefined;
  /** Attachments in the order of their names in the text. */
  readonly attachments?: readonly AttachmentView[] | undefined;
  /** True if the message is pinned; undefined if it cannot be pinned. */
  readonly isPinned?: boolean | undefined;
}

/** A picture. Its data is sent when the page asks for it. */
export interface PictureView {
  /** Key of the picture in requests: the reference in a draft, or the position in a sent message. */
  readonly key: string;
  /** Size in pixels; undefined if the picture's data is missing or unreadable. */
  readonly size?: { readonly width: number; readonly height: number } | undefined;
  /** Tokens of the attachment; undefined if they were not counted separately. */
  readonly tokens?: number | undefined;
}

export interface AttachmentView {
  /** Label in the form the user types, for example `@src/lock.ts:10-20`. */
  readonly label: string;
  readonly tokens: number;
  /** Path of the file; undefined if the attachment is not a file. */
  readonly path?: string | undefined;
  /** Line numbers counted from 1, both included; undefined for the whole file. */
  readonly lines?: { readonly first: number; readonly last: number } | undefined;
}

export interface AssistantRow {
  readonly type: 'assistant';
  readonly id: string;
  readonly markdown: string;
  readonly reasoning: string;
  readonly state: 'streaming' | 'done' | 'stopped';
  /** Tokens of the message with its calls; undefined while it is streamed. */
  readonly tokens?: number | undefined;
  /** True if the message is pinned; undefined while it cannot be pinned. */
  readonly isPinned?: boolean | undefined;
}

export interface ToolRow {
  readonly type: 'tool';
  readonly id: string;
  readonly tool: string;
  /** The call in a few words, for example a path. */
  readonly label: string;
  /** `waiting`: the call waits for the user's approval. `declined`: the user refused it. */
  readonly state: 'running' | 'waiting' | 'done' | 'failed' | 'declined' | 'interrupted';
  /** Tokens of the result; undefined while the call runs. */
  readonly tokens?: number | undefined;
  /** The beginning of the result. The page requests the rest. */
  readonly preview: string;
  readonly isClipped: boolean;
  readonly approval?: ApprovalView | undefined;
  /** The end of the output so far, extended by `output` changes. */
  readonly output?: string | undefined;
  /** True if the user can stop this call alone. */
  readonly canStop?: boolean | undefined;
  /** Summary of the whole result on one line, for example `exit code 1`. */
  readonly summary?: string | undefined;
  readonly changes?: readonly FileChangeView[] | undefined;
  readonly subAgents?: readonly SubAgentView[] | undefined;
  readonly callerId?: string | undefined;
  /** Id of the message with the result; undefined before it arrives. */
  readonly messageId?: string | undefined;
  /** The file path in the call, as written there, or undefined. */
  readonly path?: string | undefined;
  /** Pictures in the result, or undefined. */
  readonly pictures?: readonly PictureView[] | undefined;
  /** True if the message with the result is pinned; undefined if it cannot be pinned. */
  readonly isPinned?: boolean | undefined;
}

type ApprovalKind = 'edit' | 'command' | 'read' | 'mcp' | 'memory' | 'delegate';

/** A request for approval of an action. */
export interface ApprovalView {
  readonly kind: ApprovalKind;
  readonly title: string;
  /** The full command or arguments; empty if `changes` shows the action. */
  readonly details: string;
  readonly warning?: string | undefined;
  readonly changes: readonly FileChangeView[];
  /** The actions that "this session" and "always" would allow; undefined if only "once" is possible. */
  readonly rule?: string | undefined;
  /** Conditions under which a command would run. */
  readonly terms?: CommandTermsView | undefined;
}

/** Places where a command can run: in the sandbox, in the sandbox with network access, or outside the sandbox. */
export const shownReaches = ['sandbox', 'network', 'everything'] as const;
export type ShownReach = (typeof shownReaches)[number];

export interface CommandTermsView {
  /** The place that the command requests. The user can change it if a sandbox exists. */
  readonly reach: ShownReach;
  readonly withoutSandbox?: 'off' | 'missing' | 'home' | 'folder' | undefined;
  /** The model's reason for needing the network. */
  readonly networkReason?: string | undefined;
}

export interface FileChangeView {
  readonly path: string;
  readonly change: 'created' | 'modified' | 'deleted';
  readonly added: number;
  readonly removed: number;
  /** The changed lines with a few lines around them, as a unified diff without headers. Shortened if it is long. */
  readonly diff: string;
}

/** The files the agent changed in one turn, at the end of the turn. */
export interface EditsRow {
  readonly type: 'edits';
  readonly id: string;
  readonly files: readonly Omit<FileChangeView, 'diff'>[];
  readonly isUndone: boolean;
}

export interface SubAgentView {
  /** Id of the sub-agent's session; empty before the session starts. */
  readonly sessionId: string;
  readonly name: string;
  readonly task: string;
  readonly dependsOn: readonly string[];
  readonly state: 'waiting' | 'running' | 'done' | 'failed' | 'stopped' | 'skipped';
  /** Tokens of the sub-agent's context. */
  readonly tokens: number;
  /** The sub-agent's current step in a few words, or its outcome. */
  readonly note: string;
}

/** A step of the agent's plan. */
export interface PlanStepView {
  readonly text: string;
  readonly status: 'pending' | 'in_progress' | 'done';
}

/** A message that the user typed while the agent works. It is sent at the next opportunity. */
export interface QueuedMessage {
  readonly id: string;
  readonly text: string;
}

/** A manual compaction: messages or pictures to hide, a message to continue from, or a part to compact. */
export interface ManualEditView {
  readonly what: 'hide' | 'pictures' | 'rewind' | 'part';
  /** Number of messages that were hidden or left out, or that are in the compacted part. */
  readonly messages: number;
}

export interface CompactionRow {
  readonly type: 'compaction';
  readonly id: string;
  readonly strategy: string;
  /** The requested strategy, if another one replaced it. */
  readonly requestedStrategy?: string | undefined;
  readonly status: RecordStatus;
  readonly tokensBefore: number;
  readonly tokensAfter: number;
  readonly trigger?: Trigger | undefined;
  /** Reason in one sentence, for all statuses except `applied`. */
  readonly reason?: string | undefined;
  /** Details of a manual compaction; undefined if it concerned the whole context. */
  readonly byHand?: ManualEditView | undefined;
  /** True if the user edited the summary before it was applied. */
  readonly isEdited?: boolean | undefined;
  /** Files that the compaction restored, or undefined. */
  readonly filesBack?: FilesBack | undefined;
  readonly isUndone: boolean;
}

/** The effects of a compaction, shown when its row is unfolded. */
export interface RecordDetails {
  /** The number of messages for each fate that occurs, in the order of the view. */
  readonly fates: readonly FateCount[];
  /** Coverage of the facts. The list `missing` may be shortened, so the number of missing facts is `total − kept`. */
  readonly coverage: Coverage;
  readonly cost: Cost;
  readonly tiers: readonly Tier[];
  /** Label of the model that wrote the summary. */
  readonly summaryModel?: string | undefined;
  readonly durationMs: number;
  readonly warnings: readonly string[];
}

export interface FateCount {
  readonly fate: Fate;
  /** Number of messages; for `insert`, the number of new messages. */
  readonly messages: number;
  readonly tokensBefore: number;
  readonly tokensAfter: number;
}

export interface ErrorRow {
  readonly type: 'error';
  readonly id: string;
  readonly message: string;
  readonly canRetry: boolean;
  /** True if the user stopped the turn, false if it failed. */
  readonly isStopped?: boolean | undefined;
}
