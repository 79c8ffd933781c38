import { diffOf, type DiffRow } from '../compaction/diff.ts';
import { textOf, type Message } from '../compaction/message.ts';
import type { CompactionRecord } from '../compaction/record.ts';
import { fateWords, format, summaryLine } from './report.ts';

const style = `
:root { color-scheme: light dark }
body { font: 14px/1.5 system-ui, sans-serif; max-width: 90rem; margin: 2rem auto; padding: 0 1rem }
table { border-collapse: collapse; width: 100%; table-layout: fixed }
td, th { border-top: 1px solid #8884; padding: .4rem .6rem; vertical-align: top; text-align: left }
th { font-weight: 400; opacity: .7 }
.fate { width: 7rem } .tokens { width: 9rem; text-align: right; font-variant-numeric: tabular-nums }
pre { margin: 0; white-space: pre-wrap; overflow-wrap: anywhere; max-height: 30rem; overflow: auto }
summary { cursor: pointer } .reason { opacity: .7 }
`;

/** A page of its own that shows what became of each message. Everything from the transcript is escaped. */
export function diffHtml(record: CompactionRecord, before: readonly Message[]): string {
  const title = escapeHtml(summaryLine(record));
  const reason = record.reason === undefined ? '' : `<p>${escapeHtml(record.reason.message)}</p>`;
  const rows = diffOf(record, before).map(tableRow).join('\n');
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>${title}</title>
<style>${style}</style>
<h1>${title}</h1>
${reason}
<table>
<thead><tr><th class="fate">Fate</th><th>Before</th><th>After</th><th class="tokens">Tokens</th></tr></thead>
<tbody>
${rows}
</tbody>
</table>
</html>
`;
}

function tableRow({ action, sources, output }: DiffRow): string {
  const isKept = action.kind === 'keep';
  const before = isKept
    ? `<details><summary>${format(sources.length)} messages</summary>${sources.map(block).join('')}</details>`
    : sources.map(block).join('');
  const after = isKept ? '' : output === undefined ? '' : block(output);
  const tokens = isKept
    ? format(action.tokensBefore)
    : `${format(action.tokensBefore)} → ${format(action.tokensAfter)}`;
  return `<tr><td class="fate">${fateWords[action.kind]}<br><span class="reason">${escapeHtml(action.reason)}</span></td><td>${before}</td><td>${after}</td><td class="tokens">${tokens}</td></tr>`;
}

function block(message: Message): string {
  const calls = (message.tool_calls ?? []).map((call) => `${call.function.name}(${call.function.arguments})`);
  const text = [textOf(message.content), ...calls].filter((part) => part !== '').join('\n');
  return `<p>${escapeHtml(`${message.id} ${message.role}`)}</p><pre>${escapeHtml(text)}</pre>`;
}

function escapeHtml(text: string): string {
  return text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;').replace(/"/g, '&quot;');
}
