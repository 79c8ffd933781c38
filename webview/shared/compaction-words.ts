import type { Fate, Kind, Outlook, Trigger, TriggerStart } from '../../src/protocol/engine-terms.ts';
import { localised } from './localisation.ts';
import { formatCount } from './numbers.ts';

type KindNames = Readonly<Record<Kind, string>>;

const englishKindNames: KindNames = {
  system: 'System',
  tools: 'Tool schemas',
  memory: 'Memory',
  user: 'You',
  assistant: 'Assistant',
  reasoning: 'Thinking',
  toolCall: 'Tool calls',
  toolResult: 'Tool results',
  summary: 'Summaries',
  reminder: 'Reminders',
  skill: 'Skills',
  skillMetadata: 'List of skills',
};

const chineseKindNames: KindNames = {
  system: '系统',
  tools: '工具定义',
  memory: '记忆',
  user: '你',
  assistant: '助手',
  reasoning: '思考',
  toolCall: '工具调用',
  toolResult: '工具结果',
  summary: '摘要',
  reminder: '提醒',
  skill: '技能',
  skillMetadata: '技能列表',
};

/** What tokens are for, in a person's words. */
export const kindNames = localised({ english: englishKindNames, chinese: chineseKindNames });

type FateWords = Readonly<Record<Fate, string>>;

const englishFateWords: FateWords = {
  keep: 'kept',
  hide: 'hidden',
  clip: 'clipped',
  offload: 'offloaded',
  drop: 'dropped',
  summarise: 'summarised',
  insert: 'inserted',
};

const chineseFateWords: FateWords = {
  keep: '保留',
  hide: '隐藏',
  clip: '截短',
  offload: '移入存档',
  drop: '移除',
  summarise: '并入摘要',
  insert: '新增',
};

/** What became of messages, in a word or two. */
export const fateWords = localised({ english: englishFateWords, chinese: chineseFateWords });

/** The same where it stands alone. */
export function fateName(fate: Fate): string {
  const word = fateWords[fate];
  return `${word.charAt(0).toUpperCase()}${word.slice(1)}`;
}

interface Started extends Pick<Trigger, 'source' | 'tokens'> {
  readonly start?: TriggerStart | undefined;
  readonly threshold?: number | undefined;
}

const englishTriggerWords = {
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

const chineseTriggerWords: typeof englishTriggerWords = {
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

const triggerWords = localised({ english: englishTriggerWords, chinese: chineseTriggerWords });

/** How a compaction began, in a word or two; undefined where that was not written down, or somebody asked for it. */
export function startName(start: TriggerStart | undefined): string | undefined {
  return start === undefined ? undefined : triggerWords.starts[start];
}

/** How a compaction began, and why then, in a sentence; undefined as for `startName`. */
export function startSentence({ source, tokens, start, threshold }: Started): string | undefined {
  if (start === undefined) return undefined;
  const size = formatCount(tokens);
  if (start === 'early') return triggerWords.early(size);
  if (threshold === undefined) return undefined;
  const limit = formatCount(threshold);
  if (start === 'background') return triggerWords.background(size, limit);
  switch (source) {
    case 'ratio':
    case 'reserve':
    case 'tokens':
    case 'messages':
    case 'turns':
    case 'overflow':
      return triggerWords[source](size, limit);
    default:
      return undefined;
  }
}

const englishOutlookWords = {
  compacts: (tokens: string) => `Compacts at ${tokens}.`,
  asks: (tokens: string) => `Asks at ${tokens} whether to compact.`,
  begins: (tokens: string) => `Begins in the background at ${tokens}.`,
  isUnderWay: 'One runs in the background now.',
  shortensEarly: 'Shortens old output before that, wherever it pays.',
  messages: (count: number, text: string) =>
    count === 1 ? 'Due with the next message.' : `Due in ${text} messages, whatever the size.`,
  turns: (count: number, text: string) =>
    count === 1 ? 'Due with the next turn.' : `Due in ${text} turns, whatever the size.`,
};

const chineseOutlookWords: typeof englishOutlookWords = {
  compacts: (tokens) => `达到 ${tokens} 时压缩。`,
  asks: (tokens) => `达到 ${tokens} 时询问是否压缩。`,
  begins: (tokens) => `达到 ${tokens} 时在后台开始压缩。`,
  isUnderWay: '后台正在压缩。',
  shortensEarly: '在此之前，只要划算就会先缩短旧输出。',
  messages: (count, text) => (count === 1 ? '下一条消息时压缩。' : `再过 ${text} 条消息时压缩，不论大小。`),
  turns: (count, text) => (count === 1 ? '下一轮时压缩。' : `再过 ${text} 轮时压缩，不论大小。`),
};

const outlookWords = localised({ english: englishOutlookWords, chinese: chineseOutlookWords });

/**
 * What compacts by itself next, and when: a sentence each, in the order in which it happens.
 *
 * @param outlook with its sizes in counted tokens
 */
export function outlookSentences(outlook: Outlook): readonly string[] {
  const { trigger, background, isUnderWay, asks, messagesLeft, turnsLeft } = outlook;
  return [
    ...(isUnderWay === true ? [outlookWords.isUnderWay] : []),
    ...(background === undefined ? [] : [outlookWords.begins(formatCount(background))]),
    ...(trigger === undefined
      ? []
      : [(asks === true ? outlookWords.asks : outlookWords.compacts)(formatCount(trigger))]),
    ...(outlook.shortensEarly === true ? [outlookWords.shortensEarly] : []),
    // The one that passes the limit sets it off.
    ...(messagesLeft === undefined
      ? []
      : [outlookWords.messages(messagesLeft + 1, formatCount(messagesLeft + 1))]),
    ...(turnsLeft === undefined ? [] : [outlookWords.turns(turnsLeft + 1, formatCount(turnsLeft + 1))]),
  ];
}
