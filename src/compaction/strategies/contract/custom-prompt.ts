import { strategySentences } from '../../../language/english/strategies-english.ts';
import type { CancellationSignal } from '../../signals/cancellation.ts';
import { CompactionFailure } from '../../records/reason.ts';
import { roles, toMessage, type ChatMessage, type Message } from '../../messages/message.ts';
import type { SummaryReport } from '../../records/record.ts';
import type { SummaryModel } from '../../summary/summary-model.ts';
import { noSession } from '../../quoting/session-tags.ts';
import { serialise } from '../../summary/summary-request.ts';
import { askModel, parseSummary } from '../../summary/write-summary.ts';
import type { UsageMeter } from '../../tokens/usage.ts';
import {
  callsIn,
  contentIn,
  refuse,
  requiredFields,
  requiredList,
  requiredText,
} from './parse-custom-plan.ts';

/** Maximum length of a prompt, in characters. A longer prompt would be refused after counting anyway. */
const longestPrompt = 10_000_000;
const usualReply = 4_000;
/** Maximum number of reply tokens that may be requested. At most half of the window is granted. */
const largestReply = 1_000_000;
/** Number of tokens of the window that prompt and reply leave unused. */
const windowMargin = 1_024;
const assumedWindow = 128_000;

interface ReadPrompt {
  readonly instructions: string;
  readonly text: string;
  readonly messages: readonly Message[];
  readonly model: string | undefined;
  readonly maxOutputTokens: number | undefined;
}

/** Reads a prompt of a custom strategy. @throws {CompactionFailure} `custom-invalid` */
export function readPrompt(asked: unknown): ReadPrompt {
  const path = 'model.prompt';
  const { instructions = '', text = '', messages = [], model = '', ...rest } = requiredFields(asked, path);
  const prompt = {
    instructions: requiredText(instructions, `${path}: instructions`),
    text: requiredText(text, `${path}: text`),
    messages: requiredList(messages, `${path}: messages`).map(readMessage),
    model: requiredText(model, `${path}: model`).trim() || undefined,
    maxOutputTokens: limitIn(rest['maxOutputTokens'], `${path}: maxOutputTokens`),
  };
  if (prompt.text.trim() === '' && prompt.messages.length === 0) {
    refuse(path, strategySentences.say('objectWith', { fields: 'text, messages' }), asked);
  }
  return prompt;
}

/** Sends a custom strategy's prompt and reports its spending. @throws {CompactionFailure} {CancelledError} */
export async function answerPrompt(
  prompt: ReadPrompt,
  model: SummaryModel,
  meter: UsageMeter,
  spent: (report: SummaryReport) => void,
  signal: CancellationSignal,
): Promise<string> {
  const { instructions, messages, text } = prompt;
  const conversation =
    messages.length === 0 ? [] : [`<conversation>\n${serialise(messages, noSession)}\n</conversation>`];
  const whole = [...conversation, ...(text === '' ? [] : [text])].join('\n\n');
  if (instructions.length + whole.length > longestPrompt) {
    refuse(
      'model.prompt',
      strategySentences.say('atMostCharacters', { most: longestPrompt }),
      instructions.length + whole.length,
    );
  }
  const window = model.window ?? assumedWindow;
  const maxOutputTokens = Math.min(prompt.maxOutputTokens ?? usualReply, Math.floor(window / 2));
  const [instructed = 0, said = 0] = await meter.countTexts([instructions, whole]);
  const promptTokens = instructed + said;
  if (model.readsSources !== true && promptTokens + maxOutputTokens + windowMargin > window) {
    throw new CompactionFailure(
      'custom-invalid',
      strategySentences.say('promptTooLarge', {
        prompt: promptTokens,
        reply: maxOutputTokens,
        model: model.id,
        window,
      }),
    );
  }
  const request = {
    instructions,
    prompt: model.readsSources === true ? '' : whole,
    sources: text.trim() === '' ? messages : [...messages, spoken(text)],
    focus: undefined,
    tag: 'answer',
    maxOutputTokens,
  };
  const reply = await askModel(model, request, signal);
  spent({
    model: model.id,
    promptTokens: reply.usage?.inputTokens ?? promptTokens,
    outputTokens: reply.usage?.outputTokens ?? (await meter.countText(reply.content)),
    attempts: 1,
  });
  return parseSummary(reply, { tag: request.tag, needsTag: false });
}

function readMessage(given: unknown, index: number): Message {
  const path = `model.prompt: messages[${index}]`;
  const fields = requiredFields(given, path);
  const { id, role, content, name, tool_calls: calls = [], tool_call_id: callId } = fields;
  const ownRole = roles.find((known) => known === role);
  if (ownRole === undefined)
    return refuse(`${path}.role`, strategySentences.say('oneOf', { choices: roles.join(', ') }), role);
  const toolCalls = callsIn(calls, `${path}.tool_calls`);
  const chat: ChatMessage = {
    role: ownRole,
    content: contentIn(content, `${path}.content`),
    ...(typeof name === 'string' ? { name } : {}),
    ...(toolCalls.length === 0 ? {} : { tool_calls: toolCalls }),
    ...(typeof callId === 'string' ? { tool_call_id: callId } : {}),
  };
  // An id becomes an attribute in the text. An id with other characters could close the attribute.
  const ownId = typeof id === 'string' && /^[\w-]{1,100}$/.test(id) ? id : `p${index + 1}`;
  return toMessage(chat, { id: ownId, origin: 'strategy', createdAt: '' });
}

function limitIn(value: unknown, path: string): number | undefined {
  if (value === undefined) return undefined;
  const isLimit = Number.isInteger(value) && (value as number) >= 1 && (value as number) <= largestReply;
  return isLimit
    ? (value as number)
    : refuse(path, strategySentences.say('wholeNumberBetween', { least: 1, most: largestReply }), value);
}

function spoken(text: string): Message {
  return { role: 'user', content: text, id: 'prompt', origin: 'strategy', createdAt: '' };
}
