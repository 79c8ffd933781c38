import type { AgentSession } from '../../agent/session/agent-session.ts';
import type { ReportView } from '../../protocol/inspector.ts';
import type { CompactionService } from '../../compaction/service.ts';

/** What the file of another agent says beside the messages. */
export interface ForeignSession {
  /** The model of the last reply that names one. */
  readonly model: string | undefined;
  /** What its providers reported, beside our count; undefined where they reported nothing. */
  report(): Promise<ReportView | undefined>;
}

/** What the inspector reads of a session, whether it goes on or is only looked at. */
export interface InspectedSession extends Pick<AgentSession, 'transcript' | 'title' | 'activity' | 'tools'> {
  /** Of a session that was opened from a file: what that file says of its agent. */
  readonly foreign?: ForeignSession;
  /** Without an outlook where nothing compacts by itself, because it is only looked at. */
  readonly compaction: Pick<CompactionService, 'usage' | 'budget' | 'undoneWith'> &
    Partial<Pick<CompactionService, 'outlook'>>;
}
