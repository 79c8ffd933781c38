import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { textOf } from '../../../src/compaction/messages/message.ts';
import {
  type AgentFrames,
  ownWords,
  typedRanges,
  typedRangesOf,
} from '../../../src/compaction/messages/typed-parts.ts';
import { typed } from '../../support/messages.ts';

const agent: AgentFrames = { isKnown: true };
const joining = { isKnown: true, isTypedAfter: true };
const wordsIn = (text: string, frames: AgentFrames = agent) =>
  typedRanges(text, frames).map(({ start, end }) => text.slice(start, end));

describe('the typed text in a part of a message', () => {
  it.each([
    ['all of a plain text', 'fix it', ['fix it']],
    ['nothing of an element', '<note_of_agent>\nx\n</note_of_agent>', []],
    [
      'the line that accepts a plan, without the plan',
      'Implement the following plan:\n\nCache the totals.\n1. Add a table.',
      ['Implement the following plan:'],
    ],
    [
      'the line that accepts an attached plan, without the text that the agent adds',
      'Implement the plan as specified, it is attached for your reference. Do NOT edit the plan file itself.\n\nNever stop.',
      ['Implement the plan as specified'],
    ],
    [
      'the line that accepts steps of an attached plan, without the steps',
      'Implement the following to-dos from the plan (the plan is attached for your reference). Do NOT edit it.\n\n1. a',
      ['Implement the following to-dos from the plan'],
    ],
    [
      'nothing of a notice that a sub-agent has ended',
      '<system_notification>\nx\n</system_notification>\n<user_query>Perform any necessary follow-up actions in response to the subagent completion above. Never ask.</user_query>',
      [],
    ],
    ['the text before an element', 'fix it\n<mcp-resource uri="x">\ny\n</mcp-resource>', ['fix it']],
    ['the text after the last end of an element', 'a\n<x_y>\nb\n</x_y>\nc\n</x_y>\nd', ['a', 'd']],
    ['the text before an element without an end', 'a\n<x_y>\nb', ['a']],
    ['nothing between two elements', 'a\n<x_y>\n</x_y>\nb\n<z_z>\n</x_y>\nc\n</z_z>\nd', ['a', 'd']],
    [
      'the inside of a wrapper',
      '<task>\nfix it\n</task>\n<environment_details>x</environment_details>',
      ['fix it'],
    ],
    ['a wrapper to its first end', '<task>a</task>b</task>', ['a']],
    [
      'no text of an element that contains the end of its wrapper',
      '<user_input>a\n<x_y>\n</x_y>\nb\n</user_input>\n</x_y></user_input>',
      ['a'],
    ],
    [
      'the text of a wrapper before an element',
      '<user_input mode="act">a\n<file_content path="x">\nb</user_input>',
      ['a'],
    ],
    [
      'the text of a wrapper after text that the agent added',
      '<mode_notice>x</mode_notice>\n<user_input>a</user_input>',
      ['a'],
    ],
    ['no text of a wrapper within an element', '<note_of_agent>\n<task>a</task>\n</note_of_agent>', []],
    ['no text if there are two wrappers', '<a_b>x</a_b>\n<task>a</task>\n<task>b</task>', []],
    [
      'the text of the last wrapper of a request',
      '<context>\n<userRequest>a</userRequest>\n</context>\n<userRequest>\nb\n</userRequest>',
      ['b'],
    ],
    [
      'code in a sentence',
      'Why is <b>Never</b> bold, and <user_name> empty?',
      ['Why is <b>Never</b> bold, and <user_name> empty?'],
    ],
    ['a component', '<Button>\n  Save\n</Button>\nis too wide', ['<Button>\n  Save\n</Button>\nis too wide']],
    ['a tag at the beginning of a sentence', '<div> is not centred', ['<div> is not centred']],
    [
      'the text around pasted markup',
      'Why?\n<ul>\n<li>x</li>\n</ul>\nNever do so.',
      ['Why?', 'Never do so.'],
    ],
    ['nothing of a notice', '[Request interrupted by user]', []],
    [
      'nothing of a warning',
      'You have exceeded the maximum number of turns. You have one final chance to end.',
      [],
    ],
    [
      'the request after the context of an editor',
      '# Context from my IDE setup:\n\n## My request for Codex:\na\n\n## My request for Codex:\nb',
      ['b'],
    ],
  ])('is %s', (_name, text, words) => {
    expect(wordsIn(text)).toEqual(words);
  });

  it('is the text after the files if the agent joins both into one part', () => {
    const text = '<file name="a.md">\nx</file>\nno\n</file>\nfix it';
    expect(wordsIn(text, joining)).toEqual(['fix it']);
    expect(wordsIn(text)).toEqual([]);
  });

  it('excludes the parts after a heading for files', () => {
    const parts = ['fix it', '\n--- Content from referenced files ---', 'never do it'].map((text) => ({
      text,
    }));
    expect(typedRangesOf(parts, agent)).toEqual([{ start: 0, end: 6 }]);
  });

  it('never includes the content of an element that the agent added', () => {
    const piece = fc.constantFrom(
      '</x_y>',
      '<x_y>',
      '<task>',
      '</task>',
      '<userRequest>',
      '</userRequest>',
      '\n',
      'evil',
      '<z_z>',
      '</z_z>',
      '<div>',
      '</div>',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), fc.boolean(), (pieces, isTypedAfter) => {
        const text = `go on\n<x_y>\n${pieces.join('')}\n</x_y>`;
        expect(wordsIn(text, { isKnown: true, isTypedAfter }).join('')).not.toContain('evil');
        expect(wordsIn(text.slice('go on\n'.length), { isKnown: true, isTypedAfter }).join('')).not.toContain(
          'evil',
        );
      }),
    );
  });

  it('consists of ranges in order, without surrounding white space', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[<>/a_ \n]{0,40}$/u), (text) => {
        let last = 0;
        for (const { start, end } of typedRanges(text, joining)) {
          expect(start).toBeGreaterThanOrEqual(last);
          expect(text.slice(start, end)).toBe(text.slice(start, end).trim());
          expect(end).toBeGreaterThan(start);
          last = end;
        }
      }),
    );
  });
});

describe("the user's own words in a message", () => {
  it('are the imported ranges, or else derived from the text', () => {
    const message = typed('m1', 'a\n<x_y>\nb\n</x_y>');
    expect(ownWords(message)).toBe('a');
    expect(ownWords({ ...message, typed: [{ start: 0, end: textOf(message.content).length }] })).toBe(
      message.content,
    );
  });
});
