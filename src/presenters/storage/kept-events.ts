import {
  isEntry,
  type PartialEvent,
  type SessionEvent,
  type SessionHeader,
} from '../../transcripts/session/session-event.ts';
import type { SessionContents } from '../../transcripts/session/session-format.ts';

/** The events in a session's file, without superseded events. Needed to write the file again if it is lost. */
export class KeptEvents {
  private readonly header: SessionHeader;
  private readonly entries: SessionEvent[] = [];
  /** The newest event of each kind; for edits, the newest event of each turn. */
  private readonly newest = new Map<string, SessionEvent>();
  private partials: PartialEvent[] = [];

  constructor(header: SessionHeader) {
    this.header = header;
  }

  /** @param header used if the session has no readable header */
  static of(contents: SessionContents, header: SessionHeader): KeptEvents {
    const kept = new KeptEvents(contents.header ?? header);
    const { title, toolSet, entries, edits, queue, lastTurn, unfinished } = contents;
    const events: readonly SessionEvent[] = [
      ...(title === undefined ? [] : [{ type: 'title', title } as const]),
      ...(toolSet.tools.length === 0 ? [] : [{ type: 'tools', ...toolSet } as const]),
      ...entries,
      ...edits,
      ...(queue.length === 0 ? [] : [{ type: 'queue', texts: queue } as const]),
      ...(lastTurn === undefined ? [] : [lastTurn]),
      ...(unfinished === undefined ? [] : [{ type: 'partial', ...unfinished } as const]),
    ];
    for (const event of events) kept.add(event);
    return kept;
  }

  get all(): readonly SessionEvent[] {
    return [this.header, ...this.entries, ...this.newest.values(), ...this.partials];
  }

  add(event: SessionEvent): void {
    if (isEntry(event)) {
      this.entries.push(event);
      this.newest.delete('turn');
      if (event.type === 'message') {
        this.partials = this.partials.filter(({ messageId }) => messageId !== event.message.id);
      }
    } else if (event.type === 'partial') this.partials.push(event);
    else this.newest.set(event.type === 'edits' ? `edits ${event.turnId}` : event.type, event);
  }
}
