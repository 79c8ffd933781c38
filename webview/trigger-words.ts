import type { Trigger, TriggerStart } from '../src/compaction/record.ts';
import { localised } from './locale.ts';
import { formatCount } from './numbers.ts';

interface Started extends Pick<Trigger, 'source' | 'tokens'> {
  readonly start?: TriggerStart | undefined;
  readonly threshold?: number | undefined;
}

export const englishTriggerWords = {
  starts: {
    background: 'in the background',
    early: 'early',
    due: 'when due',
  } satisfies Record<TriggerStart, string>,
  background: (tokens: string, from: string) =>
    `Began in the background at ${tokens} tokens: from ${from} on, one begins beside the calls.`,
  early: (tokens: string) => `Shortened early at ${tokens} tokens, because that pays for itself.`,
  ratio: (tokens: string, limit: string) =>
    `Due at ${tokens} tokens: the share of the window that is set is ${limit}.`,
  reserve: (tokens: string, limit: string) =>
    `Due at ${tokens} tokens: what is above ${limit} is for the reply.`,
  tokens: (tokens: string, limit: string) => `Due at ${tokens} tokens: ${limit} are set.`,
  messages: (tokens: string, limit: string) =>
    `Due at ${tokens} tokens: there were more new messages than ${limit}.`,
  turns: (tokens: string, limit: string) =>
    `Due at ${tokens} tokens: there were more new turns than ${limit}.`,
  overflow: (tokens: string, window: string) => `Due at ${tokens} tokens: the window has ${window}.`,
};

export const chineseTriggerWords: typeof englishTriggerWords = {
  starts: { background: '在后台', early: '提前', due: '到触发点' },
  background: (tokens, from) => `在 ${tokens} 个 token 时于后台开始：达到 ${from} 个即与请求并行开始。`,
  early: (tokens) => `在 ${tokens} 个 token 时提前缩短，因为这样划算。`,
  ratio: (tokens, limit) => `在 ${tokens} 个 token 时触发：所设窗口比例为 ${limit} 个。`,
  reserve: (tokens, limit) => `在 ${tokens} 个 token 时触发：超过 ${limit} 个的部分留给回复。`,
  tokens: (tokens, limit) => `在 ${tokens} 个 token 时触发：所设数量为 ${limit} 个。`,
  messages: (tokens, limit) => `在 ${tokens} 个 token 时触发：新消息多于 ${limit} 条。`,
  turns: (tokens, limit) => `在 ${tokens} 个 token 时触发：新的轮次多于 ${limit} 轮。`,
  overflow: (tokens, window) => `在 ${tokens} 个 token 时触发：上下文窗口为 ${window} 个。`,
};

const words = localised({ english: englishTriggerWords, chinese: chineseTriggerWords });

/** How a compaction began, in a word or two; undefined where that was not written down, or somebody asked for it. */
export function startName(start: TriggerStart | undefined): string | undefined {
  return start === undefined ? undefined : words.starts[start];
}

/** How a compaction began, and why then, in a sentence; undefined as for `startName`. */
export function startSentence({ source, tokens, start, threshold }: Started): string | undefined {
  if (start === undefined) return undefined;
  const size = formatCount(tokens);
  if (start === 'early') return words.early(size);
  if (threshold === undefined) return undefined;
  const limit = formatCount(threshold);
  if (start === 'background') return words.background(size, limit);
  switch (source) {
    case 'ratio':
    case 'reserve':
    case 'tokens':
    case 'messages':
    case 'turns':
    case 'overflow':
      return words[source](size, limit);
    default:
      return undefined;
  }
}
