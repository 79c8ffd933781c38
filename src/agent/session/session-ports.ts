import type { Budget } from '../../compaction/budget/budget.ts';
import type { ReadPresentFile } from '../../compaction/files/restored-files.ts';
import type { Message, ToolSchema } from '../../compaction/messages/message.ts';
import type { TagSuffix } from '../../compaction/quoting/session-tags.ts';
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

/** The models of a session, as the current settings name them. */
export interface Models {
  readonly chat: ChatModel;
  /** The model for summaries if no other model is named. The default is the chat's model. */
  readonly compaction?: SummaryModel | undefined;
  /** Returns another model of the same provider for summaries. */
  readonly named: (name: string) => SummaryModel;
}

/** Values of `contextBudget.mcpToolsOnDemand`. */
export type OnDemand = 'auto' | 'always' | 'never';

/** The parts of a session that its tools can use. */
export interface ToolAccess {
  readonly recall: (id: string) => Message | undefined;
  readonly searchHistory: SearchHistory;
  readonly requestCompaction: RequestCompaction;
  readonly setPlan: SetPlan;
  /** Adds the text of a skill after the results of the batch. @returns true if it is already in context */
  readonly saySkill: (name: string, text: string) => boolean;
  /** The editor, whose changes can be undone; undefined if files must not be changed. */
  readonly editor: FileEditor | undefined;
  readonly budget: () => Budget;
  readonly approvals: ApprovalPolicy;
  /** Asks the user, unless a rule allows the request. */
  readonly approve: PendingApprovals['ask'];
  /** True for a tool that the user switched off for this chat. */
  readonly isOff: (tool: Pick<AgentTool, 'name' | 'server'>) => boolean;
  readonly showSubAgents: (callKey: string, subAgents: readonly SubAgentProgress[]) => void;
}

/** Appends the attachments named in a message. */
export type Attach = Attachments['attach'];

/** Ports that a session gets from its host. */
export interface SessionPorts {
  /** Appends to the session's file. Resolves when the line is stored. */
  readonly log: (event: SessionEvent) => Promise<void>;
  /** Called at the beginning of each turn and compaction. The result is used until their end. */
  readonly models: () => Promise<Models>;
  readonly tools: (access: ToolAccess) => readonly AgentTool[] | Promise<readonly AgentTool[]>;
  /** The setting that leaves schemas of MCP tools out of requests. If undefined, requests contain them. */
  readonly mcpToolsOnDemand?: () => OnDemand;
  readonly settings: () => CompactionSettings;
  readonly customStrategy?: () => Promise<CustomStrategy>;
  /** Plans compactions on another thread. If undefined, they are planned on this thread. */
  readonly elsewhere?: CompactionPorts['elsewhere'];
  /** Searches on another thread. If undefined, searches run on this thread. */
  readonly historySearch?: HistorySearch;
  /** Reads files to restore after a summary. If undefined, no files are restored. */
  readonly readFile?: ReadPresentFile;
  /** Absolute path of the first workspace folder, in which file names are resolved. */
  readonly folder?: () => string | undefined;
  readonly meter: UsageMeter;
  readonly systemPrompt: () => string;
  readonly memory?: () => Promise<readonly MemoryFile[]>;
  readonly skills?: () => Promise<readonly Skill[]>;
  /** Attaches the files that typed messages name. If undefined, nothing is attached. */
  readonly attachments?: (next: NextRequestPorts) => Promise<Attachments>;
  readonly approvals: ApprovalPolicy;
  /** The editor and its checkpoints; undefined if files must not be changed. */
  readonly files?: () => Promise<CheckpointedFiles | undefined>;
  readonly now: () => number;
}

/** State of a session when it is opened. */
export interface SessionOpening {
  readonly title: string | undefined;
  readonly entries: readonly TranscriptEntry[];
  readonly tools: readonly ToolSchema[];
  readonly toolHistory?: ToolHistory;
  /** The tools in requests and the tools left out of requests; undefined if unknown. */
  readonly toolSet?: ToolSet;
  readonly lastTurn: TurnEvent | undefined;
  /** Messages that were typed but have not been sent. */
  readonly queue?: readonly string[];
  readonly edits?: readonly EditsEvent[];
  /** Mark in the tags around content that is not the user's. */
  readonly tagSuffix?: TagSuffix;
}

/** The current activity. `approval` means that the session waits for the user's answer. */
export type Activity = 'idle' | 'waiting' | 'streaming' | 'tools' | 'approval' | 'compacting';

/** Event in a session, reported after it was stored. */
export type AgentEvent =
  | { readonly type: 'entry'; readonly entry: TranscriptEntry }
  | { readonly type: 'text'; readonly messageId: string; readonly text: string }
  | { readonly type: 'reasoning'; readonly messageId: string; readonly text: string }
  | { readonly type: 'activity'; readonly activity: Activity }
  | { readonly type: 'turn'; readonly turn: TurnEvent | undefined }
  | { readonly type: 'title'; readonly title: string }
  | { readonly type: 'tools' }
  /** Notice for the user in one or two sentences. The session continues. */
  | { readonly type: 'warning'; readonly message: Phrase }
  /** Question about an action. The request is undefined when the question no longer waits for the user. */
  | { readonly type: 'approval'; readonly callKey: string; readonly request: ApprovalRequest | undefined }
  /** Notice that a running action can now be stopped separately. */
  | { readonly type: 'action'; readonly callKey: string }
  /** Output of a running action since the last event. */
  | { readonly type: 'output'; readonly callKey: string; readonly text: string }
  | { readonly type: 'queue'; readonly queue: readonly QueuedText[] }
  /** Queued messages of a stopped turn, which return to the user. */
  | { readonly type: 'unsaid'; readonly text: string }
  | { readonly type: 'edits'; readonly edits: EditsEvent }
  | { readonly type: 'sub-agents'; readonly callKey: string; readonly subAgents: readonly SubAgentProgress[] }
  | CompactionEvent;

/** A message in the queue. */
export interface QueuedText {
  readonly id: string;
  readonly text: string;
}

/** End of a sub-agent: `stopped` together with its call, or `skipped` because a dependency was not done. */
export type SubAgentEnd = 'done' | 'failed' | 'stopped' | 'skipped';

/** Progress of a sub-agent. */
export interface SubAgentProgress {
  /** Id of the sub-agent's session; empty until it begins. */
  readonly sessionId: string;
  readonly name: string;
  readonly task: string;
  readonly dependsOn: readonly string[];
  readonly state: 'waiting' | 'running' | SubAgentEnd;
  readonly tokens: number;
  /** A sentence about the sub-agent's action or end, or the sub-agent's own text, which is not translated. */
  readonly note: Phrase;
}
