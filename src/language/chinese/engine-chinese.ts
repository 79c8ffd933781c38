import type { engineSentences } from '../english/engine-english.ts';
import { translations } from '../translations.ts';

export const engineChinese = translations<typeof engineSentences>('engine')({
  // Records.
  untouched: '未作更改',
  stopped: '尚未完成即已停止。',
  conversationChanged: '对话在此期间有了变化。',
  spendingLimitReached: '此聊天已达到自动摘要的用量上限。',

  // Invalid plans.
  noSuchMessageInContext: '上下文中没有消息 {id}。',
  noMessageToInsertAfter: '上下文中没有可在其后插入的消息 {id}。',
  planNamesMessageTwice: '该方案两次提到消息 {id}。',
  summaryWithoutSource: '有一份摘要没有来源。',

  // The transcript.
  hasIdAlready: '记录中已有 {id}。',
  hasNoId: '记录中没有 {id}。',
  hasNoMessage: '记录中没有消息 {id}。',
  compactionNotInForce: '压缩 {id} 未生效。',

  // Summaries.
  fileCameBack: '{file} 以当前内容恢复',
  fileCameBackChanged: '{file} 以当前内容恢复；自上次进入上下文后，它在磁盘上已更改',
  newerFileCameBack: '已恢复 {file} 的较新副本',
  summaryIsEmpty: '摘要为空。',
  noSmallerSummary: '没有一份摘要比其所取代的消息更小。',
  partsStayed: '比其摘要还小、因而保持原样的部分：{count} 个。',
});
