import fc from 'fast-check';
import type { Message, ToolCall } from '../../src/compaction/messages/message.ts';

/**
 * Realistic histories of agents: parallel calls, reused ids, missing or shortened results, user messages that
 * programs wrote, rewritten memory and plans, texts in any script, sizes from nothing to
 * thousands of tokens.
 */

interface Step {
  readonly text: string | null;
  readonly calls: readonly CallPlan[];
  readonly interjection: string | undefined;
}

interface CallPlan {
  readonly tool: string;
  readonly path: string;
  readonly result: string | undefined;
  /** True if the result is the rest of a longer result. */
  readonly isShortened: boolean;
}

const word = fc.constantFrom(
  'store',
  'lock',
  'flush',
  'the rename fails',
  '仓库在写入后恢复',
  'réouvrir',
  '😀🎉',
  '<|endoftext|>',
  '<summary>',
  '</conversation_summary>',
  'x'.repeat(60),
  'Error: EBUSY: resource busy or locked',
);
const shortText = fc.array(word, { minLength: 1, maxLength: 6 }).map((words) => words.join(' '));
const longText = fc
  .tuple(shortText, fc.integer({ min: 1, max: 120 }))
  .map(([text, times]) => Array.from({ length: times }, (_, line) => `${line + 1}\t${text}`).join('\n'));
const resultText = fc.oneof(
  { weight: 2, arbitrary: shortText },
  { weight: 3, arbitrary: longText },
  { weight: 1, arbitrary: fc.constant('') },
);

const call: fc.Arbitrary<CallPlan> = fc.record({
  tool: fc.constantFrom('read_file', 'search_text', 'run_command'),
  path: fc.constantFrom('src/store.ts', 'src/lock.ts', 'docs/说明.md', 'a b.txt'),
  result: fc.option(resultText, { nil: undefined, freq: 12 }),
  isShortened: fc.boolean(),
});

const step: fc.Arbitrary<Step> = fc.record({
  text: fc.option(shortText, { nil: null }),
  calls: fc.array(call, { minLength: 1, maxLength: 3 }),
  interjection: fc.option(shortText, { nil: undefined, freq: 1 }).map((text) => text),
});

interface Turn {
  readonly request: string;
  readonly reminder: string | undefined;
  readonly steps: readonly Step[];
  readonly notes: readonly { readonly source: string; readonly text: string }[];
  readonly answer: string;
  readonly reusesIds: boolean;
  readonly interrupts: boolean;
}

const turn: fc.Arbitrary<Turn> = fc.record({
  request: fc.oneof(shortText, longText),
  reminder: fc.option(shortText, { nil: undefined }),
  steps: fc.array(step, { maxLength: 5 }),
  notes: fc.array(
    fc.record({ source: fc.constantFrom('AGENTS.md', 'plan'), text: fc.oneof(shortText, longText) }),
    { maxLength: 2 },
  ),
  answer: fc.oneof(shortText, longText),
  reusesIds: fc.boolean(),
  interrupts: fc.boolean(),
});

export interface History {
  readonly messages: readonly Message[];
  readonly pins: ReadonlySet<string>;
}

export const histories: fc.Arbitrary<History> = fc
  .record({
    system: fc.option(shortText, { nil: undefined, freq: 4 }),
    memory: fc.option(shortText, { nil: undefined }),
    turns: fc.array(turn, { minLength: 1, maxLength: 5 }),
    pinned: fc.array(fc.nat({ max: 60 }), { maxLength: 2 }),
  })
  .map(({ system, memory, turns, pinned }) => {
    const messages = write(system, memory, turns);
    const pins = pinned.flatMap((index) => messages[index]?.id ?? []);
    return { messages, pins: new Set(pins) };
  });

function write(system: string | undefined, memory: string | undefined, turns: readonly Turn[]): Message[] {
  const messages: Message[] = [];
  const add = (message: Omit<Message, 'id' | 'createdAt'>) =>
    messages.push({ ...message, id: `m${messages.length + 1}`, createdAt: '2026-01-01T00:00:00.000Z' });
  let calls = 0;

  if (system !== undefined) add({ role: 'system', content: system, origin: 'harness' });
  if (memory !== undefined) add({ role: 'user', content: memory, origin: 'harness', kind: 'memory' });
  for (const { request, reminder, steps, notes, answer, reusesIds, interrupts } of turns) {
    add({ role: 'user', content: request, origin: 'person' });
    if (reminder !== undefined) add({ role: 'user', content: reminder, origin: 'harness', kind: 'reminder' });
    for (const { text, calls: plans, interjection } of steps) {
      const toolCalls = plans.map((plan, position): ToolCall => ({
        id: reusesIds ? `call_${position}` : `call_${++calls}_${position}`,
        type: 'function',
        function: { name: plan.tool, arguments: JSON.stringify({ path: plan.path }) },
      }));
      add({ role: 'assistant', content: text, tool_calls: toolCalls, origin: 'model' });
      if (interrupts && interjection !== undefined)
        add({ role: 'user', content: interjection, origin: 'person' });
      for (const [position, plan] of plans.entries()) {
        if (plan.result === undefined) continue;
        add({
          role: 'tool',
          tool_call_id: toolCalls[position]!.id,
          content: plan.result,
          origin: 'tool',
          ...(plan.isShortened ? { original: `${plan.result}\nand more`, truncation: { fate: 'tool' } } : {}),
        });
      }
    }
    for (const { source, text } of notes) {
      add({ role: 'user', content: text, origin: 'harness', kind: 'memory', source });
    }
    add({ role: 'assistant', content: answer, origin: 'model' });
  }
  return messages;
}

/** Freezes a value and everything in it, so that code that mutates it throws. */
export function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const part of Object.values(value)) deepFreeze(part);
  }
  return value;
}
