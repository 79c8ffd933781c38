import type { SentenceTable } from '../../insights/known-sentences.ts';

/** What the agent says of its turns, its tools and what it asks leave for. */
export const agentSentences: SentenceTable = {
  'The last turn was interrupted before it was done.': '上一轮在完成之前被中断。',
  'The chat could not be saved: {0}': '无法保存聊天: {0}',
  'There is no such chat any more.': '此聊天已不存在。',
  'It is not a file.': '它不是文件。',
  'A newer version of Context Budget wrote this chat, so that this one only reads it.':
    '此聊天由较新版本的 Context Budget 写入，因此当前版本只能读取。',
  'Another window went on with this chat after it was read here. Open it again.':
    '此聊天在这里读取之后，另一个窗口继续了它。请重新打开。',
  'The message is pinned, but it is never sent: it answers no call, or there is nothing in it.':
    '消息已固定，但永远不会被发送：它没有回应任何调用，或没有内容。',
  'The message was pinned already.': '该消息先前已固定。',
  'The pinned message is in the context again, as it was said.': '已固定的消息已原样恢复到上下文中。',
  'The pinned message is in the context again, as it was said, with the other message of its exchange.':
    '已固定的消息已原样恢复到上下文中，同一次交互的另一条消息也一并恢复。',
  'The pinned message is in the context again, as it was said, with the {#0} other messages of its exchange.':
    '已固定的消息已原样恢复到上下文中，同一次交互的另外 {0} 条消息也一并恢复。',

  'This sub-agent has ended.': '此子代理已结束。',
  'The counting thread ended.': '计数线程已结束。',
  'The thread that tries strategies ended.': '试用策略的线程已结束。',
};
