import { setImmediate as pause } from 'node:timers/promises';
import { pinSentence } from '../../agent/session/pins.ts';
import type { CompactionForecast } from '../../compaction/service/compaction-forecast.ts';
import type { DiffRow } from '../../compaction/records/compaction-diff.ts';
import type { Message } from '../../compaction/messages/message.ts';
import type { CompactionRecord } from '../../compaction/records/record.ts';
import { headOf, tailOf } from '../../compaction/text/clip.ts';
import type {
  CompactionsNotification,
  CompactionsRequest,
  compactionsRequests,
  DiffMatch,
  Excerpt,
  ExportFormat,
} from '../../protocol/inspector-compactions.ts';
import { nextSize } from '../next-size.ts';
import type { InspectedSession, InspectorModel } from './inspector-model.ts';
import { messageText } from './message-view.ts';
import { planBringBack, rerun, restoreAll } from './record-actions.ts';
import { type MessageDiff, missingNames, type RecordDiff } from './record-diff.ts';
import { type InspectorTarget, recordedSession } from './inspector-target.ts';
import { hostSentences } from '../../language/english/host-english.ts';
import type { Sentence, SentenceValue } from '../../language/sentence.ts';
import { titleInRecord } from '../../compaction/records/custom-strategy-title.ts';
import { dispatch, type Handlers } from '../../protocol/messages.ts';

/** Functions that need the editor. */
export interface RecordDialogs {
  /** Asks the user for another strategy; undefined if the user cancels. */
  pickStrategy(current: string, undoneWith: number): Promise<string | undefined>;
  /** Saves text in a file that the user chooses, and shows it. */
  save(name: string, format: ExportFormat, text: string): Promise<void>;
  /** Copies the facts that a compaction lost to the clipboard. */
  copyMissing(session: InspectedSession, record: CompactionRecord): Promise<void>;
  /** Writes a handoff, which the user edits. */
  handOff(inspector: InspectorModel): Promise<void>;
  /** Shows a notice: a warning, unless the severity is `information`. */
  tell(sentence: Sentence, severity?: 'information'): void;
}

/** Answers the requests of the Compactions tab. */
export class CompactionsHost {
  private readonly post: (notification: CompactionsNotification) => void;
  private readonly dialogs: RecordDialogs;
  private search: AbortController | undefined;
  private readonly handlers: Handlers<typeof compactionsRequests, Promise<void>, [InspectorTarget]> = {
    pin: async ({ messageId, isPinned }, { changes }) => {
      const outcome = await changes?.pin([messageId], isPinned);
      const sentence = outcome === undefined || !isPinned ? undefined : pinSentence(outcome);
      if (sentence !== undefined) this.dialogs.tell(sentence, 'information');
    },
    'search-diff': async ({ recordId, query }, { inspector }) => {
      const diff = await inspector.messageDiff(recordId);
      if (diff !== undefined) await this.searchIn(diff, recordId, query);
    },
    missing: async ({ recordId, kind }, { inspector }) => {
      const diff = await inspector.recordDiff(recordId);
      if (diff !== undefined) this.post({ type: 'missing', recordId, kind, names: missingNames(diff)[kind] });
    },
    'plan-bring-back': async ({ recordId }, { inspector }) => {
      const diff = await inspector.recordDiff(recordId);
      if (diff !== undefined) await this.planBringBack(diff, inspector);
    },
    'bring-back': async ({ recordId, messageIds }, { inspector, changes }) => {
      const session = changes ?? recordedSession(inspector.session);
      if (session === undefined || (await inspector.recordDiff(recordId)) === undefined) return;
      await restoreAll(session, messageIds);
    },
    rerun: async ({ recordId }, { inspector, changes }) => {
      const diff = await inspector.recordDiff(recordId);
      if (diff !== undefined) await this.rerun(diff.record, changes);
    },
    flow: async ({ recordId }, { inspector }) => {
      const diff = await inspector.recordDiff(recordId);
      if (diff === undefined) return;
      const { flowOf } = await import('./record-flow.ts');
      const flow = await flowOf(diff.rows, inspector.meter, diff.record.before.byKind.tools);
      this.post({ type: 'flow', recordId, flow });
    },
    'copy-missing': async ({ recordId }, { inspector }) => {
      const diff = await inspector.recordDiff(recordId);
      if (diff !== undefined) await this.dialogs.copyMissing(inspector.session, diff.record);
    },
    'hand-off': (_, { inspector }) => this.dialogs.handOff(inspector),
    'export-record': async ({ recordId, format }, { inspector }) => {
      const diff = await inspector.recordDiff(recordId);
      if (diff !== undefined) await this.exportRecord(diff, format);
    },
  };

  constructor(post: (notification: CompactionsNotification) => void, dialogs: RecordDialogs) {
    this.post = post;
    this.dialogs = dialogs;
  }

  handle(request: CompactionsRequest, shown: InspectorTarget): Promise<void> {
    return dispatch(this.handlers, request, shown);
  }

  /** Searches a diff. Only one search runs at a time: a new search ends the previous one. */
  private async searchIn({ rows }: MessageDiff, recordId: string, query: string): Promise<void> {
    this.search?.abort();
    const search = new AbortController();
    this.search = search;
    const found = await searchDiff(rows, query, pause, search.signal);
    if (!search.signal.aborted) this.post({ type: 'diff-matches', recordId, query, ...found });
  }

  private async planBringBack(diff: RecordDiff, inspector: InspectorModel): Promise<void> {
    const { session } = inspector;
    const { messages, missing, unreachable, addedTokens } = await planBringBack(
      session.transcript,
      diff,
      inspector.meter,
      pause,
    );
    const views = await inspector.viewsOf(messages.map(({ message }) => message));
    const { tokens } = await nextSize(session);
    this.post({
      type: 'bring-back-plan',
      recordId: diff.record.id,
      plan: {
        messages: messages.flatMap(({ facts }, index) => {
          const message = views[index];
          return message === undefined ? [] : [{ message, facts }];
        }),
        missing,
        unreachable,
        tokensBefore: tokens,
        tokensAfter: tokens + addedTokens,
        trigger: nextAt(session.compaction.outlook?.() ?? {}),
      },
    });
  }

  private async rerun(record: CompactionRecord, session: InspectorTarget['changes']): Promise<void> {
    if (session === undefined) return;
    const others = session.compaction.undoneWith(record.id).length - 1;
    const strategy = await this.dialogs.pickStrategy(record.actualStrategy, Math.max(0, others));
    if (strategy === undefined) return;
    const redone = await rerun(session, record.id, strategy);
    if (redone === undefined || redone.status === 'applied') return;
    const reason = refusalReason(redone);
    const title = titleInRecord(strategy, redone);
    this.dialogs.tell(
      reason === undefined
        ? hostSentences.say('rerunPutBack', { strategy: title })
        : hostSentences.say('rerunPutBackBecause', { strategy: title, reason }),
    );
  }

  private async exportRecord({ record, before }: RecordDiff, format: ExportFormat): Promise<void> {
    const { diffHtml, diffMarkdown } = await import('../../insights/export/record-export.ts');
    const text = (format === 'html' ? diffHtml : diffMarkdown)(record, before);
    await this.dialogs.save(`compaction-${record.id}-${record.actualStrategy}`, format, text);
  }
}

/** The reason why a compaction was not applied, as a value for a sentence. */
export function refusalReason({ reason }: Pick<CompactionRecord, 'reason'>): SentenceValue | undefined {
  if (reason?.sentence === undefined) return reason?.message;
  return { ...reason.sentence, english: reason.message };
}

/** Size at which the next compaction starts; undefined if none starts automatically. */
function nextAt({ trigger, background = trigger, asks }: CompactionForecast): number | undefined {
  return asks === true ? undefined : background;
}

/** Maximum number of matches sent at once. Users do not go through more. */
const matchesAtOnce = 500;
/** Number of characters of an excerpt before, and after, the first match. */
const excerptLead = 40;
const excerptTail = 120;
/** Number of characters to search before other work gets a turn. */
const charactersPerBreath = 2_000_000;

/** Searches the messages before a compaction and its new messages, ignoring case. */
export async function searchDiff(
  rows: readonly DiffRow[],
  query: string,
  pause: () => Promise<void>,
  signal: AbortSignal,
): Promise<{ readonly matches: readonly DiffMatch[]; readonly total: number }> {
  const matches: DiffMatch[] = [];
  let total = 0;
  let searched = 0;
  if (query.trim() === '') return { matches, total };
  const pattern = new RegExp(query.replace(/[\\^$.*+?()[\]{}|/]/gu, String.raw`\$&`), 'giu');
  const look = (index: number, { id: messageId }: Message, text: string, side: DiffMatch['side']) => {
    const found = placesIn(text, pattern);
    if (found === undefined) return;
    total++;
    if (matches.length < matchesAtOnce) matches.push({ index, messageId, side, ...found });
  };
  for (const [index, { action, sources, output }] of rows.entries()) {
    const side = action.kind === 'keep' ? 'both' : 'before';
    const texts = [
      ...sources.map((message) => ({ message, side }) as const),
      ...(output === undefined ? [] : [{ message: output, side: 'after' } as const]),
    ];
    for (const { message, side: where } of texts) {
      const text = messageText(message);
      look(index, message, text, where);
      searched += text.length;
      if (searched < charactersPerBreath) continue;
      searched = 0;
      await pause();
      if (signal.aborted) return { matches, total };
    }
  }
  return { matches, total };
}

function placesIn(text: string, pattern: RegExp): Pick<DiffMatch, 'count' | 'excerpt'> | undefined {
  let count = 0;
  let first: RegExpMatchArray | undefined;
  for (const match of text.matchAll(pattern)) {
    first ??= match;
    count++;
  }
  return first === undefined ? undefined : { count, excerpt: excerptAround(text, first) };
}

function excerptAround(text: string, { index = 0, 0: match }: RegExpMatchArray): Excerpt {
  const end = index + match.length;
  const fold = (part: string) => part.replace(/\s+/gu, ' ');
  const before = tailOf(text.slice(0, index), excerptLead);
  const after = headOf(text.slice(end), excerptTail);
  return {
    before: `${before.length < index ? '…' : ''}${fold(before)}`,
    match: fold(match),
    after: `${fold(after)}${end + after.length < text.length ? '…' : ''}`,
  };
}
