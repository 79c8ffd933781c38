import { type Agent, serverAddress } from '../agent.ts';

const options = ['--auto-approve', 'true', '-P', 'openai', '-m', 'stub-model'];

export const cline: Agent = {
  id: 'cline',
  title: 'Cline CLI',
  version: '3.0.65',
  packages: ['cline@3.0.65'],
  licence: 'Apache-2.0',
  foundAs: 'cline',
  environment: { CLINE_TELEMETRY_DISABLED: '1', CLINE_NO_AUTO_UPDATE: '1' },
  files: {},
  prepare: ['cline', 'auth', '-p', 'openai', '-k', 'none', '-m', 'stub-model', '-b', `${serverAddress}/v1`],
  sessionFiles: '.cline/data/sessions/**/*.json',
  script: { delegateArguments: { systemPrompt: 'You count lines.' } },
  turns: { first: ({ prompt }) => ['cline', ...options, prompt] },
  cannot: [
    'Cline CLI resumes, forks and compacts on request only in its terminal, or through its server for editors after a sign-in: the run has one turn and no compaction.',
    'It cannot forbid a command without asking a user, so nothing is rejected.',
  ],
};
