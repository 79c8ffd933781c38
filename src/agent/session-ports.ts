import type { Budget } from '../compaction/budget/budget.ts';
import type { Message, ToolSchema } from '../compaction/message.ts';
import type { CustomStrategy } from '../compaction/strategies/contract/custom-strategy.ts';
import type { Mark } from '../compaction/quoting/mark.ts';
import type { CompactionSettings } from '../compaction/service-ports.ts';
import type { SummaryModel } from '../compaction/summary/model.ts';
import type { UsageMeter } from '../compaction/tokens/usage.ts';
import type { TranscriptEntry } from '../compaction/transcript-entry.ts';
import type { EditsEvent, SessionEvent, TurnEvent } from '../transcripts/session-event.ts';
import type { ApprovalPolicy, PendingApprovals } from './approvals/approval-request.ts';
import type { Attachments, NextRequestPorts } from './attachments/attachments.ts';
import type { SubAgentProgress } from './delegation/run-sub-agents.ts';
import type { FileEditor } from './edits/file-editor.ts';
import type { SessionFiles } from './edits/session-edits.ts';
import type { MemoryFile } from './memory/memory-files.ts';
import type { ChatModel } from './model.ts';
import type { Skill } from './memory/skill-files.ts';
import type { SetPlan } from './tools/update-plan.ts';
import type { RequestCompaction } from './tools/compact-tool.ts';
import type { SearchHistory } from './tools/search-history.ts';
import type { AgentTool } from './tools/support/tool.ts';

/** The models a session uses, as settings have them at one moment. */
export interface Models {
  readonly chat: ChatModel;
  /** Writes summaries where no other model is named; the chat's own where not given. */
  readonly compaction?: SummaryModel | undefined;
  /** The model of this name at the same provider, for summaries. */
  readonly named: (name: string) => SummaryModel;
}

/** What tools may have of the session that uses them. */
export interface ToolAccess {
  readonly recall: (id: string) => Message | undefined;
  readonly searchHistory: SearchHistory;
  readonly requestCompaction: RequestCompaction;
  readonly setPlan: SetPlan;
  /** Says the text of a skill behind the results of the batch. @returns whether it stands in view already */
  readonly saySkill: (name: string, text: string) => boolean;
  /** Keeps what a turn changes, so that it can be taken back; undefined where files are not to be changed. */
  readonly editor: FileEditor | undefined;
  /** How the window is shared out now. */
  readonly budget: () => Budget;
  readonly approvals: ApprovalPolicy;
  /** Asks the person, unless a rule allows it. */
  readonly approve: PendingApprovals['ask'];
  readonly showSubAgents: (callKey: string, subAgents: readonly SubAgentProgress[]) => void;
}

/** Puts what a message names behind it. */
export type Attach = Attachments['attach'];

/** What a session gets from its host. */
export interface SessionPorts {
  /** Appends to the session's file; resolves when it is there. */
  readonly log: (event: SessionEvent) => Promise<void>;
  /** Looked up at the beginning of each turn and compaction, which keeps what it began with. */
  readonly models: () => Promise<Models>;
  /** The tools that may be used in a turn. */
  readonly tools: (access: ToolAccess) => readonly AgentTool[] | Promise<readonly AgentTool[]>;
  readonly settings: () => CompactionSettings;
  /** The strategy that `custom` stands for now. */
  readonly outside?: () => Promise<CustomStrategy>;
  readonly meter: UsageMeter;
  readonly systemPrompt: () => string;
  /** What stands in the files that tell agents how to work here. */
  readonly memory?: () => Promise<readonly MemoryFile[]>;
  /** The skills that can be loaded. */
  readonly skills?: () => Promise<readonly Skill[]>;
  /** Attaches what typed messages name; without it nothing is attached. */
  readonly attachments?: (next: NextRequestPorts) => Promise<Attachments>;
  readonly approvals: ApprovalPolicy;
  /** Absent where no files are changed. */
  readonly files?: () => Promise<SessionFiles | undefined>;
  readonly now: () => number;
}

/** What is known of a session when it is opened. */
export interface SessionStart {
  readonly title: string | undefined;
  readonly entries: readonly TranscriptEntry[];
  readonly tools: readonly ToolSchema[];
  readonly lastTurn: TurnEvent | undefined;
  /** Messages that were typed and never said. */
  readonly queue?: readonly string[];
  readonly edits?: readonly EditsEvent[];
  /** Of the delimiters around what is not the person's. */
  readonly mark?: Mark;
}
