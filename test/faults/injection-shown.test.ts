import { marked, type Token } from 'marked';
import { diffMarkdown } from '../../src/insights/export/record-export.ts';
import { sessionMarkdown } from '../../src/insights/export/session-export.ts';
import { allInjectionTexts } from '../support/injection/injection-texts.ts';
import { hostileRecord, hostileSession } from '../insights/export/hostile.ts';
import { fault } from './support/fault.ts';

function tokensIn(markdown: string): readonly Token[] {
  const found: Token[] = [];
  void marked.walkTokens(marked.lexer(markdown), (token) => void found.push(token));
  return found;
}
const ownTags = new Set(['</details', '</summary', '<details', '<summary']);
/** What of a document does more than show text. */
function harmIn(markdown: string): readonly string[] {
  return tokensIn(markdown).flatMap((token): readonly string[] => {
    if (token.type === 'image') return [token.raw.slice(0,100)];
    if (token.type === 'link' && token.raw!==token.text && !token.raw.startsWith('www.')) return ['link '+token.raw.slice(0, 100)];
    if (token.type === 'heading' && token.depth <= 2) return ['heading ' + token.raw.slice(0,100)];
    if (token.type === 'html') return [...token.raw.matchAll(/<[!/?a-z][\w-]*/giu)].map(([t])=>t).filter((t) => !ownTags.has(t));
    return [];
  });
}
fault('an exported session as Markdown', (count) => {
  const baseline = harmIn(sessionMarkdown(hostileSession('x'))).length;
  const base2 = harmIn(diffMarkdown(hostileRecord('x'), [])).length;
  for (const { kind, text } of allInjectionTexts) {
    count.tried();
    const a = harmIn(sessionMarkdown(hostileSession(text)));
    if (a.length !== baseline) count.harmed(`${kind}: ${JSON.stringify(text.slice(0, 80))}: ${JSON.stringify(a.slice(0,9))}`);
    const b = harmIn(diffMarkdown(hostileRecord(text), []));
    if (b.length !== base2) count.harmed(`diff ${kind}: ${JSON.stringify(text.slice(0, 80))}: ${JSON.stringify(b.slice(0,9))}`);
  }
});
