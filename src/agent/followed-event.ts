import type { EditsEvent, SessionEvent } from '../transcripts/session-event.ts';
import type { SessionEdits } from './edits/session-edits.ts';
import type { Journal } from './journal.ts';
import type { LastTurn } from './last-turn.ts';
import type { MessageQueue } from './message-queue.ts';
import type { AgentEvent } from './session-events.ts';

/** The parts of a session that another window's lines reach. */
export interface FollowingParts {
  readonly journal: Journal;
  readonly turn: LastTurn;
  readonly queue: MessageQueue;
  readonly edits: SessionEdits;
  readonly named: (title: string) => void;
  readonly emit: (event: AgentEvent) => void;
}

/** Takes in a line that another window wrote, as if it had happened here. Nothing is written. */
export function followEvent(event: SessionEvent, parts: FollowingParts): void {
  switch (event.type) {
    case 'session':
      return;
    case 'title':
      parts.named(event.title);
      parts.emit(event);
      return;
    case 'tools':
      parts.journal.followTools(event.tools);
      return;
    case 'partial':
      parts.emit({ type: 'text', messageId: event.messageId, text: event.text });
      return;
    case 'turn':
      parts.turn.follow(event);
      return;
    case 'queue':
      parts.queue.follow(event.texts);
      return;
    case 'edits':
      followEdits(event, parts);
      return;
    default:
      // Whatever comes after a turn that broke off belongs to the next one.
      parts.turn.follow(undefined);
      parts.journal.follow(event);
  }
}

function followEdits(event: EditsEvent, { edits, emit }: FollowingParts): void {
  edits.follow(event);
  emit({ type: 'edits', edits: event });
}
