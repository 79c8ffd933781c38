import { engineSentences } from '../../language/english/engine-english.ts';
import { summarySentences } from '../../language/english/summary-english.ts';
import { marksIn, withoutMarked } from '../ledger/marked-sentences.ts';
import { isSystem, type Message } from '../messages/message.ts';
import type { Quotes } from '../messages/quote.ts';
import type { Mark } from '../quoting/mark.ts';
import { CompactionFailure, phraseOf } from '../records/reason.ts';
import type { Phrase, SummaryReport } from '../records/record.ts';
import {
  type CancellationSignal,
  CancelledError,
  orCancelled,
  throwIfCancelled,
} from '../signals/cancellation.ts';
import { framingTokens, type UsageMeter } from '../tokens/usage.ts';
import { withQuotesAsked } from './quote-request.ts';
import { readQuotes, splitReply, type SplitReply } from './read-quotes.ts';
import { cleanBody } from '../ledger/render.ts';
import { agedNotes } from './note-sections.ts';
import { notesForm, type SummaryForm, summaryText } from './summary-form.ts';
import type { ContinuedRequest, SummaryModel, SummaryReply, SummaryRequest } from './summary-model.ts';
import { type ComposedRequest, composeContinuation, composeRequest } from './summary-request.ts';
import { verifyQuotes } from './verify-quotes.ts';

/** A summary to write. */
export interface SummaryTask {
  readonly sources: readonly Message[];
  readonly model: SummaryModel | undefined;
  readonly focus: string | undefined;
  readonly mark: Mark;
  /** Notes under fixed headings if not given. */
  readonly form?: SummaryForm;
  /** The chat's next request. With its own model, the summary is asked for as a continuation of that. */
  readonly continues?: ContinuedRequest | undefined;
  /** Everything that was said: quotes from it are asked for with the summary, and looked up in it. None without it. */
  readonly history?: readonly Message[] | undefined;
  /** Messages that stay beside the summary, whose facts it need not carry. It carries those of its sources if not given. */
  readonly staying?: readonly Message[] | undefined;
  /** Most tokens of what the program adds to the notes. */
  readonly ledgerTokens?: number;
  /** Most tokens of the whole summary, if there is a limit. */
  readonly room?: number | undefined;
  /** Ids of memory that is to be summarised, too. All other memory among the sources is left out: it is out of date. */
  readonly takesMemory?: ReadonlySet<string>;
  /** The number of requests to make if a reply cannot be used; one by default. */
  readonly attempts?: number;
}

/**
 * The words of a model: the text between the tags of the form, cleaned of everything that could pass for a marker, without
 * the oldest of what they repeat from earlier summaries.
 */
export interface WrittenSummary {
  readonly body: string;
  /** Undefined if none were asked for. */
  readonly quotes: Quotes | undefined;
  readonly report: SummaryReport;
  readonly warnings: readonly Phrase[];
}

/** Like `summarise`, but only what the model wrote, for a strategy that makes its own message of it. */
export async function writeSummary(
  task: SummaryTask,
  meter: UsageMeter,
  signal: CancellationSignal,
): Promise<WrittenSummary> {
  const { model, attempts = 1, takesMemory } = task;
  if (model === undefined) {
    throw new CompactionFailure('no-model', summarySentences.say('needsModel'));
  }
  const { form = notesForm } = task;
  // A model that reads no prompt cannot be told to quote.
  const history = form.isJson === true || model.readsSources === true ? undefined : task.history;
  const marks = marksIn(task.sources);
  const sources = task.sources
    .map((message) => withoutMarked(message, marks))
    .filter((message) =>
      message.kind === 'memory' ? takesMemory?.has(message.id) === true : !isSystem(message),
    );
  await assertRoom(sources, task.mark, meter);
  const asked = history === undefined ? form : withQuotesAsked(form);
  const said = task.history?.map((message) => withoutMarked(message, marks));
  const prompt = { sources, focus: task.focus, form: asked, mark: task.mark, history, said };
  const spent = { promptTokens: 0, outputTokens: 0, attempts: 0 };

  const attempt = async ({ request, promptTokens, warnings }: ComposedRequest): Promise<WrittenSummary> => {
    spent.attempts++;
    const reply = await askModel(model, request, signal);
    const outputTokens = reply.usage?.outputTokens ?? (await meter.countText(reply.content));
    spent.promptTokens += reply.usage?.inputTokens ?? promptTokens;
    spent.outputTokens += outputTokens;
    const { summary, isWhole, isJson, list } =
      history === undefined
        ? onlySummary(reply.content)
        : splitReply(answerIn(reply.content, form), form.tag);
    const { finishReason } = reply;
    // Behind a chat's own request a model may well go on chatting: there, only a tagged answer is one.
    const needsTag = (form.needsTag || request.continues !== undefined) && !isJson;
    // A summariser that selects may find nothing to select; facts are copied in any case.
    const isEmpty = model.readsSources === true && reply.content === '';
    const written = isEmpty
      ? ''
      : parseSummary(
          { content: summary, finishReason: isWhole && finishReason === 'length' ? 'stop' : finishReason },
          { ...form, needsTag },
        );
    // JSON is cleaned where it is written out.
    const body =
      form.isJson === true
        ? written
        : await agedNotes(cleanBody(written, task.mark), sources, (texts) => meter.countTexts(texts));
    // Quotes behind a whole summary may have taken the rest.
    const [tokens, limit] = isWhole
      ? [await meter.countText(summary), Math.min(form.largest, request.maxOutputTokens)]
      : [outputTokens, request.maxOutputTokens];
    if (tokens >= limit) {
      throw new CompactionFailure(
        'summary-cut-off',
        summarySentences.say('summaryAtItsLimit', { tokens, limit }),
      );
    }
    const verified = history === undefined ? undefined : verifyQuotes(readQuotes(list), history);
    const isContinued = request.continues !== undefined;
    const report: SummaryReport = {
      model: model.id,
      ...spent,
      ...(isContinued ? { isContinued } : {}),
      ...(verified && { quotes: verified.counts }),
    };
    return { body, quotes: verified?.quotes, report, warnings };
  };

  const continuation =
    task.continues === undefined || model.continuesRequests !== true
      ? undefined
      : await composeContinuation(prompt, task.continues, model, meter);
  if (continuation !== undefined) {
    try {
      return await attempt(continuation);
    } catch (error) {
      if (!(error instanceof CompactionFailure)) throw error;
    }
  }
  const composed = await composeRequest(prompt, model, meter);
  for (let left = attempts; ; left--) {
    try {
      return await attempt(composed);
    } catch (error) {
      if (!(error instanceof CompactionFailure) || left <= 1) throw error;
    }
  }
}

/** A reply to a request that asked for no quotes. */
function onlySummary(content: string): SplitReply {
  return { summary: content, isWhole: false, isJson: false, list: undefined };
}

/** A reply without the thoughts before its answer; the whole reply if there is nothing else. */
function answerIn(content: string, { tag }: SummaryForm): string {
  const answer = withoutThoughts(content, { until: new RegExp(`<${tag}>|[{]`, 'gi'), takesOpenOnes: true });
  return isBlank(answer) ? content : answer;
}

/** Tokens of the shortest notes that say anything. */
const shortestNotes = 4;

/** @throws {CompactionFailure} if any summary would be refused for its size: a request would be paid for in vain */
async function assertRoom(sources: readonly Message[], mark: Mark, meter: UsageMeter): Promise<void> {
  const { total } = await meter.measure(sources);
  const least = (await meter.countText(summaryText('', mark))) + framingTokens + shortestNotes;
  if (total > least) return;
  throw new CompactionFailure('summary-inflated', engineSentences.say('noSmallerSummary'));
}

/**
 * One request to a model.
 *
 * @throws {CompactionFailure} `model-failed`
 * @throws {CancelledError} if the signal was aborted
 */
export async function askModel(
  model: SummaryModel,
  request: SummaryRequest,
  signal: CancellationSignal,
): Promise<SummaryReply> {
  throwIfCancelled(signal);
  try {
    return await orCancelled(model.summarise(request, signal), signal);
  } catch (error) {
    if (signal.aborted || error instanceof CancelledError) throw new CancelledError();
    if (error instanceof CompactionFailure) throw error;
    throw new CompactionFailure(
      'model-failed',
      summarySentences.say('summariserFailed', { error: phraseOf(error) }),
      {
        cause: error,
      },
    );
  }
}

/**
 * The summary in a model's reply: what stands between the tags, or the whole reply if there are none and the form
 * does without. Thinking that a model leaves in its text is not part of it; a tag that a text of JSON names is.
 *
 * @throws {CompactionFailure} if there is no usable summary
 */
export function parseSummary(
  reply: SummaryReply,
  { tag, needsTag, isJson = false }: Pick<SummaryForm, 'tag' | 'needsTag' | 'isJson'> = notesForm,
): string {
  const { content, finishReason } = reply;
  if (finishReason === 'length') {
    throw new CompactionFailure('summary-cut-off', summarySentences.say('summaryCutOff'));
  }
  if (content === '') throw new CompactionFailure('summary-empty', summarySentences.say('noText'));
  if (isBlank(content)) {
    throw new CompactionFailure('summary-whitespace', summarySentences.say('onlyWhitespace'));
  }
  const spoken = withoutThoughts(content, {
    until: new RegExp(isJson ? `<${tag}>|[[{]` : `<${tag}>`, 'gi'),
    takesOpenOnes: true,
  });
  if (isBlank(spoken)) {
    throw new CompactionFailure('summary-reasoning-only', summarySentences.say('onlyReasoning'));
  }
  const opening = new RegExp(`<${tag}>`, 'i');
  const tagged = textInTag(spoken, tag);
  // A text in JSON may hold the tags as well, so that only the JSON itself tells where it ends.
  if (isJson && (opening.test(spoken) || !needsTag)) return spoken.trim();
  if (tagged === undefined && opening.test(spoken)) {
    throw new CompactionFailure('summary-unclosed', summarySentences.say('summaryUnclosed'));
  }
  if (tagged === undefined && needsTag) {
    throw new CompactionFailure('summary-unclosed', summarySentences.say('noTag', { tag }));
  }
  const summary = withoutThoughts(tagged ?? spoken, {}).trim();
  if (isBlank(summary)) throw new CompactionFailure('summary-empty', engineSentences.say('summaryIsEmpty'));
  return summary;
}

/** Says nothing, whatever invisible characters it is made of. */
function isBlank(text: string): boolean {
  return !/[\p{L}\p{N}]/u.test(text);
}

/** The text between the first tag of a name and its end; undefined if there is none. */
function textInTag(text: string, tag: string): string | undefined {
  const opening = new RegExp(`<${tag}>`, 'i').exec(text);
  if (opening === null) return undefined;
  const start = opening.index + opening[0].length;
  const length = text.slice(start).search(new RegExp(`</${tag}>`, 'i'));
  return length < 0 ? undefined : text.slice(start, start + length);
}

/**
 * A text without the thinking that a model left in it, in tags. Every search goes on where the last one ended, so that
 * no text takes more time than its length.
 *
 * @param until what the answer begins with, as a global expression: thoughts after that are part of it
 * @param takesOpenOnes true if a thought without an end takes the rest of the text with it; otherwise it stays
 */
export function withoutThoughts(
  text: string,
  { until, takesOpenOnes = false }: { readonly until?: RegExp; readonly takesOpenOnes?: boolean },
): string {
  const opening = /<(think|thinking|analysis|scratchpad)>/gi;
  const endless = new Set<string>();
  const kept: string[] = [];
  let from = 0;
  let answer = -1;
  for (let tag = opening.exec(text); tag !== null; tag = opening.exec(text)) {
    if (until !== undefined && answer < from) answer = nextPlace(until, text, from);
    if (answer >= 0 && answer < tag.index) break;
    const name = (tag[1] ?? '').toLowerCase();
    const closing = new RegExp(`</${name}>`, 'gi');
    const end = endless.has(name) ? Infinity : nextPlace(closing, text, tag.index);
    if (end === Infinity) {
      if (takesOpenOnes) return kept.join('') + text.slice(from, tag.index);
      endless.add(name);
      continue;
    }
    kept.push(text.slice(from, tag.index));
    from = closing.lastIndex;
    opening.lastIndex = from;
  }
  return kept.join('') + text.slice(from);
}

/** The next match of an expression, with its `lastIndex` after it; infinitely far if there is none. */
function nextPlace(expression: RegExp, text: string, from: number): number {
  expression.lastIndex = from;
  return expression.exec(text)?.index ?? Infinity;
}
