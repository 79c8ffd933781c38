import type { ModelFacts } from '../../compaction/budget/model-table.ts';
import type { Message } from '../../compaction/messages/message.ts';
import { hideId, rewindId, rewrittenId } from '../../compaction/records/record.ts';
import { headOf, tailOf } from '../../compaction/text/clip.ts';
import type { UsageMeter } from '../../compaction/tokens/usage.ts';
import { breakSentence, changedTools, listedNames } from '../../insights/break-sentence.ts';
import { type BreakGroup, cacheBreaks } from '../../insights/cache-breaks.ts';
import {
  type DifferenceCause,
  requestDifference,
  type RequestDifference,
  type RequestPiece,
} from '../../insights/request-difference.ts';
import { type RequestPair, requestsAround, sentForm } from '../../insights/sent-request.ts';
import { moneyOfRewriting } from '../../insights/session-cost.ts';
import type { TimelineCall } from '../../insights/session-timeline.ts';
import { hostSentences } from '../../language/english/host-english.ts';
import { insightsSentences } from '../../language/english/insights-english.ts';
import type { Sentence } from '../../language/sentence.ts';
import { strategyTitle } from '../../language/english/strategy-titles-english.ts';
import type { Wording } from '../../language/translated/wording.ts';
import type {
  BreakGroupView,
  DifferenceSide,
  MarkedText,
  RequestDifferenceView,
} from '../../protocol/inspector-timeline.ts';
import type { InspectorModel } from './inspector-model.ts';
import { messageText } from './message-view.ts';
import { sessionTools } from './timeline-feed.ts';

/** Maximum characters shown before, in and after a difference: together about a screenful. */
const around = 240;
const longestChange = 900;
/** Maximum listed causes of cache breaks, and characters of each. */
const mostCauses = 50;
const longestCause = 300;

/** Facts for wording and pricing a difference. */
interface DifferenceContext {
  /** All requests of the session. */
  readonly calls: readonly TimelineCall[];
  /** Model of the replies that name none; undefined if unknown. */
  readonly model: string | undefined;
  readonly factsOf: (model: string) => ModelFacts;
  readonly wording: Wording;
}

/**
 * Compares a request with the previous one; undefined if it is the first.
 *
 * @param messageId id of the reply to the request
 */
export async function requestDifferenceView(
  inspector: Pick<InspectorModel, 'session' | 'meter' | 'viewsOf'>,
  messageId: string,
  context: DifferenceContext,
): Promise<RequestDifferenceView | undefined> {
  const { session, meter } = inspector;
  const { entries } = session.transcript;
  const pair = requestsAround(entries, sessionTools(session), messageId);
  if (pair === undefined) return undefined;
  const difference = await requestDifference(pair, entries, meter);
  const groups = cacheBreaks(context.calls, context);
  const isMissed = groups.some(({ breaks }) => breaks.some((one) => one.messageId === messageId));
  const { cause, keptTokens, againTokens, newTokens, newMessages } = difference;
  const { modelId = context.model, usage } = pair.after.reply;
  const money =
    modelId === undefined || againTokens === 0
      ? undefined
      : moneyOfRewriting(againTokens, context.factsOf(modelId));
  return {
    messageId,
    request: pair.number,
    cause: [...sentencesOn(pair, difference, isMissed), ...(await arrivals(newMessages, meter))].map(
      (sentence) => context.wording.text(sentence),
    ),
    recordId: cause.type === 'compaction' ? cause.recordId : undefined,
    ...(await sidesOf(difference, inspector, context.wording)),
    kept: keptTokens,
    again: againTokens,
    fresh: newTokens,
    money,
    reportedCached: usage?.cachedInputTokens,
    breaks: groups.slice(0, mostCauses).map((group) => breakView(group, context.wording)),
  };
}

function breakView({ breaks, tokens, dollars }: BreakGroup, wording: Wording): BreakGroupView {
  const [first] = breaks.toSorted((one, other) => one.request - other.request);
  const { messageId } = first!;
  const cause = headOf(wording.text(breakSentence(first!)), longestCause);
  return { cause, count: breaks.length, tokens, dollars, messageId };
}

/** @param isMissed true if the provider's cache served less than it could */
function sentencesOn(
  pair: RequestPair,
  { cause, before }: RequestDifference,
  isMissed: boolean,
): readonly Sentence[] {
  if (cause.type !== 'none') {
    const place = cause.type === 'model' || cause.type === 'tools' ? undefined : placeSentence(before);
    return [causeSentence(cause), ...(place === undefined ? [] : [place])];
  }
  const same = insightsSentences.say('differenceNone');
  if (!isMissed) return [same];
  const [one, other] = [pair.before, pair.after].map(({ reply }) => Date.parse(reply.createdAt));
  const minutes = Math.max(0, Math.round(((other ?? 0) - (one ?? 0)) / 60_000)) || 0;
  return [same, insightsSentences.say('differenceExpired', { minutes })];
}

function causeSentence(cause: Exclude<DifferenceCause, { type: 'none' }>): Sentence {
  switch (cause.type) {
    case 'model':
      return insightsSentences.say('differenceModel', { before: cause.before, after: cause.after });
    case 'tools': {
      const changes = changedTools(cause);
      return changes.length === 0
        ? insightsSentences.say('differenceToolOrder')
        : insightsSentences.say('differenceTools', { changes });
    }
    case 'compaction': {
      const { strategy } = cause;
      if (strategy === hideId) return insightsSentences.say('differenceHidden');
      if (strategy === rewindId) return insightsSentences.say('differenceRewound');
      if (strategy === rewrittenId) return insightsSentences.say('differenceRewritten');
      return insightsSentences.say('differenceCompaction', { strategy: strategyTitle(strategy) });
    }
    case 'undo':
      return insightsSentences.say('differenceUndo', { count: cause.recordIds.length });
    case 'restore':
      return insightsSentences.say('differenceRestore', { count: cause.messageIds.length });
    case 'late-result':
      return insightsSentences.say('differenceLate');
  }
}

/** Sentences about new parts that the user did not type and may suspect to be the cause, with their tokens. */
async function arrivals(messages: readonly Message[], meter: UsageMeter): Promise<readonly Sentence[]> {
  const memory = messages.filter(({ kind }) => kind === 'memory');
  const system = messages.filter(({ role }) => role === 'system' || role === 'developer');
  const attached = messages.filter((message) => message.attached !== undefined);
  const [memoryTokens, systemTokens, attachedTokens] = await Promise.all(
    [memory, system, attached].map(async (some) => (await meter.measure(some)).total),
  );
  const sources = listedNames([...new Set(memory.flatMap(({ source }) => source ?? []))]);
  return [
    ...(memory.length === 0
      ? []
      : [insightsSentences.say('newMemory', { sources, tokens: memoryTokens ?? 0 })]),
    ...(system.length === 0 ? [] : [insightsSentences.say('newSystem', { tokens: systemTokens ?? 0 })]),
    ...(attached.length === 0
      ? []
      : [insightsSentences.say('newAttachments', { count: attached.length, tokens: attachedTokens ?? 0 })]),
  ];
}

/** Names the first changed part if users would not expect it in the conversation. */
function placeSentence(piece: RequestPiece | undefined): Sentence | undefined {
  if (piece?.type !== 'message') return undefined;
  const { role, kind, source, attached } = piece.message;
  if (role === 'system' || role === 'developer') return insightsSentences.say('firstChangeSystem');
  if (kind === 'memory') return insightsSentences.say('firstChangeMemory', { source: source ?? '' });
  return attached === undefined ? undefined : insightsSentences.say('firstChangeAttachments');
}

async function sidesOf(
  { cause, before, after }: RequestDifference,
  inspector: Pick<InspectorModel, 'viewsOf'>,
  wording: Wording,
): Promise<Pick<RequestDifferenceView, 'before' | 'after'>> {
  if (cause.type === 'none' || cause.type === 'model') return { before: undefined, after: undefined };
  const texts = [textOfPiece(before), textOfPiece(after)] as const;
  // Messages can differ outside their text, for example in the call that a result answers.
  const isTextSame = texts[0] === texts[1];
  const [one, other] = isTextSame ? [formOf(before), formOf(after)] : texts;
  const [earlier, later] = markedTexts(one, other);
  const sideOf = async (
    piece: RequestPiece | undefined,
    text: MarkedText,
  ): Promise<DifferenceSide | undefined> => {
    if (piece === undefined) return undefined;
    if (piece.type === 'tool') {
      return { title: wording.text(hostSentences.say('titleTools')), label: piece.tool.function.name, text };
    }
    const [view] = await inspector.viewsOf([piece.message]);
    return { title: view?.title ?? '', label: view?.label ?? '', text };
  };
  return { before: await sideOf(before, earlier), after: await sideOf(after, later) };
}

function textOfPiece(piece: RequestPiece | undefined): string {
  if (piece === undefined) return '';
  return piece.type === 'tool' ? formOf(piece) : messageText(piece.message);
}

function formOf(piece: RequestPiece | undefined): string {
  if (piece === undefined) return '';
  const sent: unknown = piece.type === 'tool' ? piece.tool : JSON.parse(sentForm(piece.message));
  return JSON.stringify(sent, undefined, 2);
}

/** Reduces two texts to their first difference and the text around it. */
export function markedTexts(one: string, other: string): readonly [MarkedText, MarkedText] {
  let start = 0;
  const shorter = Math.min(one.length, other.length);
  while (start < shorter && one[start] === other[start]) start++;
  const head = headOf(one, start).length;
  let end = 0;
  while (end < shorter - head && one.at(-1 - end) === other.at(-1 - end)) end++;
  const tail = tailOf(one, end).length;
  return [marked(one, head, tail), marked(other, head, tail)];
}

/** @param head number of equal characters before the difference @param tail number of equal characters after it */
function marked(text: string, head: number, tail: number): MarkedText {
  const alike = tailOf(text.slice(0, head), around);
  const whole = text.slice(head, text.length - tail);
  const changed = headOf(whole, longestChange);
  const rest = changed.length < whole.length ? '' : headOf(text.slice(text.length - tail), around);
  return {
    isCutBefore: alike.length < head,
    alike,
    changed,
    rest,
    isCutAfter: head + changed.length + rest.length < text.length,
  };
}
