import { win32 } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { PlaceSurroundings } from '../../src/transcripts/reading/agent-files.ts';
import { sessionPlaces, type FoundAgent } from '../../src/transcripts/found-agents.ts';

const linux: PlaceSurroundings = { home: '/home/a', platform: 'linux', environment: {} };
const foldersOf = (agent: FoundAgent, surroundings: PlaceSurroundings) =>
  sessionPlaces(surroundings)
    .filter((place) => place.agent === agent && place.isOfRecordings !== true)
    .map(({ folder }) => folder);

describe('the places of sessions', () => {
  it('are below the home folder', () => {
    expect(foldersOf('claude-code', linux).slice(0, 2)).toEqual([
      '/home/a/.claude/projects',
      '/home/a/.config/claude/projects',
    ]);
    expect(foldersOf('codex', linux)).toEqual(['/home/a/.codex/sessions']);
    expect(foldersOf('gemini-cli', linux)).toEqual(['/home/a/.gemini/tmp', '/home/a/.gemini/tmp']);
  });

  it("include the session folders of Claude Desktop's agent mode", () => {
    const places = sessionPlaces({ ...linux, platform: 'darwin' }).filter(({ folder }) =>
      folder.endsWith('/Library/Application Support/Claude/local-agent-mode-sessions'),
    );
    const names = ['account', 'organization', 'local_1', '.claude', 'projects', '-sessions-one', 'id.jsonl'];
    expect(places[0]?.levels.map((level, index) => level.test(names[index] ?? ''))).toEqual(
      names.map(() => true),
    );
  });

  it('include the folders of Qwen Code and Pi, which environment variables can change', () => {
    expect(foldersOf('qwen-code', linux)).toEqual(['/home/a/.qwen/projects']);
    expect(new Set(foldersOf('pi', linux))).toEqual(new Set(['/home/a/.pi/agent/sessions']));
    const moved = (environment: PlaceSurroundings['environment']) => ({ ...linux, environment });
    expect(foldersOf('qwen-code', moved({ QWEN_HOME: '/data/qwen' }))).toEqual(['/data/qwen/projects']);
    expect(foldersOf('qwen-code', moved({ QWEN_HOME: '/q', QWEN_RUNTIME_DIR: '/run' }))).toEqual([
      '/run/projects',
    ]);
    expect(foldersOf('pi', moved({ PI_CODING_AGENT_DIR: '/data/pi' }))[0]).toBe('/data/pi/sessions');
  });

  it('include the recordings of each agent in the state folder', () => {
    const recordings = sessionPlaces(linux).filter(({ isOfRecordings }) => isOfRecordings);
    expect(recordings.map(({ folder }) => folder)).toContain(
      '/home/a/.local/state/context-budget/wire/codex',
    );
    const moved = { ...linux, environment: { CONTEXT_BUDGET_STATE: '/state' } };
    expect(sessionPlaces(moved).at(-1)?.folder).toBe('/state/wire/another-agent');
  });

  it('are taken from environment variables that name folders', () => {
    const environment = {
      CLAUDE_CONFIG_DIR: '/data/claude',
      CODEX_HOME: '/data/codex',
      GEMINI_CLI_HOME: '/data',
    };
    const surroundings = { ...linux, environment };
    expect(foldersOf('claude-code', surroundings)[0]).toBe('/data/claude/projects');
    expect(foldersOf('codex', surroundings)).toEqual(['/data/codex/sessions']);
    expect(foldersOf('gemini-cli', surroundings)[0]).toBe('/data/.gemini/tmp');
  });

  it('are not affected by an empty environment variable', () => {
    expect(foldersOf('codex', { ...linux, environment: { CODEX_HOME: '' } })).toEqual([
      '/home/a/.codex/sessions',
    ]);
  });

  const inStorage = (storage: string) => `${storage}/User/globalStorage/saoudrizwan.claude-dev/tasks`;
  it.each([
    ['linux', {}, '/home/a/.config/Code'],
    ['linux', { XDG_CONFIG_HOME: '/config' }, '/config/VSCodium'],
    ['linux', {}, '/home/a/.local/share/code-server'],
    ['linux', {}, '/home/a/.vscode-server/data'],
    ['darwin', {}, '/home/a/Library/Application Support/Cursor'],
    ['win32', {}, '/home/a/AppData/Roaming/Code - Insiders'],
    ['win32', { APPDATA: 'D:\\Roaming' }, 'D:\\Roaming/Code'],
  ])('include the storage of each editor on %s with %j', (platform, environment, userData) => {
    expect(foldersOf('cline', { home: '/home/a', platform, environment })).toContain(inStorage(userData));
  });

  it('begin with the storage of the running editor, and contain no folder twice', () => {
    const own = foldersOf('roo-code', { ...linux, editorStorage: '/elsewhere/globalStorage' });
    expect(own[0]).toBe('/elsewhere/globalStorage/rooveterinaryinc.roo-cline/tasks');
    const known = foldersOf('cline', { ...linux, editorStorage: '/home/a/.config/Code/User/globalStorage' });
    expect(known).toEqual([...new Set(known)]);
    expect(known).toHaveLength(foldersOf('cline', linux).length);
  });

  it('include the folders of Cline since version 4, which environment variables can change', () => {
    const own = (environment: Record<string, string>) => foldersOf('cline', { ...linux, environment });
    expect(own({})).toEqual(
      expect.arrayContaining(['/home/a/.cline/data/sessions', '/home/a/.cline/data/tasks']),
    );
    expect(own({ CLINE_DIR: '/c' })).toContain('/c/data/sessions');
    expect(own({ CLINE_DIR: '/c', CLINE_DATA_DIR: '/d' })).toEqual(
      expect.arrayContaining(['/d/sessions', '/d/tasks']),
    );
    expect(own({ CLINE_DATA_DIR: '/d', CLINE_SESSION_DATA_DIR: '/s' })).toContain('/s');
  });

  it('include the folders of Copilot CLI, which environment variables can change', () => {
    expect(foldersOf('copilot-cli', linux)).toEqual([
      '/home/a/.copilot/session-state',
      '/home/a/.copilot/session-state',
      '/home/a/.copilot/history-session-state',
    ]);
    const environment = { COPILOT_HOME: '/data/copilot' };
    expect(foldersOf('copilot-cli', { ...linux, environment })[0]).toBe('/data/copilot/session-state');
  });

  it("include Copilot Chat's folders for windows with and without a workspace, in each editor", () => {
    const folders = foldersOf('copilot-chat', { ...linux, editorStorage: '/own/User/globalStorage' });
    expect(folders.slice(0, 2)).toEqual([
      '/own/User/workspaceStorage',
      '/own/User/globalStorage/emptyWindowChatSessions',
    ]);
    expect(folders).toContain('/home/a/.vscode-server/data/User/workspaceStorage');
  });

  it.each(['linux', 'darwin', 'win32'])('are the same on %s for opencode and Kilo Code', (platform) => {
    const surroundings = { home: '/home/a', platform, environment: {} };
    expect(foldersOf('opencode', surroundings)).toEqual([
      '/home/a/.local/share/opencode',
      '/home/a/.local/share/opencode/storage/session',
    ]);
    expect(foldersOf('kilo-code', surroundings).slice(0, 2)).toEqual([
      '/home/a/.local/share/kilo',
      '/home/a/.local/share/kilo/storage/session',
    ]);
  });

  it('match the databases of all release channels, and no other files', () => {
    const place = sessionPlaces(linux).find(({ isDatabase }) => isDatabase);
    const names = ['opencode.db', 'opencode-dev.db', 'opencode.db-wal', 'other.db', 'opencode.db.bak'];
    expect(names.filter((name) => place?.levels[0]?.test(name))).toEqual(['opencode.db', 'opencode-dev.db']);
  });

  describe('on Windows and Linux', () => {
    const windows: PlaceSurroundings = {
      home: 'C:\\Users\\Ann Lee',
      platform: 'win32',
      environment: { APPDATA: 'C:\\Users\\Ann Lee\\AppData\\Roaming', USERPROFILE: 'C:\\Users\\Ann Lee' },
    };
    const normalised = (agent: FoundAgent, surroundings: PlaceSurroundings) =>
      foldersOf(agent, surroundings).map((folder) => win32.normalize(folder));

    it.each([
      ['claude-code', 'C:\\Users\\Ann Lee\\.claude\\projects'],
      ['codex', 'C:\\Users\\Ann Lee\\.codex\\sessions'],
      ['gemini-cli', 'C:\\Users\\Ann Lee\\.gemini\\tmp'],
      ['copilot-cli', 'C:\\Users\\Ann Lee\\.copilot\\session-state'],
      ['opencode', 'C:\\Users\\Ann Lee\\.local\\share\\opencode'],
      ['copilot-chat', 'C:\\Users\\Ann Lee\\AppData\\Roaming\\Code\\User\\workspaceStorage'],
      [
        'roo-code',
        'C:\\Users\\Ann Lee\\AppData\\Roaming\\Cursor\\User\\globalStorage\\rooveterinaryinc.roo-cline\\tasks',
      ],
    ] as const)('include absolute paths on Windows: %s', (agent, folder) => {
      expect(normalised(agent, windows)).toContain(folder);
      expect(normalised(agent, windows).every((one) => win32.isAbsolute(one))).toBe(true);
    });

    it('contain no folder twice on Windows if the editor writes the drive in lower case', () => {
      const editorStorage = 'c:\\Users\\Ann Lee\\AppData\\Roaming\\Code\\User\\globalStorage';
      for (const agent of ['cline', 'copilot-chat', 'kilo-code'] as const) {
        const folders = normalised(agent, { ...windows, editorStorage }).map((one) => one.toLowerCase());
        expect(folders).toHaveLength(foldersOf(agent, windows).length);
        expect(new Set(folders).size).toBe(folders.length);
      }
    });

    it('contain both folders on Linux if they differ in case', () => {
      const editorStorage = '/home/a/.config/code/User/globalStorage';
      expect(foldersOf('cline', { ...linux, editorStorage })).toHaveLength(
        foldersOf('cline', linux).length + 1,
      );
    });
  });
});
