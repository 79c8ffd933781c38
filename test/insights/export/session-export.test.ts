import { marked } from 'marked';
import { describe, expect, it } from 'vitest';
import type { Message } from '../../../src/compaction/messages/message.ts';
import type { TranscriptEntry } from '../../../src/compaction/transcript/transcript-entry.ts';
import { diffHtml, diffMarkdown, exportNotice } from '../../../src/insights/export/record-export.ts';
import { imagePart } from '../../../src/compaction/images/image-part.ts';
import { pictures } from '../../support/pictures.ts';
import { sessionHtml, sessionJson, sessionMarkdown } from '../../../src/insights/export/session-export.ts';
import { sessionOutline } from '../../../src/insights/export/session-outline.ts';
import { openaiFormat } from '../../../src/transcripts/formats/openai-format.ts';
import { called, entriesOf, reminder, result, said, system, typed } from '../../support/messages.ts';
import { recordWith } from '../../support/records.ts';
import { hostileRecord, hostileSession, hostileTexts } from './hostile.ts';

const messages: readonly Message[] = [
  system('m1', 'Be brief.'),
  typed('m2', 'Why does the lock fail?'),
  called('m3', ['a', 'read_file', { path: 'src/lock.ts' }], ['b', 'run_command', { command: 'npm test' }]),
  { ...result('m4', 'b', 'exit code 1'), isError: true },
  result('m5', 'a', 'const lock = 1;'),
  said('m6', 'It is never **released**.'),
];

const applied = {
  ...recordWith(
    'c1',
    [
      {
        kind: 'hide',
        sourceIds: ['m5'],
        outputId: 'm5',
        reason: 'old result',
        tokensBefore: 900,
        tokensAfter: 20,
      },
    ],
    [result('m5', 'a', 'hidden')],
  ),
  before: { messages: 6, tokens: 92_000, byKind: recordWith('', [], []).before.byKind },
  after: { messages: 6, tokens: 31_000, byKind: recordWith('', [], []).before.byKind },
};
const compaction: TranscriptEntry = { type: 'compaction', record: applied };
const undo: TranscriptEntry = { type: 'undo', createdAt: '', recordIds: ['c1'] };
const session = { title: 'The lock', entries: [...entriesOf(messages), compaction] };

describe('the outline of a session', () => {
  it('pairs each call with its result, in the order of the calls', () => {
    expect(sessionOutline(session.entries)).toMatchObject([
      { type: 'context', name: 'system', text: 'Be brief.' },
      { type: 'typed', text: 'Why does the lock fail?', attached: '' },
      { type: 'call', title: 'read_file src/lock.ts', result: 'const lock = 1;', end: 'ran' },
      { type: 'call', title: 'run_command npm test', result: 'exit code 1', end: 'failed' },
      { type: 'answer', text: 'It is never **released**.' },
      { type: 'compaction', isUndone: false },
    ]);
  });

  it('marks missing results, and undone compactions', () => {
    const entries = [...entriesOf(messages.slice(0, 3)), compaction, undo];
    expect(sessionOutline(entries).slice(2)).toMatchObject([
      { type: 'call', result: undefined },
      { type: 'call', result: undefined },
      { type: 'compaction', isUndone: true },
    ]);
  });

  it('distinguishes attached from typed text', () => {
    const attached = {
      typedLength: 4,
      items: [{ label: '@a.ts', type: 'path' as const, tokens: 1_200, characters: 4_800 }],
    };
    const message = { ...typed('m1', 'why?\n\n<attachment>text</attachment>'), ...{ attached } };
    expect(sessionOutline(entriesOf([message]))).toEqual([
      {
        type: 'typed',
        text: 'why?',
        attachments: ['@a.ts · 1,200 tokens'],
        attached: '<attachment>text</attachment>',
        pictures: [],
      },
    ]);
  });
});

describe('a session as Markdown', () => {
  const markdown = sessionMarkdown(session);

  it('begins with its title and a warning about its content', () => {
    expect(markdown).toMatch(/^# The lock\n\n> This file holds/u);
    expect(markdown).toContain(exportNotice);
  });

  it('contains the messages as written', () => {
    expect(markdown).toContain('\n## You\n\nWhy does the lock fail?\n');
    expect(markdown).toContain('\n## Assistant\n\nIt is never **released**.\n');
  });

  it('folds each call, with arguments and result', () => {
    expect(markdown).toContain(
      '<details><summary>run_command npm test · failed</summary>\n\n```json\n{"command":"npm test"}\n```\n\n```\nexit code 1\n```\n\n</details>',
    );
  });

  it('describes each compaction on one line, with its sizes', () => {
    expect(markdown).toMatch(/\n\*Compaction c1 · test · applied · 92,000 → 31,000 tokens \(−66%\)\*\n/u);
    expect(sessionMarkdown({ ...session, entries: [...session.entries, undo] })).toContain('−66%) · undone*');
  });

  it.each(hostileTexts)("contains no tag from the session's text: %s", (text) => {
    for (const written of [sessionMarkdown(hostileSession(text)), diffMarkdown(hostileRecord(text), [])]) {
      const tags = new Set<string>();
      void marked.walkTokens(marked.lexer(written), (token) => {
        if (token.type === 'html')
          for (const [tag] of token.raw.matchAll(/<[!/?a-z][\w-]*/giu)) tags.add(tag);
      });
      expect([...tags].sort()).toEqual(['</details', '</summary', '<details', '<summary']);
    }
  });
});

describe('a session as a page', () => {
  it('warns about its content', () => {
    expect(sessionHtml(session)).toContain(exportNotice);
  });

  it('contains only the pictures of the session', () => {
    const elsewhere = { type: 'image_url', image_url: { url: 'https://example.org/a.png' } };
    const script = { type: 'image_url', image_url: { url: 'data:text/html;base64,PHNjcmlwdD4=' } };
    const picture = imagePart({ type: 'image/svg+xml', base64: pictures.png });
    const content = [{ type: 'text', text: 'Look' }, elsewhere, script, picture];
    const shown = { title: 'Pictures', entries: entriesOf([{ ...typed('m1', ''), content }]) };
    const url = `data:image/png;base64,${pictures.png}`;
    expect([...sessionHtml(shown).matchAll(/<img src="([^"]*)"/g)].map(([, source]) => source)).toEqual([
      url,
    ]);
    expect(sessionMarkdown(shown)).toContain(`![Picture, 7 × 5](${url})`);
  });

  it('forbids scripts and the loading of other files', () => {
    expect(sessionHtml(session)).toContain(
      'content="default-src &#39;none&#39;; img-src data:; style-src &#39;unsafe-inline&#39;;',
    );
  });
});

describe('a session as JSON', () => {
  it('can be imported again', () => {
    const entries = entriesOf([...messages, reminder('m7', 'Go on.')]);
    const tools = [{ type: 'function', function: { name: 'read_file' } }] as const;
    const imported = openaiFormat.parse(sessionJson({ title: 'The lock', entries, tools }));
    expect(imported.tools).toEqual(tools);
    expect(imported.entries.map((entry) => entry.type === 'message' && entry.message)).toMatchObject(
      [...messages, reminder('m7', 'Go on.')].map(({ role, content, origin }) => ({ role, content, origin })),
    );
  });
});

describe('an exported call that did not run', () => {
  const refused: Message = { ...result('r1', 'c1', 'No.'), isError: true, outcome: { end: 'refused' } };
  const entries = entriesOf([called('a1', ['c1', 'run_command', { command: 'rm -rf build' }]), refused]);

  it('is marked as not run in Markdown and on the page', () => {
    expect(sessionMarkdown({ title: 'x', entries })).toContain('rm -rf build · refused by the user');
    expect(sessionHtml({ title: 'x', entries })).toContain('<span class="bad">refused by the user</span>');
  });

  it('is still marked as not run after a new import', () => {
    const imported = openaiFormat.parse(sessionJson({ title: 'x', entries, tools: [] }));
    expect(imported.entries[1]).toMatchObject({ message: { outcome: { end: 'refused' } } });
  });
});

describe('the effect of a compaction', () => {
  it('is exported to Markdown message by message, before and after', () => {
    const markdown = diffMarkdown(applied, messages);
    expect(markdown).toMatch(/^# test · applied · 92,000 → 31,000 tokens \(−66%\)\n/u);
    expect(markdown).toContain('\n## hidden: 1 message, 900 → 20 tokens\n\nold result\n');
    expect(markdown).toContain('<summary>Before: m5 tool</summary>\n\n```\nconst lock = 1;\n```');
    expect(markdown).toContain('<summary>After: m5 tool</summary>\n\n```\nhidden\n```');
  });

  it('is exported with the coverage', () => {
    const files = { kept: 2, total: 3, missing: ['a.ts'] };
    const record = { ...applied, coverage: { ...applied.coverage, files } };
    expect(diffMarkdown(record, messages)).toContain('\n2 of 3 files\n');
    expect(diffHtml(record, messages)).toContain('<p>2 of 3 files</p>');
  });
});
