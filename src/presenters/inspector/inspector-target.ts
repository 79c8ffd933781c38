import type { AgentSession } from '../../agent/session/agent-session.ts';
import type { CompactionService } from '../../compaction/service/service.ts';
import type { ModelChoice } from '../models/model-choice.ts';
import type { InspectedSession, InspectorModel } from './inspector-model.ts';

/** The part of a session that takes compactions back. */
export interface UndoableSession extends Pick<AgentSession, 'transcript' | 'undo' | 'restore'> {
  readonly compaction: Pick<CompactionService, 'undoneWith'>;
}

/** The operations that the inspector uses to change a chat. */
export type ChangeableSession = Pick<
  AgentSession,
  'transcript' | 'undo' | 'restore' | 'pin' | 'compactNow' | 'applyRecord' | 'preview'
> & {
  readonly compaction: Pick<CompactionService, 'undoneWith' | 'previewEdited'>;
};

/** The session that the inspector shows, to which all requests of its page refer. */
export interface InspectorTarget {
  readonly inspector: InspectorModel;
  /** True for the active chat; false for a sub-agent and for a session of another agent. */
  readonly isChat: boolean;
  /** The chat, if this window may change it; otherwise undefined. */
  readonly changes: ChangeableSession | undefined;
  readonly model: ModelChoice;
}

/** A recorded conversation, whose proxy makes the changes; undefined without a recording. */
export function recordedSession({
  proxy,
  transcript,
  compaction,
}: InspectedSession): UndoableSession | undefined {
  if (proxy === undefined) return undefined;
  return {
    transcript,
    compaction,
    undo: async (recordId) => {
      await proxy.ask({ undo: recordId });
      return compaction.undoneWith(recordId);
    },
    restore: async (messageId) => {
      await proxy.ask({ restore: messageId });
      return [messageId];
    },
  };
}
