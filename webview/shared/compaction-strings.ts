import type { Kind, RowFate, TriggerStart } from '../../src/protocol/engine-terms.ts';
import type { Translation } from './localisation.ts';

/** Strings that both pages show about a context and its compactions, in English. */
export const compactionEnglish = {
  kinds: {
    system: 'System',
    tools: 'Tool definitions',
    memory: 'Memory',
    user: 'You',
    assistant: 'Assistant',
    reasoning: 'Thinking',
    toolCall: 'Tool calls',
    toolResult: 'Tool results',
    summary: 'Summaries',
    reminder: 'Reminders',
    skill: 'Skills',
    skillMetadata: 'Skill list',
    file: 'Restored files',
  } satisfies Record<Kind, string>,

  fates: {
    keep: 'kept',
    hide: 'hidden',
    clip: 'clipped',
    offload: 'offloaded',
    drop: 'dropped',
    summarise: 'summarised',
    insert: 'inserted',
    restore: 'restored',
  } satisfies Record<RowFate, string>,

  /** Compactions that a person made by hand. */
  byHand: {
    hide: 'Hidden by hand',
    rewind: 'Went on from an earlier message',
    edited: 'summary edited by a person',
    part: (count: number, text: string) => (count === 1 ? 'of 1 message' : `of ${text} messages`),
  },

  filesCameBack: (count: number, files: string, tokens: string) =>
    count === 1 ? `1 file came back (${tokens} tokens)` : `${files} files came back (${tokens} tokens)`,

  /** The start of a compaction and its reason. */
  trigger: {
    starts: {
      background: 'in the background',
      early: 'early',
      due: 'at the limit',
    } satisfies Record<TriggerStart, string>,
    size: (tokens: string) => `${tokens} tokens`,
    sizes: (tokens: string, counted: string) => `${tokens} tokens (${counted} as counted here)`,
    background: (size: string, from: string) =>
      `Started in the background at ${size}; background compaction starts at ${from}.`,
    early: (size: string) => `Shortened early at ${size} because it pays off.`,
    ratio: (size: string, limit: string) => `Due at ${size}: the configured share of the window is ${limit}.`,
    reserve: (size: string, limit: string) =>
      `Due at ${size}: everything above ${limit} is reserved for the reply.`,
    tokens: (size: string, limit: string) => `Due at ${size}: the configured limit is ${limit}.`,
    messages: (size: string, limit: string) => `Due at ${size}: more than ${limit} new messages.`,
    turns: (size: string, limit: string) => `Due at ${size}: more than ${limit} new turns.`,
    overflow: (size: string, window: string) => `Due at ${size}: the window holds ${window}.`,
  },

  /** The provider's count of the next request compared with ours. */
  countsMore: (tokens: string) => `The provider counts ${tokens} more than the parts add up to.`,
  countsFewer: (tokens: string) => `The provider counts ${tokens} fewer than the parts add up to.`,

  /** Forecast of the next compaction. */
  outlook: {
    compacts: (tokens: string) => `Compacts at ${tokens}.`,
    asks: (tokens: string) => `Asks at ${tokens} whether to compact.`,
    begins: (tokens: string) => `Starts in the background at ${tokens}.`,
    isUnderWay: 'A compaction is running in the background.',
    shortensEarly: 'May shorten old output earlier.',
    messages: (count: number, text: string) =>
      count === 1 ? 'Due with the next message.' : `Due in ${text} messages, regardless of size.`,
    turns: (count: number, text: string) =>
      count === 1 ? 'Due with the next turn.' : `Due in ${text} turns, regardless of size.`,
  },
};

/** The same in Simplified Chinese. */
export const compactionChinese: Translation<typeof compactionEnglish> = {
  kinds: {
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
    file: '恢复的文件',
  },

  fates: {
    keep: '保留',
    hide: '隐藏',
    clip: '截短',
    offload: '移入存档',
    drop: '移除',
    summarise: '并入摘要',
    insert: '新增',
    restore: '恢复',
  },

  byHand: {
    hide: '手动隐藏',
    rewind: '从较早的消息继续',
    edited: '摘要由人编辑过',
    part: (_count, text) => `涉及 ${text} 条消息`,
  },

  filesCameBack: (_count, files, tokens) => `${files} 个文件已恢复（${tokens} 个 token）`,

  trigger: {
    starts: { background: '在后台', early: '提前', due: '达到上限时' },
    size: (tokens) => `${tokens} 个 token `,
    sizes: (tokens, counted) => `${tokens} 个 token（此处计为 ${counted} 个）`,
    background: (size, from) => `在 ${size}时于后台开始；后台压缩的起点为 ${from} 个。`,
    early: (size) => `在 ${size}时提前缩短，因为这样划算。`,
    ratio: (size, limit) => `在 ${size}时触发：所设窗口比例相当于 ${limit} 个。`,
    reserve: (size, limit) => `在 ${size}时触发：超过 ${limit} 个的部分为回复预留。`,
    tokens: (size, limit) => `在 ${size}时触发：所设上限为 ${limit} 个。`,
    messages: (size, limit) => `在 ${size}时触发：新消息多于 ${limit} 条。`,
    turns: (size, limit) => `在 ${size}时触发：新的轮次多于 ${limit} 轮。`,
    overflow: (size, window) => `在 ${size}时触发：上下文窗口为 ${window} 个。`,
  },

  countsMore: (tokens) => `提供方比各部分之和多计 ${tokens} 个 token。`,
  countsFewer: (tokens) => `提供方比各部分之和少计 ${tokens} 个 token。`,

  outlook: {
    compacts: (tokens) => `达到 ${tokens} 时压缩。`,
    asks: (tokens) => `达到 ${tokens} 时询问是否压缩。`,
    begins: (tokens) => `达到 ${tokens} 时在后台开始压缩。`,
    isUnderWay: '后台正在压缩。',
    shortensEarly: '可能提前缩短旧输出。',
    messages: (count, text) => (count === 1 ? '下一条消息时压缩。' : `再过 ${text} 条消息时压缩，不论大小。`),
    turns: (count, text) => (count === 1 ? '下一轮时压缩。' : `再过 ${text} 轮时压缩，不论大小。`),
  },
};
