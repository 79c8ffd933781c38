import { toChatMessage, type ToolSchema } from '../../compaction/messages/message.ts';
import { endOfResult } from '../../compaction/ledger/call-ends.ts';
import { endWords } from '../../compaction/ledger/call-words.ts';
import { visibleText } from '../../compaction/quoting/visible-text.ts';
import { messagesOf, recordsOf } from '../../compaction/transcript/transcript.ts';
import { escapeHtml, htmlPage, preHtml } from './html-page.ts';
import { codeBlock, folded, foreignMarkdown, inlineMarkdown, fenceSegments } from './markdown-text.ts';
import { exportNotice, summaryLine } from './record-export.ts';
import { type CallItem, type ExportedSession, type OutlineItem, sessionOutline } from './session-outline.ts';

const sessionStyle = `
body { max-width: 56rem }
h2 { font-size: 1rem; margin: 1.6rem 0 .2rem }
.typed .text { border-left: 3px solid var(--line); padding-left: .8rem }
img { max-width: 100%; height: auto }
details { margin: .3rem 0 } .compaction { text-align: center; margin: 1.2rem 0 }
`;

/** Exports a session as one HTML page. All of its text is escaped. */
export function sessionHtml({ title, entries }: ExportedSession): string {
  return htmlPage({
    title,
    style: sessionStyle,
    body: [
      `<p class="notice">${escapeHtml(exportNotice)}</p>`,
      ...sessionOutline(entries).map(itemHtml),
    ].join('\n'),
  });
}

function itemHtml(item: OutlineItem): string {
  switch (item.type) {
    case 'typed': {
      const attached =
        item.attached === ''
          ? ''
          : foldedHtml(`Attached: ${item.attachments.join(', ')}`, [preHtml(item.attached)]);
      const pictures = item.pictures.map(
        ({ url, width, height }) =>
          `<p><img src="${url}" alt="Picture, ${width} × ${height}" width="${width}"></p>`,
      );
      return `<section class="typed"><h2>You</h2>${textHtml(item.text)}${pictures.join('')}${attached}</section>`;
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

function callHtml({ title, arguments: input, result, end }: CallItem): string {
  const failed = end === 'ran' ? '' : ` <span class="bad">${endWords[end]}</span>`;
  const answer = result === undefined ? '<p class="quiet">There is no result.</p>' : preHtml(result);
  return `<details><summary>${escapeHtml(title)}${failed}</summary>${preHtml(input)}${answer}</details>`;
}

/** @param blocks blocks of HTML */
function foldedHtml(title: string, blocks: readonly string[]): string {
  return `<details class="quiet"><summary>${escapeHtml(title)}</summary>${blocks.join('')}</details>`;
}

/** Returns HTML with prose as written and code blocks as preformatted text. */
function textHtml(text: string): string {
  return fenceSegments(text)
    .map((segment) =>
      segment.type === 'code'
        ? preHtml(segment.text)
        : `<div class="text">${escapeHtml(segment.text.trim())}</div>`,
    )
    .join('');
}

/**
 * Exports a session as Markdown: the original messages, with calls and attachments folded. Invisible characters are
 * made visible.
 */
export function sessionMarkdown({ title, entries }: ExportedSession): string {
  const blocks = [
    `# ${inlineMarkdown(title)}`,
    `> ${exportNotice}`,
    ...sessionOutline(entries).flatMap(blocksOf),
  ];
  return visibleText(`${blocks.filter((block) => block !== '').join('\n\n')}\n`);
}

function blocksOf(item: OutlineItem): readonly string[] {
  switch (item.type) {
    case 'typed':
      return [
        '## You',
        foreignMarkdown(item.text),
        ...item.pictures.map(({ url, width, height }) => `![Picture, ${width} × ${height}](${url})`),
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

function callBlock({ title, arguments: input, result, end }: CallItem): string {
  return folded(end === 'ran' ? title : `${title} · ${endWords[end]}`, [
    codeBlock(input, 'json'),
    result === undefined ? 'There is no result.' : codeBlock(result),
  ]);
}

/**
 * Exports a session as JSON that can be imported again. It contains the original messages in OpenAI's form, the
 * positions of user messages written by programs, unusual ends of calls, the tools, and the records of compactions.
 */
export function sessionJson(session: ExportedSession & { readonly tools: readonly ToolSchema[] }): string {
  const { title, tools } = session;
  const messages = messagesOf(session);
  const injected = messages.flatMap(({ role, origin }, index) =>
    role === 'user' && origin !== 'person' ? [index] : [],
  );
  const ended = messages.flatMap((message, index) => {
    const end = message.role === 'tool' ? endOfResult(message) : 'ran';
    return end === 'ran' ? [] : [{ index, end }];
  });
  const document = {
    notice: exportNotice,
    title,
    messages: messages.map(toChatMessage),
    ...(tools.length === 0 ? {} : { tools }),
    meta: { injected_message_indices: injected, ...(ended.length > 0 && { call_ends: ended }) },
    records: recordsOf(session),
  };
  return `${JSON.stringify(document, null, 2)}\n`;
}
