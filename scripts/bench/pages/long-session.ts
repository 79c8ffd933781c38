import { AgentSession } from '../../../src/agent/session/agent-session.ts';
import { resolveOptions } from '../../../src/compaction/strategies/contract/options.ts';
import { toolResultHiding } from '../../../src/compaction/strategies/tool-result-hiding.ts';
import { loadEncoding } from '../../../src/compaction/tokens/token-counter.ts';
import { UsageMeter } from '../../../src/compaction/tokens/usage.ts';
import { ChatFeed } from '../../../src/presenters/chat/chat-feed.ts';
import { englishWording } from '../../../src/language/translated/wording.ts';
import { longSession } from '../long-session.ts';

const window = 2_000_000;
const words = ['store', 'lock', 'handle', 'session', 'rename', 'opens', 'before', 'the', 'closes', 'file'];

/** A session as the extension stores it, and the rows of its chat. */
export interface LongSession {
  readonly session: AgentSession;
  readonly feed: ChatFeed;
}

/**
 * Creates a session with calls, results, questions and answers.
 *
 * @param count number of messages
 */
export async function openLongSession(count: number): Promise<LongSession> {
  const counter = await loadEncoding('o200k_base');
  const meter = new UsageMeter(
    { count: (texts) => Promise.resolve(texts.map(counter)) },
    { countsReasoning: true },
  );
  const session: AgentSession = new AgentSession(
    {
      title: 'A long session',
      entries: longSession(count).map((message) => ({ type: 'message', message })),
      tools: [],
      lastTurn: undefined,
    },
    {
      log: () => Promise.resolve(),
      models: () => Promise.reject(new Error('No model is asked here.')),
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
    changed: () => {},
    failed: (message) => {
      throw new Error(message);
    },
  });
  return { session, feed };
}

/** The tokens of a long answer, with paragraphs, lists and code in turn. */
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

function wordAt(index: number): string {
  return words[index % words.length] ?? '';
}
