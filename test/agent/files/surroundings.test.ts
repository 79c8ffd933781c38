import { isAbsolute, resolve } from 'node:path';
import { expect, it } from 'vitest';
import { surroundingsHere } from '../../../src/agent/files/surroundings.ts';
import { stateFolder } from '../../../src/transcripts/session/state-folder.ts';
import { sessionPlaces } from '../../../src/transcripts/found-agents.ts';
import { words } from '../words.ts';

it('surroundingsHere ignores relative folders in the environment, which would depend on the working folder', () => {
  const names = words(`CLAUDE_CONFIG_DIR CODEX_HOME GEMINI_CLI_HOME COPILOT_HOME QWEN_HOME QWEN_RUNTIME_DIR
      XDG_CONFIG_HOME XDG_DATA_HOME XDG_STATE_HOME CONTEXT_BUDGET_STATE APPDATA LOCALAPPDATA
      PI_CODING_AGENT_DIR PI_CODING_AGENT_SESSION_DIR CLINE_DIR CLINE_DATA_DIR
      CLINE_SESSION_DATA_DIR`);
  for (const folder of ['planted', './planted', '../planted', '~/planted']) {
    const surroundings = surroundingsHere(Object.fromEntries(names.map((name) => [name, folder])));
    for (const platform of ['linux', 'darwin', 'win32']) {
      const places = sessionPlaces({ ...surroundings, platform }).map((place) => place.folder);
      expect([...places, stateFolder({ ...surroundings, platform })].join('\n')).not.toContain('planted');
    }
  }
});

it('surroundingsHere keeps absolute folders in the environment, and every other variable', () => {
  const environment = { CODEX_HOME: resolve('codex'), ANTHROPIC_MODEL: 'opus', DISABLE_COMPACT: '1' };
  expect(surroundingsHere(environment).environment).toEqual(environment);
});

it('surroundingsHere uses the home folder of the system instead of a relative home folder', () => {
  const { HOME } = process.env;
  process.env['HOME'] = 'planted';
  try {
    expect(isAbsolute(surroundingsHere().home)).toBe(true);
  } finally {
    if (HOME === undefined) delete process.env['HOME'];
    else process.env['HOME'] = HOME;
  }
});
