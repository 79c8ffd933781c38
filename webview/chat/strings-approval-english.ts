import type { CommandReach, CommandTermsView } from '../../src/protocol/chat-rows.ts';

/** The texts of what a person is asked, in English. */
export const englishApproval = {
  label: (title: string) => `Approval: ${title}`,
  runCommand: 'Run this command?',
  details: 'What would be done',
  length: (lines: number, characters: number) =>
    `${lines === 1 ? '1 line' : `${lines} lines`}, ${characters} characters; the end is above the buttons.`,
  toBeginning: 'Show the beginning',
  strange: (names: readonly string[]) =>
    `Letters that look like others: ${names.join(', ')}. It may not be what it seems.`,
  whereItRuns: 'Where it runs',
  reach: {
    sandbox: 'In the sandbox, without network',
    network: 'In the sandbox, with network',
    everything: 'Outside the sandbox',
  } satisfies Record<CommandReach, string>,
  ruleReach: {
    sandbox: ', in the sandbox without network',
    network: ', in the sandbox with network',
    everything: ', outside the sandbox',
  } satisfies Record<CommandReach, string>,
  risk: 'Outside the sandbox it can do all that you can.',
  withoutSandbox: {
    off: 'Runs outside a sandbox, which is switched off: it can do all that you can.',
    missing: 'Runs outside a sandbox, since this machine has none: it can do all that you can.',
    home: 'Runs outside a sandbox, since your home folder is in the workspace: it can do all that you can.',
  } satisfies Record<NonNullable<CommandTermsView['withoutSandbox']>, string>,
  asksForNetwork: (reason: string) =>
    reason === '' ? 'Asks for the network.' : `Asks for the network: “${reason}”`,
  changes: 'What would be changed',
  once: 'Allow once',
  session: 'Allow for this session',
  always: 'Always allow',
  reject: 'Reject',
  allows: (rule: string) => `Session and always: ${rule}`,
  feedback: 'What should it do instead? (optional)',
  back: 'Back',
  count: (count: number) => (count === 1 ? '1 action waits for you' : `${count} actions wait for you`),
  which: (title: string) => `: ${title}`,
  show: 'Show',
  showNext: 'Show next',
};
