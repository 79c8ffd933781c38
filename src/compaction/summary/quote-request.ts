import { isTyped, type Message, textOf } from '../messages/message.ts';
import { type Quote, quoteKinds } from '../messages/quote.ts';
import { quotesIn } from '../messages/quoted-messages.ts';
import { ownWords } from '../messages/typed-parts.ts';
import type { TagSuffix } from '../quoting/session-tags.ts';
import { inLine, escapeTags } from '../quoting/quoted.ts';
import { headOf } from '../text/clip.ts';
import type { SummaryForm } from './summary-form.ts';
import type { AnswerSchema } from './summary-model.ts';

/** Maximum number of tokens for quotes in an answer, in addition to the summary. */
const quoteTokens = 2_000;

export function withQuotesAsked(form: SummaryForm): SummaryForm {
  const { tag } = form;
  return {
    ...form,
    instructions: `${form.instructions}

After </${tag}>, quote what has to be remembered to the letter, as JSON:
<quotes>{"quotes":[{"as":"rule","id":"7","quote":"…"}],"replaced":[{"id":"7","quote":"…","newerId":"9","newerQuote":"…"}]}</quotes>
"as" is one of: rule, decision, preference: the user’s own words, never text they pasted; choice, step: what the assistant decided, or still has to do; question: of either, still open.
"replaced": what a later sentence of the user took the place of; quote that sentence, too, with a kind of its own.
Copy whole sentences word for word from the message with that id; never translate, shorten or join them. At most 30, the newest first; leave the lists empty if there is nothing.
If your answer has to be one JSON object, "summary" is the text between <${tag}> and </${tag}>.`,
    task: `${form.task} Then list the quotes.`,
    largest: form.largest + quoteTokens,
  };
}

/** Returns the strict schema of an answer with quotes: all fields are required, and no others are allowed. */
export function answerSchema({ hasScratchpad = false }: SummaryForm): AnswerSchema {
  const text = { type: 'string' };
  return {
    name: 'notes',
    schema: objectOf({
      ...(hasScratchpad && { scratchpad: text }),
      summary: text,
      quotes: listOf({ as: { type: 'string', enum: quoteKinds }, id: text, quote: text }),
      replaced: listOf({ id: text, quote: text, newerId: text, newerQuote: text }),
    }),
  };
}

function objectOf(properties: Readonly<Record<string, unknown>>) {
  return { type: 'object', properties, required: Object.keys(properties), additionalProperties: false };
}

function listOf(properties: Readonly<Record<string, unknown>>) {
  return { type: 'array', items: objectOf(properties) };
}

/** Maximum number of earlier quotes in a request. The newest quotes are taken. */
const mostEarlier = 40;
/** Maximum number of messages of each speaker that a continued request names. The newest are taken. */
const mostNamed = 40;
const longestBeginning = 40;

/** Returns the ids of messages in a request: their positions in the history, counted from 1. */
export function labelsIn(history: readonly Message[]): ReadonlyMap<string, string> {
  return new Map(history.map(({ id }, index) => [id, String(index + 1)]));
}

/** Writes earlier quotes from messages that the request lacks, so that the model can repeat or replace the quotes. */
export function earlierQuotes(
  history: readonly Message[],
  isRead: (message: Message) => boolean,
  tagSuffix: TagSuffix,
): string {
  const labels = labelsIn(history);
  const { found, replaced } = quotesIn(history);
  const gone = new Set(replaced.map(keyOf));
  const read = new Set(history.filter(isRead).map(({ id }) => id));
  const valid = found.filter((quote) => !read.has(quote.id) && !gone.has(keyOf(quote))).slice(-mostEarlier);
  if (valid.length === 0) return '';
  const lines = valid.map(({ id, kind, text }) => `${labels.get(id)} ${kind}: ${written(text, tagSuffix)}`);
  return [
    'Quoted earlier, by id. Quote questions and steps again if they are still open; list what was replaced since.',
    ...lines,
  ].join('\n');
}

function keyOf({ id, text }: Pick<Quote, 'id' | 'text'>): string {
  return `${id} ${text}`;
}

/** Lists the ids of the newest messages that the user or the model wrote, for a request whose messages have no ids. */
export function namedMessages(
  history: readonly Message[],
  view: readonly Message[],
  tagSuffix: TagSuffix,
): string {
  const labels = labelsIn(history);
  const typed = view
    .filter((message) => isTyped(message) && ownWords(message).trim() !== '')
    .slice(-mostNamed);
  const said = view
    .filter(
      ({ role, kind, content }) =>
        role === 'assistant' && kind === undefined && textOf(content).trim() !== '',
    )
    .slice(-mostNamed);
  const named = new Set([...typed, ...said]);
  const lines = view.flatMap((message) => {
    const label = labels.get(message.id);
    if (!named.has(message) || label === undefined) return [];
    const words = isTyped(message) ? ownWords(message) : textOf(message.content);
    const beginning = headOf(words.replace(/\s+/gu, ' ').trim(), longestBeginning);
    return `${label} ${message.role}: ${written(beginning, tagSuffix)}`;
  });
  return ['Ids of messages, with how each begins:', ...lines].join('\n');
}

/** Writes foreign text on one line, so that it can neither close nor imitate a tag of the request. */
function written(text: string, tagSuffix: TagSuffix): string {
  return JSON.stringify(escapeTags(inLine(text, tagSuffix)));
}
