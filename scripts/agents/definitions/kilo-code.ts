import type { Agent } from '../agent.ts';
import { opencodeConfig, opencodeServerConfig, opencodeTurns } from './opencode-family.ts';

export const kiloCode: Agent = {
  id: 'kilo-code',
  title: 'Kilo CLI',
  version: '7.7.9',
  packages: ['@kilocode/cli-linux-x64@7.7.9'],
  licence: 'MIT',
  foundAs: 'kilo-code',
  environment: {
    KILO_TELEMETRY_LEVEL: 'off',
    KILO_DISABLE_AUTOUPDATE: '1',
    KILO_DISABLE_MODELS_FETCH: '1',
    KILO_DISABLE_LSP_DOWNLOAD: '1',
    KILO_DISABLE_SHARE: '1',
  },
  files: { '.config/kilo/kilo.json': opencodeConfig },
  serverFiles: { '.config/kilo/kilo.json': opencodeServerConfig },
  sessionFiles: '.local/share/kilo/kilo.db',
  script: { delegateArguments: { subagent_type: 'general', description: 'count lines' }, fullAt: 125_000 },
  turns: opencodeTurns('/opt/agent/node_modules/@kilocode/cli-linux-x64/bin/kilo'),
  cannot: [
    'It has no command for a compaction outside its terminal; the run asks its own server (`kilo serve`).',
  ],
};
