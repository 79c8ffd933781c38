import type { ModelFacts } from '../../compaction/budget/model-table.ts';
import { kinds } from '../../compaction/messages/message.ts';
import { sameToolsThroughout, type ToolHistory } from '../../compaction/transcript/transcript-entry.ts';
import { manuallyHidden } from '../../compaction/transcript/view.ts';
import type { UsageMeter } from '../../compaction/tokens/usage.ts';
import { cacheBreaks } from '../../insights/cache-breaks.ts';
import {
  createTimeline,
  type Timeline,
  type TimelineCall,
  type TimelineEvent,
  type TimelineReader,
} from '../../insights/session-timeline.ts';
import { moneyOf } from '../../insights/session-cost.ts';
import type { CallPoint, MarkPoint, TimelineNotification } from '../../protocol/inspector-timeline.ts';
import type { InspectedSession, InspectorModel } from './inspector-model.ts';
import { wirePoints } from './wire-points.ts';
import { setImmediate as pause } from 'node:timers/promises';

/** Number of entries that are read before other work gets a turn. */
const entriesAtOnce = 400;
/** Number of newest requests whose exchanges may be recorded after the page received them. */
const mostLate = 4;

/** A session and its meter. Callers pass the same object as long as entries are only added. */
type Measured = Pick<InspectorModel, 'session' | 'transcript' | 'meter'>;

/** Facts for pricing requests. */
interface Prices {
  /** Model of the replies that name none; undefined if unknown. */
  readonly model: string | undefined;
  readonly factsOf: (model: string) => ModelFacts;
}

interface Reading {
  readonly meter: UsageMeter;
  readonly tools: ToolHistory;
  readonly generation: number;
  readonly read: TimelineReader;
  /** Number of entries already read. */
  done: number;
}

/** The tools of a session over time. If changes are unknown, the tools count as unchanged. */
export function sessionTools({
  tools,
  toolHistory,
}: Pick<InspectedSession, 'tools' | 'toolHistory'>): ToolHistory {
  return toolHistory ?? sameToolsThroughout(tools);
}

function isSame(one: ToolHistory, other: ToolHistory): boolean {
  return one.length === other.length && one.every(({ tools }, index) => tools === other[index]?.tools);
}

/** The timelines of sessions, extended as entries are added. */
export class TimelineFeed {
  private readonly readings = new WeakMap<object, Reading>();
  private generations = 0;

  async timeline(inspector: Measured): Promise<Timeline> {
    return (await this.readOn(inspector)).timeline;
  }

  /** The requests that a page lacks; all requests if the page's generation is outdated. */
  async since(
    inspector: Measured,
    known: { readonly generation: number; readonly from: number },
    prices: Prices,
  ): Promise<Omit<TimelineNotification, 'type' | 'sessionId'>> {
    const { timeline, generation } = await this.readOn(inspector);
    const { exchanges = [] } = inspector.session;
    const isKnown = known.generation === generation && known.from <= timeline.calls.length;
    const lateFrom = exchanges.length === 0 ? known.from : Math.max(0, known.from - mostLate);
    const from = isKnown ? lateFrom : 0;
    const ids = timeline.calls.map(({ messageId }) => messageId);
    const { byReply, failures } = wirePoints(exchanges, ids);
    const hidden = manuallyHidden(inspector.transcript.entries);
    const news = timeline.calls.slice(from);
    const costs = moneyOf(news, [], prices.model, prices.factsOf).calls;
    const breaks = cacheBreaks(timeline.calls, prices).flatMap((group) => group.breaks);
    const missed = new Set(breaks.map(({ request }) => request - 1));
    return {
      generation,
      from,
      calls: news.map((call, index) => ({
        ...callPoint(call),
        isMissed: missed.has(from + index),
        cost: costs[index]?.money?.total,
        wire: byReply.get(call.messageId),
      })),
      marks: [...timeline.events.map(markPoint), ...failures].toSorted(
        (one, other) => one.atCall - other.atCall,
      ),
      hidden: timeline.calls.flatMap(({ messageId }, index) => (hidden.has(messageId) ? [index] : [])),
    };
  }

  private async readOn(
    inspector: Measured,
  ): Promise<{ readonly timeline: Timeline; readonly generation: number }> {
    const { entries } = inspector.transcript;
    const reading = this.readingOf(inspector);
    for (let end = reading.done + entriesAtOnce; end < entries.length; end += entriesAtOnce) {
      await reading.read(entries.slice(0, end));
      await pause();
    }
    const timeline = await reading.read(entries);
    reading.done = Math.max(reading.done, entries.length);
    return { timeline, generation: reading.generation };
  }

  /** Returns the reading of a session, or a new reading if the session is counted differently or has other tools. */
  private readingOf(inspector: Measured): Reading {
    const { session, meter } = inspector;
    const known = this.readings.get(inspector);
    const tools = sessionTools(session);
    if (known?.meter === meter && isSame(known.tools, tools)) return known;
    const reading: Reading = {
      meter,
      tools,
      generation: ++this.generations,
      read: createTimeline(meter, tools),
      done: 0,
    };
    this.readings.set(inspector, reading);
    return reading;
  }
}

function callPoint({
  messageId,
  firstId,
  createdAt,
  byKind,
  reported,
}: TimelineCall): Omit<CallPoint, 'isMissed' | 'cost'> {
  return {
    messageId,
    firstId,
    at: createdAt,
    byKind: kinds.map((kind) => byKind[kind]),
    reported: reported?.inputTokens,
    cached: reported?.cachedInputTokens,
  };
}

function markPoint(event: TimelineEvent): MarkPoint {
  const { atCall } = event;
  switch (event.type) {
    case 'undo': {
      const { type, recordIds } = event;
      return { type, atCall, recordId: recordIds.at(-1), compactions: recordIds.length };
    }
    case 'restore':
      return { type: event.type, atCall, messages: event.messageIds.length };
    default:
      return event;
  }
}
