import { describe, expect, it } from 'vitest';
import {
  firstTitle,
  sessionName,
  shownWords,
  titleOf,
  typedTitle,
} from '../../../src/transcripts/reading/typed-title.ts';
import { said, typed } from '../../support/messages.ts';

describe('the typed text of a message', () => {
  it.each([
    ['fix the build', 'fix the build'],
    ['<task>\nfix the build\n</task>\n<environment_details>x</environment_details>', 'fix the build'],
    ['<task>cut off in the mid', 'cut off in the mid'],
    ['<user_query>\nfix it\n</user_query>', 'fix it'],
    ['<ide_opened_file>a.ts</ide_opened_file>\nfix it', 'fix it'],
    ['<system-reminder a="b">x</system-reminder><memory>y</memory> fix it', 'fix it'],
    ['<command-name>/review</command-name>\n<command-args>the parser</command-args>', '/review the parser'],
    ['<command-message>review</command-message>\n<command-name>/review</command-name>', '/review'],
    ['<bash-input>npm test</bash-input>', '! npm test'],
    ['<user_input mode="act">fix it</user_input>', 'fix it'],
    ['<mode_notice>x</mode_notice><user_input mode="plan">fix it</user_input>', 'fix it'],
    ['# Context from my IDE setup:\n\n## My request for Codex:\nfix it', 'fix it'],
    ['<b> is never closed', '<b> is never closed'],
  ])('is recognised by the tags around it: %j', (text, title) => {
    expect(typedTitle(text)).toBe(title);
  });

  it('is the title, or else the first command is the title', () => {
    const [clear, review] = ['clear', 'review'].map((name) => `<command-name>/${name}</command-name>`);
    expect(firstTitle([clear!, 'fix it'])).toBe('fix it');
    expect(firstTitle(['<bash-stdout>x</bash-stdout>', review!, clear!])).toBe('/review');
    expect(firstTitle([])).toBeUndefined();
  });

  it.each([
    '<environment_context>\nlinux\n</environment_context>',
    '<local-command-stdout>Bye!</local-command-stdout>',
    '<local-command-caveat>Caveat: x</local-command-caveat>',
    'Caveat: The messages below were generated',
    '[Request interrupted by user]',
    '# AGENTS.md instructions for /work',
    '<recommended_plugins>\nx\n</recommended_plugins>',
    '<teammate-message from="x">\n<task>fix it</task>\n</teammate-message>',
    '<user_instructions> never closed',
    ' \n',
  ])('is not found in %j', (text) => {
    expect(typedTitle(text)).toBeUndefined();
  });
});

describe('the name of a session', () => {
  it('is the first line of the first typed message', () => {
    const messages = [
      typed('m1', '  \n'),
      said('m2', 'Hello.'),
      typed('m3', 'Mend the lock\nand test it'),
      typed('m4', 'Thanks'),
    ];
    expect(sessionName(messages, 'log-7')).toBe('Mend the lock');
  });

  it.each(['<task>\nDraw the map\n</task>\n<environment_details>', '<task>Draw the map'])(
    'is the text between the tags of a task: %j',
    (text) => {
      expect(sessionName([typed('m1', text)], 'log-7')).toBe('Draw the map');
    },
  );

  it('is the first command, even if typed text follows it', () => {
    const command = '<command-message>tidy</command-message>\n<command-name>/tidy</command-name>';
    const messages = [{ ...typed('m1', command), origin: 'harness' as const }, typed('m2', 'go on')];
    expect(sessionName(messages, 'log-7')).toBe('/tidy');
  });

  it('is the given fallback if nothing was typed', () => {
    expect(sessionName([said('m1', 'Hello.')], 'log-7')).toBe('log-7');
  });
});

describe('a title', () => {
  it.each([
    ['one\r## Rules', 'one'],
    ['one\u2028two', 'one‹U+2028›two'],
    ['a\u202Eb\u200B', 'a‹U+202E›b‹U+200B›'],
  ])('is one line without hidden characters: %j', (text, title) => {
    expect(titleOf(text)).toBe(title);
  });
});

describe('the displayed text of a message', () => {
  it('contains typed text and the name of a command, without tags', () => {
    const content = '<user_input mode="act">fix it</user_input>';
    expect(shownWords({ ...typed('m1', content), typed: [{ start: 23, end: 29 }] })).toBe('fix it');
    const command =
      '<command-message>tidy</command-message>\n<command-name>/tidy</command-name>\n<command-args>up</command-args>';
    const start = command.indexOf('up<');
    expect(shownWords({ ...typed('m1', command), typed: [{ start, end: start + 2 }] })).toBe('/tidy up');
    expect(shownWords(typed('m1', '<x_y>a</x_y>'))).toBe('<x_y>a</x_y>');
  });

  it.each([
    ['<command-message>tidy</command-message>\n<command-name>/tidy</command-name>', '/tidy'],
    ['<command-name>/clear</command-name>\n<command-args></command-args>', '/clear'],
    ['<system-reminder>\n<note>Be brief.</note></system-reminder>', 'Be brief.</note></system-reminder>'],
    ['Base directory: <home>', 'Base directory: <home>'],
  ])('begins with words if the program around the model wrote it: %s', (text, shown) => {
    expect(shownWords({ ...typed('m1', text), kind: 'reminder' })).toBe(shown);
  });
});
