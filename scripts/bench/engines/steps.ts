import { isSystem, type Message, textOf } from '../../../src/compaction/messages/message.ts';
import { isRecord } from '../../../src/language/is-record.ts';

/** A call with its arguments as an object, as most engines store it. */
export interface StepCall {
  readonly id: string;
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>>;
}

export interface StepResult {
  readonly id: string;
  readonly name: string;
  readonly text: string;
}

/** A message in the common terms of other engines, in which all results of one step are one message. */
export type Step =
  | { readonly from: 'user'; readonly text: string }
  | { readonly from: 'model'; readonly text: string; readonly calls: readonly StepCall[] }
  | { readonly from: 'tools'; readonly results: readonly StepResult[] };

/** Converts messages. Later system messages count as the user's, because most engines have no place for them. */
export function stepsOf(messages: readonly Message[]): readonly Step[] {
  const names = new Map(messages.flatMap(({ tool_calls: calls = [] }) => calls.map(nameById)));
  const steps: Step[] = [];
  let results: StepResult[] | undefined;
  for (const message of messages) {
    const text = textOf(message.content);
    if (message.role === 'tool') {
      const id = message.tool_call_id ?? '';
      if (results === undefined) steps.push({ from: 'tools', results: (results = []) });
      results.push({ id, name: names.get(id) ?? 'unknown', text });
      continue;
    }
    results = undefined;
    if (message.role !== 'assistant' || isSystem(message)) {
      steps.push({ from: 'user', text });
      continue;
    }
    const calls = (message.tool_calls ?? []).map(({ id, function: { name, arguments: given } }) => {
      return { id, name, input: objectIn(given) };
    });
    steps.push({ from: 'model', text, calls });
  }
  return steps;
}

function nameById({ id, function: { name } }: NonNullable<Message['tool_calls']>[number]) {
  return [id, name] as const;
}

/** Models also write malformed JSON. */
function objectIn(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    if (isRecord(value)) return value;
  } catch {
    // Malformed arguments stay a text.
  }
  return { text };
}
