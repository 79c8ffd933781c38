import type { ChatModel, ModelEvent } from '../../../src/agent/model/chat-model.ts';
import { AgentSession } from '../../../src/agent/session/agent-session.ts';
import type { Message, ToolCall } from '../../../src/compaction/messages/message.ts';
import { resolveOptions } from '../../../src/compaction/strategies/contract/options.ts';
import { toolResultHiding } from '../../../src/compaction/strategies/tool-result-hiding.ts';
import { loadEncoding } from '../../../src/compaction/tokens/token-counter.ts';
import { UsageMeter } from '../../../src/compaction/tokens/usage.ts';
import { ChatFeed } from '../../../src/presenters/chat/chat-feed.ts';
import type { ChatChange } from '../../../src/protocol/chat.ts';
import { englishWording } from '../../../src/language/translated/wording.ts';

const window = 2_000_000;
const createdAt = '2026-01-01T00:00:00.000Z';
const words = ['store', 'lock', 'handle', 'session', 'rename', 'opens', 'before', 'the', 'closes', 'file'];

/** Pieces of text and thinking that the model streams in one turn: mostly words, repeated once a page. */
const thought = Array.from({ length: 400 }, (_, index) => `${wordAt(index)} `);
const said = [...Array.from({ length: 1_500 }, (_, index) => `${wordAt(index)} `), '\n\n', textOf(2_000, 7)];

/** A session as the extension holds it, and what its feed told. */
export interface LongSession {
  readonly session: AgentSession;
  readonly feed: ChatFeed;
  readonly meter: UsageMeter;
  /** Notifications since the last call, one per message to the view. */
  takeTold(): readonly (readonly ChatChange[])[];
}

/**
 * A session with a history of calls, results, questions and answers.
 *
 * @param count messages
 * @param tokens of each, about
 */
export async function openLongSession(count: number, tokens: number): Promise<LongSession> {
  const counter = await loadEncoding('o200k_base');
  const meter = new UsageMeter(
    { count: (texts) => Promise.resolve(texts.map(counter)) },
    { countsReasoning: true },
  );
  let told: (readonly ChatChange[])[] = [];
  const model = streamingModel();
  const session: AgentSession = new AgentSession(
    {
      title: 'A long session',
      entries: history(count, tokens).map((message) => ({ type: 'message', message })),
      tools: [],
      lastTurn: undefined,
    },
    {
      log: () => Promise.resolve(),
      models: () => Promise.resolve({ chat: model, named: () => model }),
      tools: () => [],
      settings: () => ({
        strategy: toolResultHiding,
        options: resolveOptions(toolResultHiding.options, {}).options,
        budget: { window, triggerRatio: 0.85, targetRatio: 0.5 },
        mode: 'off',
        protectFirst: true,
      }),
      meter,
      approvals: { isAllowed: () => true, allow: () => {} },
      systemPrompt: () => 'rules',
      now: () => Date.now(),
    },
    (event) => feed.handle(event),
  );
  const feed = new ChatFeed(session, {
    meterOf: () => meter,
    wording: englishWording,
    changed: (changes) => told.push(changes),
    failed: (message) => {
      throw new Error(message);
    },
  });
  return {
    session,
    feed,
    meter,
    takeTold() {
      const taken = told;
      told = [];
      return taken;
    },
  };
}

function streamingModel(): ChatModel {
  return {
    id: 'streaming',
    label: 'Streaming',
    window,
    async *stream(): AsyncGenerator<ModelEvent, void, undefined> {
      for (const text of thought) yield await later({ type: 'reasoning-delta', text });
      for (const text of said) yield await later({ type: 'text-delta', text });
      const reply = { content: said.join(''), reasoning: thought.join(''), toolCalls: [] };
      yield { type: 'end', reply: { ...reply, finishReason: 'stop' } };
    },
    summarise: () => Promise.reject(new Error('Nothing is summarised here.')),
  };
}

/** As fast as a fast provider: some hundred pieces a second. */
function later(event: ModelEvent): Promise<ModelEvent> {
  return new Promise((resolve) => setTimeout(() => resolve(event), 2));
}

function history(count: number, tokens: number): readonly Message[] {
  return Array.from({ length: count }, (_, index): Message => {
    const id = `m${index}`;
    switch (index % 4) {
      case 0:
        return { id, role: 'user', origin: 'person', createdAt, content: textOf(tokens, index) };
      case 1: {
        const input = JSON.stringify({ path: `src/file-${index}.ts`, why: textOf(tokens, index) });
        const call: ToolCall = {
          id: `c${index}`,
          type: 'function',
          function: { name: 'read_file', arguments: input },
        };
        return { id, role: 'assistant', origin: 'model', createdAt, content: null, tool_calls: [call] };
      }
      case 2:
        return {
          id,
          role: 'tool',
          origin: 'tool',
          createdAt,
          tool_call_id: `c${index - 1}`,
          content: textOf(tokens, index),
        };
      default:
        return { id, role: 'assistant', origin: 'model', createdAt, content: answer(tokens, index) };
    }
  });
}

function answer(tokens: number, seed: number): string {
  const half = textOf(tokens / 2, seed);
  return `The **${wordAt(seed)}** is in \`src/file-${seed}.ts\`:\n\n${half}\n\n- one\n- two\n\n\`\`\`ts\n${half}\n\`\`\`\n`;
}

/** The tokens of a long answer: paragraphs, lists and code in turn. */
export function longAnswer(count: number): readonly string[] {
  const tokens: string[] = [];
  for (let block = 0; tokens.length < count; block++) {
    const kind = block % 4;
    if (kind === 2) tokens.push('```ts\n');
    for (let index = 0; index < 120; index++) {
      const isLine = index % 12 === 11;
      if (kind === 1 && index % 12 === 0) tokens.push('- ');
      const word = wordAt(index * 3 + block);
      tokens.push(`${kind < 2 && index % 20 === 5 ? `**${word}**` : word}${isLine && kind > 0 ? '\n' : ' '}`);
    }
    tokens.push(kind === 2 ? '```\n\n' : '\n\n');
  }
  return tokens.slice(0, count);
}

/** A string of about this many tokens: each word is about one. */
function textOf(tokens: number, seed: number): string {
  return Array.from(
    { length: tokens },
    (_, index) => `${wordAt(index * 3 + seed)}${index % 12 === 11 ? '\n' : ' '}`,
  ).join('');
}

function wordAt(index: number): string {
  return words[index % words.length] ?? '';
}
