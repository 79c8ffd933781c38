import { textOf, type ChatMessage } from '../../compaction/message.ts';
import { isSummaryText } from '../../compaction/summary/summary-message.ts';
import { continueText } from '../prompt.ts';
import { isRecord } from '../provider-error.ts';
import { typedQuestion } from './typed-question.ts';

/** A tool call of the present turn and what came of it. */
export interface MadeCall {
  readonly tool: string;
  readonly input: Readonly<Record<string, unknown>>;
  /** Undefined where there is none, or a compaction hid it. */
  readonly result: string | undefined;
}

/** What the conversation says about the present turn. */
export interface Turn {
  readonly question: string;
  /** Calls of each step, in the order of the steps. */
  readonly steps: readonly (readonly MadeCall[])[];
  /** Ids under which something hidden can be recalled. */
  readonly hiddenIds: ReadonlySet<string>;
}

const hidden = /\brecall\("([^"\n]{1,100})"\)/g;

/** Finds the newest question and what was done about it. Everything the model knows is in the messages. */
export function readTurn(messages: readonly ChatMessage[]): Turn {
  const asked = messages.findLastIndex(isQuestion);
  const resultOf = resultsBehind(messages, asked);
  const steps = messages.slice(asked + 1).flatMap((message) => {
    const calls = message.tool_calls ?? [];
    if (message.role !== 'assistant' || calls.length === 0) return [];
    return [
      calls.map(({ id, function: called }) => ({
        tool: called.name,
        input: parse(called.arguments),
        result: resultOf.get(id),
      })),
    ];
  });
  const ids = messages
    .filter(({ role }) => role !== 'system' && role !== 'developer')
    .flatMap(({ content }) => [...textOf(content).matchAll(hidden)].map((match) => match[1] ?? ''));
  return { question: typedQuestion(textOf(messages[asked]?.content ?? '')), steps, hiddenIds: new Set(ids) };
}

/** What a person wrote, not what a program put into their role. */
function isQuestion(message: ChatMessage): boolean {
  if (message.role !== 'user') return false;
  const text = textOf(message.content);
  return text.trim() !== '' && text !== continueText && !isSummaryText(text) && !/^<[a-z_-]+>/.test(text);
}

/** Results of the turn by the id of their call. Placeholders of a compaction are none. */
function resultsBehind(messages: readonly ChatMessage[], asked: number): ReadonlyMap<string, string> {
  return new Map(
    messages.slice(asked + 1).flatMap((message): [string, string][] => {
      if (message.role !== 'tool' || message.tool_call_id === undefined) return [];
      const text = textOf(message.content);
      const isPlaceholder = text.length < 400 && /^\[[^\n]*\brecall\("/.test(text);
      return isPlaceholder ? [] : [[message.tool_call_id, text]];
    }),
  );
}

function parse(json: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(json);
    return isRecord(value) ? value : {};
  } catch {
    return {};
  }
}
