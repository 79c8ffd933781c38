import { CancelledError } from '../../compaction/signals/cancellation.ts';
import { phraseOf, recordedText } from '../../compaction/records/reason.ts';
import {
  type EditsEvent,
  type SessionEvent,
  type TurnEvent,
} from '../../transcripts/session/session-event.ts';
import type { SessionEdits } from '../edits/session-edits.ts';
import type { Journal } from './journal.ts';
import type { MessageQueue } from './message-queue.ts';
import type { AgentEvent } from './session-ports.ts';
import type { Sentence } from '../../language/sentence.ts';

/** The end of the last turn if it was stopped or failed; undefined during a turn or after a complete answer. */
export class LastTurn {
  private turn: TurnEvent | undefined;
  private readonly write: (turn: TurnEvent) => Promise<void>;
  private readonly changed: (turn: TurnEvent | undefined) => void;

  /** @param changed called after each change, once it was written or could not be written */
  constructor(
    turn: TurnEvent | undefined,
    write: (turn: TurnEvent) => Promise<void>,
    changed: (turn: TurnEvent | undefined) => void,
  ) {
    this.turn = turn;
    this.write = write;
    this.changed = changed;
  }

  get event(): TurnEvent | undefined {
    return this.turn;
  }

  /** Takes over another window's report that the turn has ended or that a new turn has begun. */
  follow(turn: TurnEvent | undefined): void {
    if (turn === this.turn) return;
    this.turn = turn;
    this.changed(turn);
  }

  async clear(): Promise<void> {
    await this.set(undefined);
  }

  /**
   * Handles an error that ended the turn. @param wasAborted true after a stop @returns true for a stopped
   * turn
   */
  async brokeOff(error: unknown, wasAborted: boolean): Promise<boolean> {
    const isStopped = error instanceof CancelledError || wasAborted;
    await this.set({
      type: 'turn',
      outcome: isStopped ? 'stopped' : 'failed',
      ...recordedText(isStopped ? await stopped() : phraseOf(error)),
    });
    return isStopped;
  }

  private async set(turn: TurnEvent | undefined): Promise<void> {
    if (turn === this.turn) return;
    this.turn = turn;
    try {
      if (turn !== undefined) await this.write(turn);
    } catch {
      // The end is reported even if it cannot be written, because a full disk may have ended the turn.
    }
    this.changed(turn);
  }
}

/** Loads the sentence on demand, so that activation does not load it. */
async function stopped(): Promise<Sentence> {
  const { modelsSentences } = await import('../../language/english/models-english.ts');
  return modelsSentences.say('stopped');
}

/** The parts of a session that lines of another window can change. */
interface FollowingParts {
  readonly journal: Journal;
  readonly turn: LastTurn;
  readonly queue: MessageQueue;
  readonly edits: SessionEdits;
  readonly named: (title: string) => void;
  readonly emit: (event: AgentEvent) => void;
}

export function followEvent(event: SessionEvent, parts: FollowingParts): void {
  switch (event.type) {
    case 'session':
    case 'exchange':
    case 'history':
      return;
    case 'title':
      parts.named(event.title);
      parts.emit(event);
      return;
    case 'tools':
      parts.journal.follow(event);
      parts.emit({ type: 'tools' });
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
      // Any line after the end of a failed turn belongs to the next turn.
      parts.turn.follow(undefined);
      parts.journal.follow(event);
  }
}

function followEdits(event: EditsEvent, { edits, emit }: FollowingParts): void {
  edits.follow(event);
  emit({ type: 'edits', edits: event });
}
