import { shownCommand } from '../../compaction/ledger/call-words.ts';
import { callsByResult } from '../../compaction/messages/exchange.ts';
import { kindOf, type Message } from '../../compaction/messages/message.ts';
import type { UsageMeter } from '../../compaction/tokens/usage.ts';
import { fromFolder } from '../../compaction/text/from-folder.ts';
import { folderNamedIn, messagesOf, type Transcript } from '../../compaction/transcript/transcript.ts';
import { manuallyHidden } from '../../compaction/transcript/view.ts';
import { createArchiveSearch, type ArchiveSearch } from '../../insights/archive-search.ts';
import { sessionFacts, type SourcedFact } from '../../insights/session-facts.ts';
import { messageTitle } from '../../insights/held-parts.ts';
import {
  type ArchiveHit,
  type FactCount,
  type FactFilter,
  type FactKind,
  type FactSource,
  type FactView,
  factKindOf,
  factKinds,
  heldNoLonger,
  type LedgerNotification,
  type PresenceName,
} from '../../protocol/inspector-ledger.ts';
import type { InspectorModel } from './inspector-model.ts';
import { nodeSlices } from '../../agent/node-slices.ts';
import { ellipsised } from '../../compaction/text/clip.ts';

const factsAtOnce = 100;
/** Maximum number of sources of a fact that are sent. */
const mostSources = 8;
/** Maximum characters of a fact that are sent. */
const longestFact = 600;

export type FactPage = Omit<Extract<LedgerNotification, { type: 'facts' }>, 'type' | 'sessionId'>;

/** A session to search. Callers pass the same object as long as entries are only added. */
type Searched = Pick<InspectorModel, 'transcript'>;

/** Lists the facts of sessions and searches their messages. */
export interface LedgerReader {
  /**
   * Facts that pass a filter, starting at a position. Facts that are gone come first, then the order is that of
   * `factKinds`; files are in the order of their paths.
   */
  facts(session: Searched, filter: FactFilter, from: number): Promise<FactPage>;
  /** Indexes all messages of the session, even removed messages, so that the first search does not have to wait. */
  prepareSearch(session: Searched, meter: UsageMeter): Promise<void>;
  /** Searches all messages of the session, even messages that are no longer in context. */
  search(session: Searched, meter: UsageMeter, query: string, most: number): Promise<Found>;
}

interface Known {
  readonly transcript: Transcript;
  readonly facts: readonly SourcedFact[];
  readonly messages: ReadonlyMap<string, Message>;
  readonly callOf: ReturnType<typeof callsByResult>;
  readonly inView: ReadonlySet<Message>;
  /** Folder of the session, to which paths are relative. */
  readonly folder: string | undefined;
  /** Ids of messages that the user hid and has not shown again. */
  readonly hidden: ReadonlySet<string>;
}

interface Search {
  readonly meter: UsageMeter;
  readonly search: ArchiveSearch;
}

/** Matching messages, best first. */
export interface Found {
  readonly hits: readonly ArchiveHit[];
  /** True if there are more matches, with lower scores. */
  readonly hasMore: boolean;
}

/** The facts of sessions, and a search over all their messages. */
export class LedgerFeed implements LedgerReader {
  private readonly known = new WeakMap<object, Known>();
  private readonly searches = new WeakMap<object, Search>();
  /** Messages whose facts have been extracted. Extracting them again is fast. */
  private readonly read = new WeakSet<Message>();

  async facts(session: Searched, filter: FactFilter, from: number): Promise<FactPage> {
    const known = await this.of(session);
    const matching = known.facts.filter(passes(filter));
    return {
      filter,
      from,
      facts: matching.slice(from, from + factsAtOnce).map((fact) => factView(fact, known)),
      total: matching.length,
      byKind: countedByKind(known.facts),
      byPresence: countedByPresence(known.facts),
    };
  }

  async prepareSearch(session: Searched, meter: UsageMeter): Promise<void> {
    await this.searchOf(session, meter)(session.transcript, '', 0);
  }

  async search(session: Searched, meter: UsageMeter, query: string, most: number): Promise<Found> {
    const { transcript } = session;
    const found = await this.searchOf(session, meter)(transcript, query, most + 1);
    const matches = found.slice(0, most);
    const { messages, callOf, hidden } = placesOf(transcript);
    const said = matches.map(({ messageId }) => messages.get(messageId)).filter((one) => one !== undefined);
    const usages = await meter.measureEach(said);
    const tokens = new Map(said.map(({ id }, index) => [id, usages[index]?.total ?? 0]));
    const hits = matches.map((match): ArchiveHit => {
      const { messageId } = match;
      const message = messages.get(messageId);
      return {
        ...match,
        title: message === undefined ? messageId : messageTitle(message, callOf.get(messageId)),
        tokens: tokens.get(messageId) ?? 0,
        isPinned: transcript.pins.has(messageId),
        isHidden: hidden.has(messageId) || undefined,
      };
    });
    return { hits, hasMore: found.length > most };
  }

  private async of({ transcript }: Searched): Promise<Known> {
    const known = this.known.get(transcript);
    if (known !== undefined) return known;
    await this.readAhead(transcript);
    const fresh = { transcript, facts: sessionFacts(transcript).toSorted(inOrder), ...placesOf(transcript) };
    this.known.set(transcript, fresh);
    return fresh;
  }

  /** Extracts the facts of new messages in slices, because a long session would block the host. */
  private async readAhead(transcript: Transcript): Promise<void> {
    const fresh = messagesOf(transcript).filter((message) => !this.read.has(message));
    const slices = nodeSlices();
    for (const message of fresh) {
      sessionFacts({ entries: [{ type: 'message', message }], view: [] });
      this.read.add(message);
      if (slices.isOver) await slices.next();
    }
  }

  /** Indexes new messages in slices. Counting runs on another thread. */
  private searchOf(session: Searched, meter: UsageMeter): ArchiveSearch {
    const known = this.searches.get(session);
    if (known?.meter === meter) return known.search;
    const search = createArchiveSearch((texts) => meter.countTexts(texts));
    this.searches.set(session, { meter, search });
    return search;
  }
}

function placesOf(
  transcript: Transcript,
): Pick<Known, 'messages' | 'callOf' | 'inView' | 'folder' | 'hidden'> {
  const messages = messagesOf(transcript);
  return {
    messages: new Map(messages.map((message) => [message.id, message])),
    callOf: callsByResult(messages),
    inView: new Set(transcript.view),
    folder: folderNamedIn(transcript),
    hidden: new Set(manuallyHidden(transcript.entries).keys()),
  };
}

function passes({ kind, presence, text }: FactFilter): (fact: SourcedFact) => boolean {
  const wanted = text.trim().toLowerCase();
  return (fact) =>
    (kind === undefined || factKindOf(fact.section) === kind) &&
    (presence === undefined || (fact.presence === presence && !isHeldNoLonger(fact))) &&
    (wanted === '' || fact.text.toLowerCase().includes(wanted));
}

function factView(
  { section, text, status, end, replacedBy, mark, presence, sources }: SourcedFact,
  known: Known,
): FactView {
  return {
    section,
    text: mark === undefined ? shortened(shownText(section, text, known)) : text,
    status,
    end,
    replacedBy: replacedBy && shortened(replacedBy),
    mark,
    presence,
    sources: sources
      .slice(-mostSources)
      .toReversed()
      .flatMap((id) => sourceView(id, known)),
    sourceCount: sources.length,
  };
}

function shownText(section: SourcedFact['section'], text: string, { folder }: Known): string {
  if (section === 'commands') return shownCommand(text);
  return factKindOf(section) === 'files' ? fromFolder(text, folder) : text;
}

function shortened(text: string): string {
  return ellipsised(text, longestFact);
}

function sourceView(
  messageId: string,
  { transcript, messages, callOf, inView, folder, hidden }: Known,
): readonly FactSource[] {
  const message = messages.get(messageId);
  if (message === undefined) return [];
  const title = fromFolder(messageTitle(message, callOf.get(messageId)), folder);
  const isInView = message.original === undefined && inView.has(message);
  const isPinned = transcript.pins.has(messageId);
  const isHidden = hidden.has(messageId) || undefined;
  return [{ messageId, kind: kindOf(message), title, isInView, isPinned, isHidden }];
}

function isHeldNoLonger({ section }: SourcedFact): boolean {
  return heldNoLonger.has(factKindOf(section));
}

function isGone(fact: SourcedFact): boolean {
  return fact.presence === 'archive' && !isHeldNoLonger(fact);
}

function inOrder(one: SourcedFact, other: SourcedFact): number {
  const kind = factKindOf(one.section);
  const order = factKinds.indexOf(kind) - factKinds.indexOf(factKindOf(other.section));
  const byState =
    Number(isGone(other)) - Number(isGone(one)) ||
    Number(isHeldNoLonger(one)) - Number(isHeldNoLonger(other));
  if (byState !== 0 || order !== 0 || kind !== 'files') return byState || order;
  return one.text < other.text ? -1 : Number(one.text > other.text);
}

function countedByKind(facts: readonly SourcedFact[]): Readonly<Partial<Record<FactKind, FactCount>>> {
  const counts: Partial<Record<FactKind, FactCount>> = {};
  for (const fact of facts) {
    const kind = factKindOf(fact.section);
    const { total, gone } = counts[kind] ?? { total: 0, gone: 0 };
    counts[kind] = { total: total + 1, gone: gone + Number(isGone(fact)) };
  }
  return counts;
}

function countedByPresence(facts: readonly SourcedFact[]): Readonly<Partial<Record<PresenceName, number>>> {
  const counts: Partial<Record<PresenceName, number>> = {};
  for (const fact of facts)
    if (!isHeldNoLonger(fact)) counts[fact.presence] = (counts[fact.presence] ?? 0) + 1;
  return counts;
}
