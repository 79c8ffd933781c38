import type { Agent } from '../agent.ts';
import { opencodeConfig, opencodeServerConfig, opencodeTurns } from './opencode-family.ts';

export const opencode: Agent = {
  id: 'opencode',
  title: 'opencode',
  version: '1.18.33',
  packages: ['opencode-linux-x64@1.18.33'],
  licence: 'MIT',
  foundAs: 'opencode',
  environment: {
    OPENCODE_DISABLE_AUTOUPDATE: '1',
    OPENCODE_DISABLE_MODELS_FETCH: '1',
    OPENCODE_DISABLE_LSP_DOWNLOAD: '1',
    OPENCODE_DISABLE_SHARE: '1',
  },
  files: { '.config/opencode/opencode.json': opencodeConfig },
  serverFiles: { '.config/opencode/opencode.json': opencodeServerConfig },
  sessionFiles: '.local/share/opencode/opencode.db',
  script: { delegateArguments: { subagent_type: 'general', description: 'count lines' }, fullAt: 125_000 },
  turns: opencodeTurns('/opt/agent/node_modules/opencode-linux-x64/bin/opencode'),
  cannot: [
    'It has no command for a compaction outside its terminal; the run asks its own server (`opencode serve`).',
  ],
};
