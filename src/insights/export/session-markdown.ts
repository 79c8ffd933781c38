import { folded } from './folded.ts';
import { codeBlock, foreignMarkdown, inlineMarkdown } from './markdown-text.ts';
import { exportNotice } from './notice.ts';
import { summaryLine } from './record-words.ts';
import { outlineOf, type CallItem, type ExportedSession, type OutlineItem } from './session-outline.ts';

/** A session as Markdown: what was said as it was written, calls and what was attached folded. */
export function sessionMarkdown({ title, entries }: ExportedSession): string {
  const blocks = [`# ${inlineMarkdown(title)}`, `> ${exportNotice}`, ...outlineOf(entries).flatMap(blocksOf)];
  return `${blocks.filter((block) => block !== '').join('\n\n')}\n`;
}

function blocksOf(item: OutlineItem): readonly string[] {
  switch (item.type) {
    case 'typed':
      return [
        '## You',
        foreignMarkdown(item.text),
        item.attached === ''
          ? ''
          : folded(`Attached: ${item.attachments.join(', ')}`, [codeBlock(item.attached)]),
      ];
    case 'answer':
      return [
        '## Assistant',
        item.reasoning === '' ? '' : folded('Reasoning', [codeBlock(item.reasoning)]),
        foreignMarkdown(item.text),
      ];
    case 'context':
      return [folded(item.name, [codeBlock(item.text)])];
    case 'call':
      return [callBlock(item)];
    case 'compaction': {
      const undone = item.isUndone ? ' · undone' : '';
      const why = item.record.reason === undefined ? '' : ` · ${item.record.reason.message}`;
      return [
        `*Compaction ${inlineMarkdown(`${item.record.id} · ${summaryLine(item.record)}${undone}${why}`)}*`,
      ];
    }
  }
}

function callBlock({ title, arguments: input, result, isError }: CallItem): string {
  return folded(isError ? `${title} · failed` : title, [
    codeBlock(input, 'json'),
    result === undefined ? 'There is no result.' : codeBlock(result),
  ]);
}
