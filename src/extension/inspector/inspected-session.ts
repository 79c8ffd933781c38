import type { AgentSession } from '../../agent/session.ts';
import type { CompactionService } from '../../compaction/service.ts';

/** What the inspector reads of a session, whether it goes on or is only looked at. */
export interface InspectedSession extends Pick<AgentSession, 'transcript' | 'title' | 'activity' | 'tools'> {
  /** Without an outlook where nothing compacts by itself, because it is only looked at. */
  readonly compaction: Pick<CompactionService, 'usage' | 'budget' | 'undoneWith'> &
    Partial<Pick<CompactionService, 'outlook'>>;
}
