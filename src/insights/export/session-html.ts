import { escapeHtml, preHtml } from './escape-html.ts';
import { htmlPage } from './html-page.ts';
import { exportNotice } from './notice.ts';
import { summaryLine } from './record-words.ts';
import { outlineOf, type CallItem, type ExportedSession, type OutlineItem } from './session-outline.ts';
import { segmentsOf } from './text-segments.ts';

const style = `
body { max-width: 56rem }
h2 { font-size: 1rem; margin: 1.6rem 0 .2rem }
.typed .text { border-left: 3px solid var(--line); padding-left: .8rem }
details { margin: .3rem 0 } .compaction { text-align: center; margin: 1.2rem 0 }
`;

/** A session as one page. Everything in it is text: nothing of what was said is taken for HTML. */
export function sessionHtml({ title, entries }: ExportedSession): string {
  return htmlPage({
    title,
    style,
    body: [`<p class="notice">${escapeHtml(exportNotice)}</p>`, ...outlineOf(entries).map(itemHtml)].join(
      '\n',
    ),
  });
}

function itemHtml(item: OutlineItem): string {
  switch (item.type) {
    case 'typed': {
      const attached =
        item.attached === ''
          ? ''
          : foldedHtml(`Attached: ${item.attachments.join(', ')}`, [preHtml(item.attached)]);
      return `<section class="typed"><h2>You</h2>${textHtml(item.text)}${attached}</section>`;
    }
    case 'answer': {
      const reasoning = item.reasoning === '' ? '' : foldedHtml('Reasoning', [textHtml(item.reasoning)]);
      return `<section><h2>Assistant</h2>${reasoning}${textHtml(item.text)}</section>`;
    }
    case 'context':
      return foldedHtml(item.name, [preHtml(item.text)]);
    case 'call':
      return callHtml(item);
    case 'compaction': {
      const { record, isUndone } = item;
      const line = `Compaction ${record.id} · ${summaryLine(record)}${isUndone ? ' · undone' : ''}`;
      const why = record.reason === undefined ? '' : `<br>${escapeHtml(record.reason.message)}`;
      return `<p class="compaction quiet">${escapeHtml(line)}${why}</p>`;
    }
  }
}

function callHtml({ title, arguments: input, result, isError }: CallItem): string {
  const failed = isError ? ' <span class="bad">failed</span>' : '';
  const answer = result === undefined ? '<p class="quiet">There is no result.</p>' : preHtml(result);
  return `<details><summary>${escapeHtml(title)}${failed}</summary>${preHtml(input)}${answer}</details>`;
}

/** @param blocks HTML */
function foldedHtml(title: string, blocks: readonly string[]): string {
  return `<details class="quiet"><summary>${escapeHtml(title)}</summary>${blocks.join('')}</details>`;
}

/** Prose as it was written, blocks of code as such. */
function textHtml(text: string): string {
  return segmentsOf(text)
    .map((segment) =>
      segment.type === 'code'
        ? preHtml(segment.text)
        : `<div class="text">${escapeHtml(segment.text.trim())}</div>`,
    )
    .join('');
}
