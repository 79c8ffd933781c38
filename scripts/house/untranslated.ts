import { readFileSync } from 'node:fs';
import { untranslatedPaths, untranslatedSentences } from '../../src/language/untranslated.ts';
import { chineseStrings as chatChinese } from '../../webview/chat/text/chat-chinese.ts';
import { englishStrings as chatEnglish } from '../../webview/chat/text/chat-english.ts';
import { compactionsChinese } from '../../webview/inspector/text/compactions-chinese.ts';
import { compactionsEnglish } from '../../webview/inspector/text/compactions-english.ts';
import { inspectorChinese } from '../../webview/inspector/text/inspector-chinese.ts';
import { inspectorEnglish } from '../../webview/inspector/text/inspector-english.ts';
import { compactionChinese, compactionEnglish } from '../../webview/shared/compaction-strings.ts';

/** Every text that has no Simplified Chinese and is shown in English: of sentences, both pages and the manifest. */
export function untranslatedTexts(): readonly string[] {
  const inspector = untranslatedPaths(
    { ...inspectorEnglish, ...compactionsEnglish },
    { ...inspectorChinese, ...compactionsChinese },
  );
  const manifest = untranslatedPaths(readTable('package.nls.json'), readTable('package.nls.zh-cn.json'));
  return [
    ...untranslatedSentences(),
    ...untranslatedPaths(chatEnglish, chatChinese).map((path) => `chat: ${path}`),
    ...untranslatedPaths(compactionEnglish, compactionChinese).map((path) => `pages: ${path}`),
    ...inspector.map((path) => `inspector: ${path}`),
    ...manifest.map((key) => `manifest: ${key}`),
  ];
}

function readTable(name: string): object {
  return JSON.parse(readFileSync(new URL(`../../${name}`, import.meta.url), 'utf8')) as object;
}
