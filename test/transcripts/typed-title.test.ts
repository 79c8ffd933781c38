import { describe, expect, it } from 'vitest';
import { firstTitle, typedTitle } from '../../src/transcripts/typed-title.ts';

describe('what a person typed', () => {
  it.each([
    ['fix the build', 'fix the build'],
    ['<task>\nfix the build\n</task>\n<environment_details>x</environment_details>', 'fix the build'],
    ['<task>cut off in the mid', 'cut off in the mid'],
    ['<user_query>\nfix it\n</user_query>', 'fix it'],
    ['<ide_opened_file>a.ts</ide_opened_file>\nfix it', 'fix it'],
    ['<system-reminder a="b">x</system-reminder><memory>y</memory> fix it', 'fix it'],
    ['<command-name>/review</command-name>\n<command-args>the parser</command-args>', '/review the parser'],
    ['<bash-input>npm test</bash-input>', '! npm test'],
    ['<b> is never closed', '<b> is never closed'],
  ])('is told from the tags around it: %j', (text, title) => {
    expect(typedTitle(text)).toBe(title);
  });

  it('is the title, or else the first command', () => {
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
    '<user_instructions> never closed',
    ' \n',
  ])('is nothing in %j', (text) => {
    expect(typedTitle(text)).toBeUndefined();
  });
});
