import { rewrittenId } from '../../compaction/records/record.ts';
import type { SessionEvent } from '../../transcripts/session/session-event.ts';
import { Journal } from '../session/journal.ts';
import { withoutRecall } from './without-recall.ts';

/** The journal of a client's conversation. The client has no tool that recalls a message. */
export class ClientJournal extends Journal {
  override append(event: SessionEvent, options?: { readonly evenUnsaved: boolean }): Promise<void> {
    const isOurs = event.type === 'compaction' && event.record.requestedStrategy !== rewrittenId;
    return super.append(isOurs ? { ...event, record: withoutRecall(event.record) } : event, options);
  }
}
