import type { CompactionEvent } from '../compaction/service-ports.ts';
import type { TranscriptEntry } from '../compaction/transcript-entry.ts';
import type { EditsEvent, TurnEvent } from '../transcripts/session-event.ts';
import type { ApprovalRequest } from './approvals/approval-request.ts';
import type { SubAgentProgress } from './delegation/run-sub-agents.ts';

/** `approval`: nothing goes on until a person has answered. */
export type Activity = 'idle' | 'waiting' | 'streaming' | 'tools' | 'approval' | 'compacting';

/** What happens in a session, told after it was made durable. */
export type AgentEvent =
  | { readonly type: 'entry'; readonly entry: TranscriptEntry }
  | { readonly type: 'text'; readonly messageId: string; readonly text: string }
  | { readonly type: 'reasoning'; readonly messageId: string; readonly text: string }
  | { readonly type: 'activity'; readonly activity: Activity }
  | { readonly type: 'turn'; readonly turn: TurnEvent | undefined }
  | { readonly type: 'title'; readonly title: string }
  /** Something that a person should know and that stops nothing; one or two sentences. */
  | { readonly type: 'warning'; readonly message: string }
  /** An action waits for a person; without a request it does not wait any more. */
  | { readonly type: 'approval'; readonly callKey: string; readonly request: ApprovalRequest | undefined }
  /** An action that is running can be stopped by itself from here on. */
  | { readonly type: 'action'; readonly callKey: string }
  /** What an action that is running has put out since the last time. */
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
