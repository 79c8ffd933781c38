import { engineSentences } from './engine-english.ts';
import { translations } from './sentence.ts';

/** The sentences of the engine in Simplified Chinese. */
export const engineChinese = translations(engineSentences)({
  nothingToFree: '没有可释放的内容。',
  maskingFreesTooLittle: '遮蔽只能释放 {freed} 个 token，少于 {least} 个。',
});
