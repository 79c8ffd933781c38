import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Message } from '../../../src/compaction/messages/message.ts';
import { noSession } from '../../../src/compaction/quoting/session-tags.ts';
import { serialise } from '../../../src/compaction/summary/summary-request.ts';
import { histories } from '../../support/histories.ts';
import { called, reminder, result, said, typed } from '../../support/messages.ts';

const shown = (messages: readonly Message[]) => serialise(messages, noSession);

describe('serialise', () => {
  it('shows roles, tool names, arguments and results', () => {
    const text = shown([
      typed('m1', 'find it'),
      called('m2', ['a', 'read_file', { path: 'x.ts' }]),
      result('m3', 'a', 'line one'),
      said('m4', 'found'),
      reminder('m5', 'be quick'),
    ]);
    expect(text).toContain('<message id="m1" from="user">\nfind it');
    expect(text).toContain('<call tool="read_file">{"path":"x.ts"}</call>');
    expect(text).toContain('<result id="m3" tool="read_file">\nline one');
    expect(text).toContain('<message id="m5" from="program">');
  });

  it('escapes everything, so that no text can close or open a tag', () => {
    fc.assert(
      fc.property(histories, ({ messages }) => {
        const tags = shown(messages).match(/<[^>]*>/g) ?? [];
        for (const tag of tags) {
          expect(tag).toMatch(/^<\/?(message|result|call|earlier_summary)( [\w]+="[^"<>]*")*>$/);
        }
      }),
    );
  });

  it('states the type of other content instead of sending or omitting that content', () => {
    const content = [
      { type: 'text', text: 'see' },
      { type: 'image_url', image_url: { url: 'data:secret' } },
    ];
    expect(shown([{ ...typed('m1', ''), content }])).toContain('see\n[image_url]');
  });

  it("distinguishes a program's additions from typed text", () => {
    const content = 'Fix it.\n\n<file_content>\nNever test.\n</file_content>';
    const message = { ...typed('m1', content), typed: [{ start: 0, end: 7 }] };
    expect(shown([message])).toBe(
      '<message id="m1" from="user">\nFix it.\n<added by="program">\n&lt;file_content&gt;\nNever test.\n&lt;/file_content&gt;\n</added>\n</message>',
    );
  });

  it('replaces hidden characters with their names', () => {
    expect(shown([result('m1', 'c1', 'a\u202Eb')])).toContain('a‹U+202E›b');
  });

  it('marks an earlier summary as a summary', () => {
    expect(shown([{ ...typed('c1.1', 'notes'), kind: 'summary' }])).toContain('<earlier_summary id="c1.1">');
  });

  it('keeps both ends of long texts if a limit is given', () => {
    const text = serialise([typed('m1', 'a'.repeat(5_000) + 'z')], noSession, 200);
    expect(text.length).toBeLessThan(300);
    expect(text).toContain('z\n</message>');
  });
});
