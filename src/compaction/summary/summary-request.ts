import { summarySentences } from '../../language/english/summary-english.ts';
import {
  addedText,
  type ContentPart,
  isTask,
  isTyped,
  type Message,
  contentParts,
  textOf,
  typedText,
} from '../messages/message.ts';
import { attributeOf, type TagSuffix } from '../quoting/session-tags.ts';
import { neutraliseEscaped } from '../quoting/neutralise.ts';
import { inLine, escapeTags } from '../quoting/quoted.ts';
import { visibleText, withPlainLineEnds } from '../quoting/visible-text.ts';
import { CompactionFailure } from '../records/reason.ts';
import type { Phrase } from '../records/record.ts';
import { headAndTail, headOf } from '../text/clip.ts';
import type { UsageMeter } from '../tokens/usage.ts';
import { answerSchema, earlierQuotes, labelsIn, namedMessages } from './quote-request.ts';
import { type SummaryForm, withoutSummaryTags } from './summary-form.ts';
import type { ContinuedRequest, SummaryModel, SummaryRequest } from './summary-model.ts';

/** Number of tokens of the window that prompt and reply leave unused. */
const windowMargin = 1_024;
/** Window in tokens if the window of the summarising model is unknown: the smallest of hosted models today. */
const assumedWindow = 128_000;
/** Maximum lengths of each text, in characters. Tried in turn until the conversation fits into the window. */
const shrinkingLimits = [Number.POSITIVE_INFINITY, 16_000, 8_000, 4_000, 2_000, 1_000, 400, 150];
/** Number of characters quoted from the first message that stays, to show a model where its notes end. */
const quotedCharacters = 120;
/** Minimum number of tokens for a reply; a reply in less room would be cut off. */
const smallestReply = 1_000;

interface SummaryPrompt {
  readonly sources: readonly Message[];
  readonly focus: string | undefined;
  readonly form: SummaryForm;
  readonly tagSuffix: TagSuffix;
  /** All original messages, if quotes are requested. Their positions then serve as ids. */
  readonly history?: readonly Message[] | undefined;
  /** All original messages, for a model that reads the sources and no prompt. */
  readonly said?: readonly Message[] | undefined;
}

export interface ComposedRequest {
  readonly request: SummaryRequest;
  readonly promptTokens: number;
  readonly warnings: readonly Phrase[];
}

/** Composes a separate request with the conversation as one text. @throws {CompactionFailure} if nothing fits */
export async function composeRequest(
  prompt: SummaryPrompt,
  model: SummaryModel,
  meter: UsageMeter,
): Promise<ComposedRequest> {
  const { sources, focus, form, tagSuffix, history } = prompt;
  const { instructions, tag } = form;
  const schema = history === undefined ? {} : { schema: answerSchema(form) };
  const window = model.window ?? assumedWindow;
  const largest = Math.min(form.largest, Math.floor(window / 4));
  if (model.readsSources === true) {
    const maxOutputTokens = Math.max(1, largest);
    const request = { instructions, prompt: '', sources, history: prompt.said, focus, tag, maxOutputTokens };
    return { request, promptTokens: 0, warnings: [] };
  }
  const room = Math.max(1, window - windowMargin - largest);
  const read = new Set(sources.map(({ id }) => id));
  const quoted = quotesBefore(prompt, ({ id }) => read.has(id));
  const labels = history === undefined ? undefined : labelsIn(history);
  const instructionTokens = await meter.countText(instructions);
  const compose = async (conversation: string, warnings: readonly Phrase[]): Promise<ComposedRequest> => {
    const text = `<conversation>\n${conversation}\n</conversation>\n${quoted}${taskOf(prompt)}`;
    const promptTokens = instructionTokens + (await meter.countText(text));
    // As in Qwen Code: the rest of the window, up to the limit of the form.
    const maxOutputTokens = Math.max(1, Math.min(form.largest, window - promptTokens - windowMargin));
    return {
      request: { instructions, prompt: text, sources, focus, tag, maxOutputTokens, ...schema },
      promptTokens,
      warnings,
    };
  };

  for (const longest of shrinkingLimits) {
    const warnings = Number.isFinite(longest)
      ? [summarySentences.say('clippedForSummariser', { characters: longest })]
      : [];
    const composed = await compose(serialise(sources, tagSuffix, longest, labels), warnings);
    if (composed.promptTokens <= room) return composed;
  }
  const shortest = shrinkingLimits.at(-1) ?? 0;
  for (let left = Math.floor(sources.length / 2); left >= 1; left = Math.floor(left / 2)) {
    const newest = sources.slice(-left);
    const missing = sources.length - left;
    const note = `[${missing} earlier messages left out]\n`;
    const composed = await compose(note + serialise(newest, tagSuffix, shortest, labels), [
      summarySentences.say('oldestLeftOut', { count: missing }),
    ]);
    if (composed.promptTokens <= room) return composed;
  }
  throw new CompactionFailure(
    'model-failed',
    summarySentences.say('windowTooSmall', { model: model.id, window }),
  );
}

/**
 * Composes the chat's own request, followed by the task. The provider's cache then contains all but the task. The
 * request has no schema, because providers insert schemas before the first message, which breaks the cached prefix
 * (OpenAI, "Prompt caching", "Structured outputs"; Anthropic, "Structured outputs", "Prompt modification and token
 * costs").
 *
 * @returns undefined if the request has no room for the task and a reply
 */
export async function composeContinuation(
  prompt: SummaryPrompt,
  continued: ContinuedRequest,
  model: SummaryModel,
  meter: UsageMeter,
): Promise<ComposedRequest | undefined> {
  const { sources, focus, form, history, tagSuffix } = prompt;
  const shown = new Set(continued.view.map(({ id }) => id));
  const ids =
    history === undefined
      ? ''
      : `\n\n${namedMessages(history, continued.view, tagSuffix)}\n${quotesBefore(prompt, ({ id }) => shown.has(id))}`;
  const text = `${form.instructions.replaceAll('<conversation>', 'the conversation above')}\n\n${scopeOf(prompt, continued.view)}${ids}\n${taskOf(prompt)}`;
  const promptTokens =
    (await meter.measure(continued.view)).total +
    (await meter.measureTools(continued.tools)).total +
    (await meter.countText(text));
  const room = (model.window ?? assumedWindow) - promptTokens - windowMargin;
  if (room < Math.min(smallestReply, form.largest)) return undefined;
  const maxOutputTokens = Math.min(form.largest, room);
  return {
    request: {
      instructions: '',
      prompt: text,
      sources,
      focus,
      tag: form.tag,
      maxOutputTokens,
      continues: continued,
    },
    promptTokens,
    warnings: [],
  };
}

function taskOf({ focus, form }: SummaryPrompt): string {
  return focus === undefined ? `\n${form.task}` : `\nPay particular attention to: ${focus}\n\n${form.task}`;
}

/** Writes earlier quotes as a paragraph of the request; empty without quotes. */
function quotesBefore(
  { history = [], tagSuffix }: SummaryPrompt,
  isRead: (message: Message) => boolean,
): string {
  const quotes = earlierQuotes(history, isRead, tagSuffix);
  return quotes === '' ? '' : `\n${quotes}\n`;
}

/** Describes the part of the conversation that is removed and has to be in the notes. */
function scopeOf({ sources, tagSuffix }: SummaryPrompt, view: readonly Message[]): string {
  const last = view.findIndex((message) => message.id === sources.at(-1)?.id);
  const next = view.slice(last + 1).find((message) => textOf(message.content).trim() !== '');
  if (last < 0 || next === undefined) return 'All of the conversation above will leave the context.';
  const quote = inLine(
    headOf(textOf(next.content).replace(/\s+/gu, ' ').trim(), quotedCharacters),
    tagSuffix,
  );
  return `Everything before the ${next.role} message that begins with ${JSON.stringify(quote)} will leave the context; that message and all after it stay, so the notes need not repeat them.`;
}

/** Serialises a conversation as one text. Everything is escaped, so that tool output cannot imitate our tags. */
export function serialise(
  messages: readonly Message[],
  tagSuffix: TagSuffix,
  longest = Number.POSITIVE_INFINITY,
  labels?: ReadonlyMap<string, string>,
): string {
  const toolNames = new Map<string, string>();
  return messages
    .map((message) => {
      const id = labels?.get(message.id) ?? attributeOf(message.id);
      return serialiseMessage(message, id, toolNames, tagSuffix, longest);
    })
    .join('\n');
}

function serialiseMessage(
  message: Message,
  id: string,
  toolNames: Map<string, string>,
  tagSuffix: TagSuffix,
  longest: number,
): string {
  const isSummary = message.kind === 'summary';
  const text = contentOf(message, tagSuffix, longest);
  if (isSummary) return `<earlier_summary id="${id}">\n${text}\n</earlier_summary>`;
  if (message.role === 'tool') {
    const tool = message.name ?? toolNames.get(message.tool_call_id ?? '') ?? 'tool';
    return `<result id="${id}" tool="${nameOf(tool, tagSuffix)}">\n${text}\n</result>`;
  }
  const calls = (message.tool_calls ?? []).map(({ id, function: called }) => {
    toolNames.set(id, called.name);
    const callArguments = cleaned(headAndTail(called.arguments, longest), tagSuffix);
    return `<call tool="${nameOf(called.name, tagSuffix)}">${callArguments}</call>`;
  });
  const body = [text, ...calls].filter((part) => part !== '').join('\n');
  return `<message id="${id}" from="${speakerOf(message)}">\n${body}\n</message>`;
}

interface CleanedContent {
  readonly tagSuffix: TagSuffix;
  readonly longest: number;
  readonly text: string;
}

/** Newest written text of each message, cached because several requests use the same messages. */
const known = new WeakMap<Message, CleanedContent>();

function contentOf(message: Message, tagSuffix: TagSuffix, longest: number): string {
  const seen = known.get(message);
  if (seen?.tagSuffix === tagSuffix && seen.longest === longest) return seen.text;
  const write = (content: string) => cleaned(headAndTail(content, longest), tagSuffix);
  const parts = contentParts(message.content);
  // Parts without text are named, so that the model knows about them.
  const described = parts.map((part) => part.text ?? nameOfPart(part)).join('\n');
  const pictures = parts.flatMap((part) => (part.text === undefined ? [nameOfPart(part)] : []));
  const added = isTyped(message) ? addedText(message) : '';
  const text =
    added === ''
      ? write(message.kind === 'summary' ? withoutSummaryTags(described) : described)
      : [write(typedText(message)), ...pictures, '<added by="program">', write(added), '</added>'].join('\n');
  known.set(message, { tagSuffix, longest, text });
  return text;
}

export function cleaned(text: string, tagSuffix: TagSuffix): string {
  return escapeTags(visibleText(neutraliseEscaped(withPlainLineEnds(text), tagSuffix)));
}

function nameOf(tool: string, tagSuffix: TagSuffix): string {
  return attributeOf(neutraliseEscaped(tool, tagSuffix));
}

function speakerOf(message: Message): string {
  if (message.role === 'user') return message.origin === 'harness' || isTask(message) ? 'program' : 'user';
  return message.role;
}

function nameOfPart({ type }: ContentPart): string {
  return `[${inLine(type)}]`;
}
