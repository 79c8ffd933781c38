import { shownStrategies } from '../../compaction/records/custom-strategy-title.ts';
import { strategyTitle } from '../../language/english/strategy-titles-english.ts';
import { diffOf, type DiffRow, type RowFate } from '../../compaction/records/compaction-diff.ts';
import { type Message, textOf } from '../../compaction/messages/message.ts';
import { visibleText } from '../../compaction/quoting/visible-text.ts';
import type { CompactionRecord, Coverage, CoverageCount } from '../../compaction/records/record.ts';
import { escapeHtml, htmlPage, preHtml } from './html-page.ts';
import { codeBlock, folded, inlineMarkdown } from './markdown-text.ts';
import { percentText } from '../../language/percent.ts';

const diffStyle = `
table { border-collapse: collapse; width: 100%; table-layout: fixed }
td, th { border-top: 1px solid var(--line); padding: .4rem .6rem; vertical-align: top; text-align: left }
th { font-weight: 400; opacity: .75 }
.fate { width: 7rem } .tokens { width: 9rem; text-align: right; font-variant-numeric: tabular-nums }
`;

/**
 * Returns a self-contained HTML page with the outcome of each message. All text from the transcript is escaped.
 *
 * @param before the view before the compaction, or any messages that include it
 */
export function diffHtml(record: CompactionRecord, before: readonly Message[]): string {
  const notes = [
    ...(record.reason === undefined ? [] : [record.reason.message]),
    coverageWordsOf(record).join(', '),
    ...record.warnings,
  ].filter((note) => note !== '');
  const rows = diffOf(record, before).map(tableRow).join('\n');
  return htmlPage({
    title: summaryLine(record),
    style: diffStyle,
    body: `<p class="notice">${escapeHtml(exportNotice)}</p>
${notes.map((note) => `<p>${escapeHtml(note)}</p>`).join('\n')}
<table>
<thead><tr><th class="fate">Fate</th><th>Before</th><th>After</th><th class="tokens">Tokens</th></tr></thead>
<tbody>
${rows}
</tbody>
</table>`,
  });
}

function tableRow({ action, sources, output }: DiffRow): string {
  const isKept = action.kind === 'keep';
  const blocks = sources.map(block).join('');
  const before = isKept
    ? `<details><summary>${counted(sources.length, 'message')}</summary>${blocks}</details>`
    : blocks;
  const after = isKept || output === undefined ? '' : block(output);
  const tokens = isKept
    ? format(action.tokensBefore)
    : `${format(action.tokensBefore)} → ${format(action.tokensAfter)}`;
  return `<tr><td class="fate">${exportedFates[action.kind]}<br><span class="quiet">${escapeHtml(action.reason)}</span></td><td>${before}</td><td>${after}</td><td class="tokens">${tokens}</td></tr>`;
}

function block(message: Message): string {
  return `<p>${escapeHtml(`${message.id} ${message.role}`)}</p>${preHtml(wholeTextOf(message))}`;
}

function wholeTextOf(message: Message): string {
  const calls = (message.tool_calls ?? []).map((call) => `${call.function.name}(${call.function.arguments})`);
  return [textOf(message.content), ...calls].filter((part) => part !== '').join('\n');
}

/**
 * Returns a record's diff as Markdown.
 *
 * @param before the view before the compaction, or any messages that include it
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
  return visibleText(`${blocks.filter((block) => block !== '').join('\n\n')}\n`);
}

function blocksOf({ action, sources, output }: DiffRow): readonly string[] {
  const count = counted(action.kind === 'insert' ? 1 : sources.length, 'message');
  const tokens =
    action.kind === 'keep'
      ? format(action.tokensBefore)
      : `${format(action.tokensBefore)} → ${format(action.tokensAfter)}`;
  return [
    `## ${exportedFates[action.kind]}: ${count}, ${tokens} tokens`,
    inlineMarkdown(action.reason),
    ...sources.map((message) => messageBlock('Before', message)),
    ...(output === undefined ? [] : [messageBlock('After', output)]),
  ];
}

function messageBlock(when: string, message: Message): string {
  return folded(`${when}: ${message.id} ${message.role}`, [codeBlock(wholeTextOf(message))]);
}

export const exportedFates: Readonly<Record<RowFate, string>> = {
  keep: 'kept',
  hide: 'hidden',
  clip: 'clipped',
  offload: 'offloaded',
  drop: 'dropped',
  summarise: 'summarised',
  insert: 'inserted',
  restore: 'restored',
};

/**
 * Describes a compaction in one line.
 *
 * @param nameOf returns a strategy's title, or its id for readers who type ids
 */
export function summaryLine(record: CompactionRecord, nameOf = titleOf): string {
  const { status, before, after } = record;
  const { actualStrategy, requestedStrategy } = shownStrategies(record);
  const actual = nameOf(actualStrategy);
  const name = actualStrategy === requestedStrategy ? actual : `${actual} (for ${nameOf(requestedStrategy)})`;
  if (status !== 'applied') return `${name} · ${status} · ${format(before.tokens)} tokens`;
  const change = before.tokens === 0 ? 0 : 1 - after.tokens / before.tokens;
  return `${name} · applied · ${format(before.tokens)} → ${format(after.tokens)} tokens (−${percentText(change, 'en')})`;
}

function titleOf(strategy: string): string {
  return strategyTitle(strategy).english;
}

const coverageWords: Readonly<Record<keyof Coverage, string>> = {
  files: 'files',
  commands: 'commands',
  errors: 'errors',
  identifiers: 'identifiers',
  userMessages: 'messages of the user',
};

/** Returns the number of kept facts by section, for example `14 of 14 files`, without empty sections. */
function coverageWordsOf({ coverage }: CompactionRecord): readonly string[] {
  return (Object.entries(coverageWords) as [keyof Coverage, string][]).flatMap(([section, words]) => {
    const { kept, total }: CoverageCount = coverage[section];
    return total === 0 ? [] : [`${format(kept)} of ${format(total)} ${words}`];
  });
}

/** Formats a number with a noun, for example `1 message`. */
export function counted(count: number, noun: string): string {
  return `${format(count)} ${noun}${count === 1 ? '' : 's'}`;
}

/** Formats a number with thousands separators. */
export function format(value: number): string {
  return value.toLocaleString('en');
}

/** Notice at the top of every export. */
export const exportNotice =
  'This file holds what was said in a chat and what its tools read and put out. That can include secrets and personal data: read it before you share it.';
