import { rewrittenId } from '../../compaction/records/record.ts';
import type { SessionEvent } from '../../transcripts/session/session-event.ts';
import { Journal } from '../session/journal.ts';
import { withoutRecall } from './without-recall.ts';

type Started = ConstructorParameters<typeof Journal>;

/** The journal of a client's conversation. Our compactions name a tool that recalls a message only if there is one. */
export class ClientJournal extends Journal {
  private readonly canRecall: boolean;

  constructor(start: Started[0], log: Started[1], canRecall: boolean) {
    super(start, log, () => {});
    this.canRecall = canRecall;
  }

  override append(event: SessionEvent, options?: { readonly evenUnsaved: boolean }): Promise<void> {
    const isOurs = event.type === 'compaction' && event.record.requestedStrategy !== rewrittenId;
    const isHinting = isOurs && !this.canRecall;
    return super.append(isHinting ? { ...event, record: withoutRecall(event.record) } : event, options);
  }
}
