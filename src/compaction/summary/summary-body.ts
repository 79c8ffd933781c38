import { factsToCopy } from '../ledger/coverage.ts';
import { type AnsweredRequest, earlierRequests } from '../ledger/earlier-requests.ts';
import { extractLedger } from '../ledger/extract.ts';
import { marksIn, withoutMarked } from '../ledger/marked-sentences.ts';
import { factLine, markedTitle, renderLedger, requestsTitle } from '../ledger/render.ts';
import { renderSections } from '../ledger/render-sections.ts';
import { requestLines } from '../ledger/request-lines.ts';
import { renderState } from '../ledger/state-lines.ts';
import { workState } from '../ledger/work-state.ts';
import { mentionsIn } from '../ledger/mentions.ts';
import {
  type Carried,
  type CommandFact,
  type Fact,
  filterLedger,
  isCommandFact,
  type Ledger,
  type LedgerSection,
  textOfFact,
} from '../messages/ledger.ts';
import type { Message } from '../messages/message.ts';
import type { RepositoryState, WorkState } from '../messages/where-it-stands.ts';
import type { Quotes } from '../messages/quote.ts';
import { laterQuotes, quotesIn, withQuotes } from '../messages/quoted-messages.ts';
import type { TagSuffix } from '../quoting/session-tags.ts';
import { cleanText } from '../quoting/quoted.ts';
import type { UsageMeter } from '../tokens/usage.ts';
import { withoutSentencesSaid } from './note-sections.ts';

export interface SummaryParts {
  readonly sources: readonly Message[];
  /** Messages of the view that stay; undefined for a summary of a part, which omits the state of the work. */
  readonly staying?: readonly Message[] | undefined;
  /** All original messages; by default the sources. */
  readonly history?: readonly Message[] | undefined;
  readonly notes: string;
  readonly quotes?: Quotes | undefined;
  /** Facts to copy; by default, all facts that the summary has to carry. */
  readonly ledger?: Ledger;
  /** Maximum number of tokens of everything except the notes. */
  readonly tokens: number;
  readonly tagSuffix: TagSuffix;
}

interface WrittenBody {
  readonly text: string;
  readonly carried: Carried;
}

/**
 * Shares of the room for the state, and for marked sentences and requests. A larger state is omitted. Marked sentences
 * and requests also get the room that facts leave.
 */
const stateShare = 0.35;
const openingShare = 0.35;

/** Writes the text of a summary in reading order: state of the work, marked sentences and requests, notes, facts. */
export async function summaryBody(parts: SummaryParts, meter: UsageMeter): Promise<WrittenBody> {
  const { sources, staying, notes, quotes, tokens, tagSuffix } = parts;
  const history = parts.history ?? sources;
  const { ledger = factsToCarry(parts, quotes) } = parts;
  const count = (texts: readonly string[]) => meter.countTexts(texts);
  const state =
    staying === undefined
      ? undefined
      : await stateWithin(history, staying, tokens * stateShare, tagSuffix, meter);
  const room = tokens - (state?.tokens ?? 0);
  const isTold = toldBy(state, tagSuffix);
  const requests = earlierRequests(unmarked(history), sources, staying).map((request): AnsweredRequest => {
    return isTold('requests', request.text) ? { ...request, isBeside: true } : request;
  });
  const openingWithin = (most: number) => writeOpening(ledger, requests, Math.floor(most), tagSuffix, meter);
  let opening = await openingWithin(room * openingShare);
  // A decision in a listed request is not listed again.
  const asked = opening.requests.filter(({ isBeside, words }) => isBeside !== true && words === undefined);
  const isShown = (section: LedgerSection, fact: Fact) =>
    isTold(section, fact) ||
    (section === 'decisions' && asked.some(({ text }) => text.includes(textOfFact(fact))));
  const others = filterLedger(ledger, (section, fact) => !isShown(section, fact));
  const facts = await renderLedger(others, Math.floor(room - opening.tokens), tagSuffix, count);
  if (opening.requests.length < requests.length)
    opening = await openingWithin(room - (await meter.countText(facts.text)));
  const told = opening.requests.flatMap(({ reply = [] }) => reply);
  const text = [state?.text ?? '', opening.text, withoutSentencesSaid(notes, told), facts.text]
    .filter((part) => part !== '')
    .join('\n');
  return {
    text,
    carried: {
      ledger: {
        ...filterLedger(ledger, (section, fact) => {
          return isShown(section, fact) || (facts.ledger[section] as readonly Fact[]).includes(fact);
        }),
        marked: opening.marked,
        requests: [...new Set(opening.requests.map((one) => one.text))],
      },
      requests: opening.requests.map(({ isBeside: _isBeside, ...request }) => request),
      ...(state && { state: state.state }),
      ...(quotes && { quotes }),
    },
  };
}

/** Finds the facts that a summary has to carry: all that remaining messages lack; for a part, all of its sources. */
function factsToCarry(
  { sources, staying, history = sources }: Pick<SummaryParts, 'sources' | 'staying' | 'history'>,
  quotes: Quotes | undefined,
): Ledger {
  const earlier = quotesIn(history);
  const all = quotes === undefined ? earlier : laterQuotes(earlier, quotes);
  if (staying === undefined) return extractLedger(withQuotes(sources, all));
  return factsToCopy(extractLedger(withQuotes(history, all)), withQuotes(staying, all));
}

/** Removes marked sentences, which the summary lists separately. */
function unmarked(history: readonly Message[]): readonly Message[] {
  const marks = marksIn(history);
  return marks.length === 0 ? history : history.map((message) => withoutMarked(message, marks));
}

async function stateWithin(
  history: readonly Message[],
  staying: readonly Message[],
  room: number,
  tagSuffix: TagSuffix,
  meter: UsageMeter,
): Promise<{ readonly text: string; readonly tokens: number; readonly state: WorkState }> {
  const state = workState(history);
  // Another summary of the same compaction may already contain the state.
  const isTold = staying.some(
    ({ carried }) => carried?.state !== undefined && carried.state.upTo === state.upTo,
  );
  const text = isTold ? '' : renderState(state, tagSuffix);
  const tokens = text === '' ? 0 : await meter.countText(text);
  return tokens > room ? { text: '', tokens: 0, state } : { text, tokens, state };
}

/** Returns a test for facts that the state of the work contains word for word. They need not be repeated. */
function toldBy(
  told: { readonly text: string; readonly state: WorkState } | undefined,
  tagSuffix: TagSuffix,
): (section: LedgerSection, fact: Fact) => boolean {
  if (told === undefined || told.text === '') return () => false;
  const { request, plan, awaited, repository } = told.state;
  const texts: Partial<Record<LedgerSection, ReadonlySet<string | undefined>>> = {
    requests: new Set([request?.text]),
    decisions: new Set([request?.text]),
    nextSteps: new Set(plan.map(({ text }) => text)),
    questions: new Set(awaited.map(({ text }) => text)),
    errors: new Set(told.state.checks.flatMap(({ line, more = [] }) => [line, ...more])),
  };
  return (section, fact) => {
    if (isCommandFact(fact)) return isToldPush(fact, repository);
    const text = textOfFact(fact);
    return texts[section]?.has(text) === true && told.text.includes(cleanText(text, tagSuffix));
  };
}

/** True for a push of the branch that the state shows as pushed. */
function isToldPush({ command }: CommandFact, repository: RepositoryState | undefined): boolean {
  const [, operands] = /\bgit (?:-C \S+ )?push\b([^\n]*)$/u.exec(command) ?? [];
  const { ref, isRejected } = repository?.push ?? {};
  if (operands === undefined || ref === undefined || isRejected === true) return false;
  const [, named = ref] = operands.split(' ').filter((word) => word !== '' && !word.startsWith('-'));
  return named === ref || named === 'HEAD';
}

/** Writes marked sentences and requests, oldest first. If room is short, keeps the first and the newest requests. */
async function writeOpening(
  { marked }: Ledger,
  requests: readonly AnsweredRequest[],
  room: number,
  tagSuffix: TagSuffix,
  meter: UsageMeter,
) {
  const first = requestLines(requests.slice(0, 1), tagSuffix);
  const wanted = [...first, ...requestLines(requests.slice(1), tagSuffix).toReversed()];
  const marks = marked.toReversed();
  const { text, taken } = await renderSections(
    [
      { title: markedTitle, share: 1, lines: marks.map((fact) => factLine(fact, tagSuffix)) },
      {
        title: requestsTitle,
        share: 1,
        lines: wanted.map(({ line }) => line),
        order: [...wanted.keys()].toSorted((one, other) => (one === 0 ? -1 : other === 0 ? 1 : other - one)),
      },
    ],
    room,
    tagSuffix,
    (texts) => meter.countTexts(texts),
  );
  const written = new Set(wanted.flatMap((line, index) => (taken[1]!.has(index) ? line.requests : [])));
  return {
    text,
    tokens: await meter.countText(text),
    marked: marks.filter((_fact, index) => taken[0]!.has(index)).toReversed(),
    requests: requests.filter((request) => written.has(request)),
  };
}

/** Notes that may contain facts, with all data needed to add the missing facts. */
interface OwnNotes extends Omit<SummaryParts, 'tokens'> {
  readonly ledgerTokens?: number | undefined;
  /** Maximum number of tokens of the whole summary, if there is a limit. */
  readonly room?: number | undefined;
}

/** Maximum number of tokens added to notes, and their maximum share of the replaced tokens. */
const usualLedger = 1_500;
const addedShare = 0.25;
const frameTokens = 60;

/** Writes a summary with only the facts that the notes lack, so that the summary is smaller than its sources. */
export async function summaryAround(own: OwnNotes, meter: UsageMeter): Promise<WrittenBody> {
  const { notes, sources, ledgerTokens = usualLedger, room = Number.POSITIVE_INFINITY } = own;
  const { total } = await meter.measure(sources);
  const left = Math.min(total, room) - (await meter.countText(notes)) - frameTokens;
  const share = notes === '' ? 1 : addedShare;
  const tokens = Math.max(0, Math.floor(Math.min(ledgerTokens, total * share, left)));
  const named = mentionsIn([notes]);
  // Marked and replaced sentences are added even if the notes contain their words.
  const ledger = filterLedger(own.ledger ?? factsToCarry(own, own.quotes), (section, fact) => {
    if (section === 'marked' || section === 'replaced') return true;
    return !(isCommandFact(fact) ? named.hasCommand(fact.command) : named.has(textOfFact(fact)));
  });
  return summaryBody({ ...own, ledger, tokens }, meter);
}
