import type { CompactionService } from '../../compaction/service/service.ts';
import type { CallStops } from './exclusive-work.ts';
import type { PendingApprovals } from '../approvals/approval-request.ts';
import type { Ingest } from '../ingest/ingest.ts';
import type { Journal } from './journal.ts';
import type { ChatModel } from '../model/chat-model.ts';
import type { Activity, AgentEvent } from './session-ports.ts';
import type { AgentTool } from '../tools/support/tool.ts';
import type { Phrase } from '../../compaction/records/record.ts';
import { SentenceError } from '../../language/sentence.ts';

/** The model, the tools and the other ports of a turn. */
export interface TurnContext {
  readonly journal: Journal;
  readonly model: ChatModel;
  readonly tools: readonly AgentTool[];
  readonly compaction: CompactionService;
  readonly approvals: PendingApprovals;
  readonly stops: CallStops;
  readonly ingest: Ingest;
  now(): string;
  /** Called with streamed text after it is stored. */
  showText(messageId: string, text: string): void;
  showReasoning(messageId: string, text: string): void;
  warn(message: Phrase): void;
  showAction(callKey: string): void;
  showOutput(callKey: string, text: string): void;
  setActivity(activity: Exclude<Activity, 'idle' | 'compacting'>): void;
  calledAll(): Promise<void>;
  /** Called between two model calls, when the context may change. */
  pause(signal: AbortSignal): Promise<void>;
}

/** Error for a turn that ended early. Its message is for the user. */
export class TurnError extends SentenceError {
  override readonly name = 'TurnError';
}

/** Creates callbacks that emit the events of a turn as events of its session. */
export function shownBy(emit: (event: AgentEvent) => void) {
  return {
    showText: (messageId: string, text: string) => emit({ type: 'text', messageId, text }),
    showReasoning: (messageId: string, text: string) => emit({ type: 'reasoning', messageId, text }),
    warn: (message: Phrase) => emit({ type: 'warning', message }),
    showAction: (callKey: string) => emit({ type: 'action', callKey }),
    showOutput: (callKey: string, text: string) => emit({ type: 'output', callKey, text }),
  };
}
