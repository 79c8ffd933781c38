import type { Message } from '../../../src/compaction/messages/message.ts';
import type { CompactionRecord } from '../../../src/compaction/records/record.ts';
import type { TranscriptEntry } from '../../../src/compaction/transcript/transcript-entry.ts';
import type { ExportedSession } from '../../../src/insights/export/session-outline.ts';
import { called, entriesOf, memory, result, said, system, typed } from '../../support/messages.ts';
import { recordWith } from '../../support/records.ts';

/** Texts that would run, load or hide something if they were read as anything but text. */
export const hostileTexts = [
  '<script>window.hacked = 1</script>',
  '</pre></div></section><img src=x onerror="window.hacked = 1">',
  '</style><script>window.hacked = 1</script>',
  '</title><svg onload=window.hacked=1>',
  `"><iframe srcdoc="<script>parent.hacked = 1</script>">`,
  `' onmouseover='window.hacked = 1`,
  '</summary></details><a href="javascript:window.hacked=1">x</a>',
  '<!-- <style>body { display: none }',
  '<meta http-equiv="refresh" content="0;url=https://example.com">',
  '&lt;script&gt;window.hacked = 1&lt;/script&gt;',
] as const;

/** A session with the text in every place for foreign text. */
export function hostileRecord(text: string): CompactionRecord {
  const output: Message = { ...said('c1.1', text), kind: 'summary' };
  const action = { sourceIds: ['m2'], reason: text, tokensBefore: 9, tokensAfter: 1 };
  return {
    ...recordWith(
      `c1${text}`,
      [
        { ...action, kind: 'keep', sourceIds: ['m1'] },
        { ...action, kind: 'summarise', outputId: 'c1.1' },
      ],
      [output],
    ),
    requestedStrategy: text,
    reason: { code: 'strategy-failed', message: text },
    warnings: [text],
  };
}

export function hostileSession(text: string): ExportedSession {
  const { length: typedLength } = text;
  const attached = { typedLength, items: [{ label: text, type: 'path' as const, tokens: 3, characters: 9 }] };
  const messages: readonly Message[] = [
    system('m1', text),
    { ...memory('m2', text), source: text },
    { ...typed('m3', `${text}\n\n${text}`), ...{ attached } },
    { ...said('m4', `${text}\n\`\`\`${text}\n${text}`), reasoning: text },
    called('m5', [text, text, { [text]: text, path: text }]),
    { ...result('m6', text, text), isError: true },
  ];
  const compaction: TranscriptEntry = { type: 'compaction', record: hostileRecord(text) };
  return { title: text, entries: [...entriesOf(messages), compaction] };
}
