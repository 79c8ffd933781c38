import type { Ledger, ReplacedFact } from '../messages/ledger.ts';
import { isTyped, type Message } from '../messages/message.ts';
import type { Quotes } from '../messages/quote.ts';
import { memoised } from '../messages/memoise.ts';
import { ownWords } from '../messages/typed-parts.ts';
import { factText } from './call-facts.ts';
import { withOptions } from './option-forms.ts';
import { ownLines } from './own-sentences.ts';
import { firstWritten, shortPasted } from './pasted-texts.ts';
import { validStatements } from './replacement.ts';
import { requestIn } from './request-state.ts';
import { type Statement, type Statements, statementsIn } from './statements.ts';

/** The sections of a ledger with the user's words. */
type SpokenSections = Pick<Ledger, 'requests' | 'decisions' | 'constraints' | 'replaced'>;

/** Finds the user's requests, rules and decisions, including those in the ledgers of summaries. */
export function spokenFacts(messages: readonly Message[]): SpokenSections {
  const requests: string[] = [];
  const said: Statements[] = [];
  const earlier: ReplacedFact[] = [];
  /** Replies since the user's last typed message. */
  let replies: Message[] = [];
  let outlasted = 0;
  const unknown = new Set<string>();
  const written = firstWritten(
    messages.flatMap((message) => typedIn(message)?.mayBePasted ?? []),
    messages,
  );
  for (const [index, message] of messages.entries()) {
    const isPasted: PastedTest = (text, shortest) =>
      text.length >= shortest && (written.get(text) ?? index) < index;
    const ledger = message.kind === 'summary' ? message.carried?.ledger : undefined;
    if (ledger !== undefined) {
      requests.push(...ledger.requests);
      said.push(...carriedStatements(ledger));
      earlier.push(...ledger.replaced);
    }
    if (message.role === 'assistant') replies.push(message);
    const typed = typedIn(message);
    if (typed === undefined || isPasted(typed.text, longPasted)) continue;
    requests.push(typed.request);
    if (typed.isRequest) {
      for (; outlasted < said.length; outlasted++) said[outlasted] = outlasting(said[outlasted]!);
    }
    const own = withoutPasted(typed.statements, isPasted);
    said.push(withQuoted(withReplies(own, replies, unknown), message.quotes));
    replies = [];
  }
  const { statements, replaced } = validStatements(said);
  const over = new Map([...earlier, ...replaced].map((fact) => [fact.text, fact]));
  const textsOf = (kind: 'rule' | 'decision') =>
    statements.flatMap((one) => (one.kind === kind && !unknown.has(one.text) ? [one.text] : []));
  return {
    requests: requests.flatMap((request) => withoutReplacedSentences(request, over) ?? []),
    decisions: textsOf('decision'),
    constraints: textsOf('rule'),
    replaced: [...over.values()],
  };
}

/** Returns the beginning of a typed message as a fact, without logs, quotes and code. Undefined if nothing is left. */
const typedIn = memoised((message: Message) => {
  if (!isTyped(message)) return undefined;
  const text = ownWords(message).trim();
  const request = factText(ownLines(text).join('\n'));
  if (request === '') return undefined;
  const statements = statementsIn(text);
  const mayBePasted = [
    ...(text.length < longPasted ? [] : [text]),
    ...stated(statements).filter((sentence) => sentence.length >= shortPasted),
  ];
  return { text, request, isRequest: requestIn(text) !== '', statements, mayBePasted };
});

/** Minimum characters of a message whose repetition cannot be a coincidence. */
const longPasted = 200;

/** True for a text with the given length that the assistant or a tool already wrote, word for word. */
type PastedTest = (text: string, shortest: number) => boolean;

/** Returns a typed message as a request; undefined for any other message. */
export function requestFact(message: Message): string | undefined {
  return typedIn(message)?.request;
}

/** Returns the statements in a summary: first from earlier messages, then from the newest typed message. */
function carriedStatements({ requests, decisions, constraints }: Ledger): readonly Statements[] {
  const { sentences, statements } = statementsIn(requests.at(-1) ?? '');
  const ofRequest = new Set(
    statements.flatMap(({ text, isOfRequest }) => (isOfRequest === true ? [text] : [])),
  );
  const all: readonly Statement[] = [
    ...constraints.map((text): Statement => {
      return { text, kind: 'rule', ...(ofRequest.has(text) && { isOfRequest: true }) };
    }),
    ...decisions.map((text) => ({ text, kind: 'decision' as const })),
  ];
  const isNewest = ({ text }: Statement) => sentences.some((sentence) => text.includes(sentence));
  return [
    { sentences: [], statements: all.filter((statement) => !isNewest(statement)) },
    { sentences, statements: all.filter(isNewest) },
  ];
}

/** Returns the sentences that state something. */
function stated({ sentences, statements }: Statements): readonly string[] {
  return sentences.filter((sentence) => statements.some(({ text }) => text.includes(sentence)));
}

function withoutPasted(said: Statements, isPasted: PastedTest): Statements {
  const { sentences, statements, retraction } = said;
  const pasted = new Set(stated(said).filter((sentence) => isPasted(sentence, shortPasted)));
  if (pasted.size === 0) return said;
  return {
    sentences: sentences.filter((sentence) => !pasted.has(sentence)),
    statements: statements.filter(({ text }) => ![...pasted].some((sentence) => text.includes(sentence))),
    ...(retraction !== undefined && !pasted.has(retraction.sentence) && { retraction }),
  };
}

/** Removes the statements of a message that are not valid for later requests. */
function outlasting(said: Statements): Statements {
  const statements = said.statements.filter(({ isOfRequest }) => isOfRequest !== true);
  return statements.length === said.statements.length ? said : { ...said, statements };
}

/**
 * Adds the chosen options to choices.
 *
 * @param unknown collects choices of unknown options: they mean nothing later, but can be replaced
 */
function withReplies(said: Statements, replies: readonly Message[], unknown: Set<string>): Statements {
  if (!said.statements.some(({ isChoice }) => isChoice)) return said;
  const statements = said.statements.map(({ isChoice, ...one }) => {
    const text = isChoice === true ? withOptions(one.text, replies) : one.text;
    if (text === undefined) unknown.add(one.text);
    return { ...one, text: text ?? one.text };
  });
  return { ...said, statements };
}

/** Adds rules and decisions that a model quoted, so that the user's later words can replace them. */
function withQuoted(said: Statements, quotes: Quotes | undefined): Statements {
  const quoted = (quotes?.found ?? []).flatMap(({ kind, text }) =>
    (kind === 'rule' || kind === 'decision') && !said.statements.some((one) => one.text.includes(text))
      ? [{ kind, text }]
      : [],
  );
  return quoted.length === 0 ? said : { ...said, statements: [...said.statements, ...quoted] };
}

/** Removes replaced sentences from a request. Returns undefined if nothing is left. */
export function withoutReplacedSentences(
  request: string,
  over: ReadonlyMap<string, ReplacedFact>,
): string | undefined {
  let left = request;
  for (const text of over.keys()) left = left.replace(text, '');
  if (left === request) return request;
  return /\p{L}/u.test(left) ? factText(left) : undefined;
}
