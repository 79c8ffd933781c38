import { pageTranslation } from '../page-texts.ts';
import type { bothPagesEnglish } from '../english/both-pages-english.ts';

/** Strings of both pages in Simplified Chinese. */
export const bothPagesChinese = pageTranslation<typeof bothPagesEnglish>()({
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

  betweenNames: '、',

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
    edited: '摘要经手动编辑',
    part: '涉及 {count} 条消息',
  },

  filesCameBack: '{count} 个文件已恢复（{tokens} 个 token）',

  trigger: {
    starts: { background: '在后台', early: '提前', due: '达到上限时' },
    size: '{tokens} 个 token ',
    sizes: '{tokens} 个 token（此处计为 {counted} 个）',
    background: '在 {size}时于后台开始；后台压缩的起点为 {from} 个。',
    early: '在 {size}时提前缩短，因为这样划算。',
    ratio: '在 {size}时触发：所设窗口比例相当于 {limit} 个。',
    reserve: '在 {size}时触发：超过 {limit} 个的部分为回复预留。',
    tokens: '在 {size}时触发：所设上限为 {limit} 个。',
    messages: '在 {size}时触发：新消息多于 {limit} 条。',
    turns: '在 {size}时触发：新的轮次多于 {limit} 轮。',
    overflow: '在 {size}时触发：上下文窗口为 {limit} 个。',
  },

  countsMore: '提供方比各部分之和多计 {tokens} 个 token。',
  countsFewer: '提供方比各部分之和少计 {tokens} 个 token。',

  outlook: {
    compacts: '达到 {tokens} 时压缩。',
    asks: '达到 {tokens} 时询问是否压缩。',
    begins: '达到 {tokens} 时在后台开始压缩。',
    isPaused: '撤销之后，自动压缩已暂停。',
    isUnderWay: '后台正在压缩。',
    shortensEarly: '可能提前缩短旧输出。',
    nextMessage: '下一条消息时压缩。',
    messages: '再过 {messages} 条消息时压缩，不论大小。',
    nextTurn: '下一轮时压缩。',
    turns: '再过 {turns} 轮时压缩，不论大小。',
  },
});
