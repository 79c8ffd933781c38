import type { Outlook } from '../src/compaction/budget/outlook.ts';
import { localised } from './locale.ts';
import { formatCount } from './numbers.ts';

export const englishOutlookWords = {
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

export const chineseOutlookWords: typeof englishOutlookWords = {
  compacts: (tokens) => `达到 ${tokens} 时压缩。`,
  asks: (tokens) => `达到 ${tokens} 时询问是否压缩。`,
  begins: (tokens) => `达到 ${tokens} 时在后台开始压缩。`,
  isUnderWay: '后台正在压缩。',
  shortensEarly: '在此之前，只要划算就会先缩短旧输出。',
  messages: (count, text) => (count === 1 ? '下一条消息时压缩。' : `再过 ${text} 条消息时压缩，不论大小。`),
  turns: (count, text) => (count === 1 ? '下一轮时压缩。' : `再过 ${text} 轮时压缩，不论大小。`),
};

const words = localised({ english: englishOutlookWords, chinese: chineseOutlookWords });

/**
 * What compacts by itself next, and when: a sentence each, in the order in which it happens.
 *
 * @param outlook with its sizes in counted tokens
 */
export function outlookSentences(outlook: Outlook): readonly string[] {
  const { trigger, background, isUnderWay, asks, messagesLeft, turnsLeft } = outlook;
  return [
    ...(isUnderWay === true ? [words.isUnderWay] : []),
    ...(background === undefined ? [] : [words.begins(formatCount(background))]),
    ...(trigger === undefined ? [] : [(asks === true ? words.asks : words.compacts)(formatCount(trigger))]),
    ...(outlook.shortensEarly === true ? [words.shortensEarly] : []),
    // The one that passes the limit sets it off.
    ...(messagesLeft === undefined ? [] : [words.messages(messagesLeft + 1, formatCount(messagesLeft + 1))]),
    ...(turnsLeft === undefined ? [] : [words.turns(turnsLeft + 1, formatCount(turnsLeft + 1))]),
  ];
}
