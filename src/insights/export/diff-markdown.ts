import { diffOf, type DiffRow } from '../../compaction/diff.ts';
import type { Message } from '../../compaction/message.ts';
import type { CompactionRecord } from '../../compaction/record.ts';
import { wholeTextOf } from './diff-html.ts';
import { folded } from './folded.ts';
import { codeBlock, inlineMarkdown } from './markdown-text.ts';
import { exportNotice } from './notice.ts';
import { counted, coverageWordsOf, fateWords, format, summaryLine } from './record-words.ts';

/**
 * What became of each message, as Markdown.
 *
 * @param before the view the record was made for, or any messages that include it
 */
export function diffMarkdown(record: CompactionRecord, before: readonly Message[]): string {
  const blocks = [
    `# ${inlineMarkdown(summaryLine(record))}`,
    `> ${exportNotice}`,
    ...(record.reason === undefined ? [] : [inlineMarkdown(record.reason.message)]),
    coverageWordsOf(record).join(', '),
    ...record.warnings.map(inlineMarkdown),
    ...diffOf(record, before).flatMap(blocksOf),
  ];
  return `${blocks.filter((block) => block !== '').join('\n\n')}\n`;
}

function blocksOf({ action, sources, output }: DiffRow): readonly string[] {
  const count = counted(action.kind === 'insert' ? 1 : sources.length, 'message');
  const tokens =
    action.kind === 'keep'
      ? format(action.tokensBefore)
      : `${format(action.tokensBefore)} → ${format(action.tokensAfter)}`;
  return [
    `## ${fateWords[action.kind]}: ${count}, ${tokens} tokens`,
    inlineMarkdown(action.reason),
    ...sources.map((message) => messageBlock('Before', message)),
    ...(output === undefined ? [] : [messageBlock('After', output)]),
  ];
}

function messageBlock(when: string, message: Message): string {
  return folded(`${when}: ${message.id} ${message.role}`, [codeBlock(wholeTextOf(message))]);
}
