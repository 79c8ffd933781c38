import type { Budget } from '../../compaction/budget/budget.ts';
import type { ReadPresentFile } from '../../compaction/files/returning-files.ts';
import type { Message, ToolSchema } from '../../compaction/messages/message.ts';
import type { Mark } from '../../compaction/quoting/mark.ts';
import type { HistorySearch } from '../../compaction/retrieval/history-search.ts';
import type { CompactionPorts } from '../../compaction/service/compact.ts';
import type { CompactionEvent, CompactionSettings } from '../../compaction/service/service-ports.ts';
import type { CustomStrategy } from '../../compaction/strategies/contract/custom-strategy.ts';
import type { SummaryModel } from '../../compaction/summary/summary-model.ts';
import type { UsageMeter } from '../../compaction/tokens/usage.ts';
import type { ToolHistory, TranscriptEntry } from '../../compaction/transcript/transcript-entry.ts';
import type {
  EditsEvent,
  SessionEvent,
  ToolSet,
  TurnEvent,
} from '../../transcripts/session/session-event.ts';
import type { ApprovalPolicy, ApprovalRequest, PendingApprovals } from '../approvals/approval-request.ts';
import type { Attachments, NextRequestPorts } from '../attachments/attachments.ts';
import type { FileEditor } from '../edits/file-editor.ts';
import type { CheckpointedFiles } from '../edits/session-edits.ts';
import type { MemoryFile } from '../memory/memory-files.ts';
import type { Skill } from '../memory/skill-files.ts';
import type { ChatModel } from '../model/chat-model.ts';
import type { RequestCompaction } from '../tools/compact-tool.ts';
import type { SearchHistory } from '../tools/search-history.ts';
import type { AgentTool } from '../tools/support/tool.ts';
import type { SetPlan } from '../tools/update-plan.ts';
import type { Phrase } from '../../compaction/records/record.ts';

/** The models a session uses, as settings have them at one moment. */
export interface Models {
  readonly chat: ChatModel;
  /** Writes summaries if no other model is named; the chat's own if not given. */
  readonly compaction?: SummaryModel | undefined;
  /** The model of this name at the same provider, for summaries. */
  readonly named: (name: string) => SummaryModel;
}

/** Values of `contextBudget.mcpToolsOnDemand`. */
export type OnDemand = 'auto' | 'always' | 'never';

/** Access that tools get to the session that uses them. */
export interface ToolAccess {
  readonly recall: (id: string) => Message | undefined;
  readonly searchHistory: SearchHistory;
  readonly requestCompaction: RequestCompaction;
  readonly setPlan: SetPlan;
  /** Adds the text of a skill after the results of the batch. @returns whether it is already in context */
  readonly saySkill: (name: string, text: string) => boolean;
  /** Keeps what a turn changes, so that it can be taken back; undefined if files are not to be changed. */
  readonly editor: FileEditor | undefined;
  /** The present division of the context window. */
  readonly budget: () => Budget;
  readonly approvals: ApprovalPolicy;
  /** Asks the person, unless a rule allows it. */
  readonly approve: PendingApprovals['ask'];
  /** True for a tool that a person switched off for this chat. */
  readonly isOff: (tool: Pick<AgentTool, 'name' | 'server'>) => boolean;
  readonly showSubAgents: (callKey: string, subAgents: readonly SubAgentProgress[]) => void;
}

/** Puts what a message names after it. */
export type Attach = Attachments['attach'];

/** Ports that a session gets from its host. */
export interface SessionPorts {
  /** Appends to the session's file; resolves when it is there. */
  readonly log: (event: SessionEvent) => Promise<void>;
  /** Looked up at the beginning of each turn and compaction, which keeps what it began with. */
  readonly models: () => Promise<Models>;
  /** The tools that may be used in a turn. */
  readonly tools: (access: ToolAccess) => readonly AgentTool[] | Promise<readonly AgentTool[]>;
  /** Decides if schemas of MCP tools leave requests; they stay if absent. */
  readonly mcpToolsOnDemand?: () => OnDemand;
  readonly settings: () => CompactionSettings;
  /** The strategy that `custom` means now. */
  readonly customStrategy?: () => Promise<CustomStrategy>;
  /** Plans compactions on another thread; on this one if not given. */
  readonly elsewhere?: CompactionPorts['elsewhere'];
  /** Searches on another thread; on this one if not given. */
  readonly historySearch?: HistorySearch;
  /** Reads files that come back after a summary; none do without it. */
  readonly readFile?: ReadPresentFile;
  /** Folder against which file names are resolved, absolute: the first of the workspace. */
  readonly folder?: () => string | undefined;
  readonly meter: UsageMeter;
  readonly systemPrompt: () => string;
  /** Contents of the files that tell agents how to work here. */
  readonly memory?: () => Promise<readonly MemoryFile[]>;
  /** The skills that can be loaded. */
  readonly skills?: () => Promise<readonly Skill[]>;
  /** Attaches what typed messages name; without it nothing is attached. */
  readonly attachments?: (next: NextRequestPorts) => Promise<Attachments>;
  readonly approvals: ApprovalPolicy;
  /** Absent if no files are changed. */
  readonly files?: () => Promise<CheckpointedFiles | undefined>;
  readonly now: () => number;
}

/** State of a session when it is opened. */
export interface SessionOpening {
  readonly title: string | undefined;
  readonly entries: readonly TranscriptEntry[];
  readonly tools: readonly ToolSchema[];
  /** Absent in a new session. */
  readonly toolHistory?: ToolHistory;
  /** The same tools with those that requests do not carry, if that is known. */
  readonly toolSet?: ToolSet;
  readonly lastTurn: TurnEvent | undefined;
  /** Messages that were typed and never said. */
  readonly queue?: readonly string[];
  readonly edits?: readonly EditsEvent[];
  /** Of the delimiters around what is not the person's. */
  readonly mark?: Mark;
}

/** `approval`: nothing goes on until a person has answered. */
export type Activity = 'idle' | 'waiting' | 'streaming' | 'tools' | 'approval' | 'compacting';

/** Event in a session, reported after it was made durable. */
export type AgentEvent =
  | { readonly type: 'entry'; readonly entry: TranscriptEntry }
  | { readonly type: 'text'; readonly messageId: string; readonly text: string }
  | { readonly type: 'reasoning'; readonly messageId: string; readonly text: string }
  | { readonly type: 'activity'; readonly activity: Activity }
  | { readonly type: 'turn'; readonly turn: TurnEvent | undefined }
  | { readonly type: 'title'; readonly title: string }
  /** Tools were switched on or off. */
  | { readonly type: 'tools' }
  /** Something that a person should know and that stops nothing; one or two sentences. */
  | { readonly type: 'warning'; readonly message: Phrase }
  /** An action waits for a person; without a request it does not wait any more. */
  | { readonly type: 'approval'; readonly callKey: string; readonly request: ApprovalRequest | undefined }
  /** An action that is running can be stopped by itself from here on. */
  | { readonly type: 'action'; readonly callKey: string }
  /** Output of a running action since the last event. */
  | { readonly type: 'output'; readonly callKey: string; readonly text: string }
  | { readonly type: 'queue'; readonly queue: readonly QueuedText[] }
  /** Queued messages that will not be said, because the turn was stopped: they go back to the person. */
  | { readonly type: 'unsaid'; readonly text: string }
  | { readonly type: 'edits'; readonly edits: EditsEvent }
  | { readonly type: 'sub-agents'; readonly callKey: string; readonly subAgents: readonly SubAgentProgress[] }
  | CompactionEvent;

/** A message that waits until it can be said. */
export interface QueuedText {
  readonly id: string;
  readonly text: string;
}

/** End of a sub-agent. `stopped`: with the call that started it. `skipped`: what it depends on was not done. */
export type SubAgentEnd = 'done' | 'failed' | 'stopped' | 'skipped';

/** Progress of a sub-agent. */
export interface SubAgentProgress {
  /** Id of its session. Empty until it has begun. */
  readonly sessionId: string;
  readonly name: string;
  readonly task: string;
  readonly dependsOn: readonly string[];
  readonly state: 'waiting' | 'running' | SubAgentEnd;
  /** Tokens of its view. */
  readonly tokens: number;
  /** A sentence on what it is doing or how it ended, or its own words, which are never translated. */
  readonly note: Phrase;
}
