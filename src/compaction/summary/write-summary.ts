import { engineSentences } from '../../language/english/engine-english.ts';
import { summarySentences } from '../../language/english/summary-english.ts';
import { marksIn, withoutMarked } from '../ledger/marked-sentences.ts';
import { isSystem, type Message } from '../messages/message.ts';
import type { Quotes } from '../messages/quote.ts';
import type { TagSuffix } from '../quoting/session-tags.ts';
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

export interface SummaryTask {
  readonly sources: readonly Message[];
  readonly model: SummaryModel | undefined;
  readonly focus: string | undefined;
  readonly tagSuffix: TagSuffix;
  readonly form?: SummaryForm;
  /** The chat's next request. The chat's own model continues this request to write the summary. */
  readonly continues?: ContinuedRequest | undefined;
  /** All original messages, from which quotes are requested and verified; no quotes if undefined. */
  readonly history?: readonly Message[] | undefined;
  /** Messages that stay; the summary omits their facts. If undefined, it has only facts of the sources. */
  readonly staying?: readonly Message[] | undefined;
  readonly ledgerTokens?: number;
  /** Maximum number of tokens of the whole summary, if there is a limit. */
  readonly room?: number | undefined;
  /** Ids of memory messages to summarise. Other memory among the sources is outdated and left out. */
  readonly takesMemory?: ReadonlySet<string>;
  readonly attempts?: number;
}

/** The model's text between the tags, without markers and without outdated lines of earlier summaries. */
export interface WrittenSummary {
  readonly body: string;
  readonly quotes: Quotes | undefined;
  readonly report: SummaryReport;
  readonly warnings: readonly Phrase[];
}

/** Writes a summary like `summarise`, but returns only the model's text, for strategies with their own message. */
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
  // A model that does not read prompts cannot be asked for quotes.
  const history = form.isJson === true || model.readsSources === true ? undefined : task.history;
  const marks = marksIn(task.sources);
  const sources = task.sources
    .map((message) => withoutMarked(message, marks))
    .filter((message) =>
      message.kind === 'memory' ? takesMemory?.has(message.id) === true : !isSystem(message),
    );
  await assertRoom(sources, task.tagSuffix, meter);
  const asked = history === undefined ? form : withQuotesAsked(form);
  const said = task.history?.map((message) => withoutMarked(message, marks));
  const prompt = { sources, focus: task.focus, form: asked, tagSuffix: task.tagSuffix, history, said };
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
    // After a chat's own request a model may continue chatting, so the answer must be tagged.
    const needsTag = (form.needsTag || request.continues !== undefined) && !isJson;
    // A selecting summariser may select nothing. Facts are copied in any case.
    const isEmpty = model.readsSources === true && reply.content === '';
    const written = isEmpty
      ? ''
      : parseSummary(
          { content: summary, finishReason: isWhole && finishReason === 'length' ? 'stop' : finishReason },
          { ...form, needsTag },
        );
    // Facts in JSON are cleaned when they are written.
    const body =
      form.isJson === true
        ? written
        : await agedNotes(cleanBody(written, task.tagSuffix), sources, (texts) => meter.countTexts(texts));
    // If the summary is complete, only the quotes may have reached the limit.
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

function onlySummary(content: string): SplitReply {
  return { summary: content, isWhole: false, isJson: false, list: undefined };
}

/** Returns the reply after its thoughts; the whole reply if nothing follows the thoughts. */
function answerIn(content: string, { tag }: SummaryForm): string {
  const answer = withoutThoughts(content, { until: new RegExp(`<${tag}>|[{]`, 'gi'), takesOpenOnes: true });
  return isBlank(answer) ? content : answer;
}

const shortestNotes = 4;

/** Refuses sources that no summary makes smaller, before a request is paid for. @throws {CompactionFailure} */
async function assertRoom(
  sources: readonly Message[],
  tagSuffix: TagSuffix,
  meter: UsageMeter,
): Promise<void> {
  const { total } = await meter.measure(sources);
  const least = (await meter.countText(summaryText('', tagSuffix))) + framingTokens + shortestNotes;
  if (total > least) return;
  throw new CompactionFailure('summary-inflated', engineSentences.say('noSmallerSummary'));
}

/** Sends one request. @throws {CompactionFailure} `model-failed`; {CancelledError} if the signal was aborted */
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

/** Reads the summary in a reply, without thinking. @throws {CompactionFailure} without a usable summary */
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
  // JSON strings may contain the tags, so only the JSON itself shows its end.
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

/** True for text that consists only of white space and invisible characters. */
function isBlank(text: string): boolean {
  return !/[\p{L}\p{N}]/u.test(text);
}

/** Returns the text between the first tag with a name and its end tag; undefined without both tags. */
function textInTag(text: string, tag: string): string | undefined {
  const opening = new RegExp(`<${tag}>`, 'i').exec(text);
  if (opening === null) return undefined;
  const start = opening.index + opening[0].length;
  const length = text.slice(start).search(new RegExp(`</${tag}>`, 'i'));
  return length < 0 ? undefined : text.slice(start, start + length);
}

/** Removes tagged thinking before the answer, in linear time. Removes unclosed thinking only if `takesOpenOnes`. */
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

/** Returns the index of the next match, or Infinity. Moves `lastIndex` to the end of the match. */
function nextPlace(expression: RegExp, text: string, from: number): number {
  expression.lastIndex = from;
  return expression.exec(text)?.index ?? Infinity;
}
