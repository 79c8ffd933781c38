import { describe, expect, it, vi } from 'vitest';

vi.mock('vscode', () => import('../../support/editor/vscode-texts.ts'));
const { ownServers } = await import('../../../src/extension/settings/editor-settings.ts');

describe('MCP servers of the user', () => {
  it.each([
    [undefined, true],
    [{}, true],
    [{ workspaceValue: {} }, true],
    [{ workspaceValue: { notes: { command: 'x' } } }, false],
    [{ workspaceValue: { notes: { env: {} } } }, false],
    [{ workspaceFolderValue: { notes: {} } }, false],
    [{ workspaceLanguageValue: { notes: {} } }, false],
    [{ workspaceValue: { other: {} } }, true],
    [{ workspaceValue: 'nonsense' }, false],
  ])('exclude servers that a folder could influence: %j', (levels, isOwn) => {
    expect(ownServers(levels)('notes')).toBe(isOwn);
  });
});
