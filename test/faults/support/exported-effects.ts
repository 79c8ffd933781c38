import { marked, type Token } from 'marked';
import { diffMarkdown } from '../../../src/insights/export/record-export.ts';
import { sessionMarkdown } from '../../../src/insights/export/session-export.ts';
import { hostileRecord, hostileSession } from '../../insights/export/hostile.ts';

const ownTags = new Set(['<details', '</details', '<summary', '</summary']);

/** Parts of a document that load something, run something, hide their target, or head a section. */
export function effectsOf(markdown: string): readonly string[] {
  const found: string[] = [];
  const visit = (token: Token) => {
    if (token.type === 'image' || token.type === 'def') found.push(token.raw);
    if (token.type === 'link' && 'text' in token && token.text !== token.raw) found.push(token.raw);
    if (token.type === 'heading' && 'depth' in token && token.depth <= 2)
      found.push(`heading ${token.depth}`);
    if (token.type !== 'html') return;
    for (const [tag] of token.raw.matchAll(/<[!/?a-z][\w-]*/giu)) if (!ownTags.has(tag)) found.push(tag);
  };
  void marked.walkTokens(marked.lexer(markdown), visit);
  return found;
}

/** Documents with a text in every place that can hold one. */
export const documents: Readonly<Record<string, (text: string) => string>> = {
  'a session': (text) => sessionMarkdown(hostileSession(text)),
  'a compaction': (text) => diffMarkdown(hostileRecord(text), []),
};
