import { beforeEach, describe, expect, it, vi } from 'vitest';
import { choices, notices } from '../../support/editor/vscode-window.ts';
import { showError, showInformation, showWarning } from '../../../src/extension/editor/plain-notices.ts';

vi.mock('vscode', async () => import('../../support/editor/vscode-window.ts'));

beforeEach(() => notices.splice(0));

describe.each([
  ['information', showInformation],
  ['a warning', showWarning],
  ['an error', showError],
])('a notice with %s', (_what, show) => {
  it('shows no links made of foreign text', async () => {
    await show('“[Tests](command:workbench.action.reloadWindow)” could not be read.');
    expect(notices).toEqual(['“[Tests] (command:workbench.action.reloadWindow)” could not be read.']);
  });

  it('shows hidden characters', async () => {
    await show('a\u202Eb');
    expect(notices).toEqual(['a‹U+202E›b']);
  });

  it('returns the chosen button', async () => {
    choices.push('Open');
    expect(await show('It is there.', 'Open', 'Close')).toBe('Open');
    choices.push('Open');
    expect(await show('It is there.', { modal: true }, 'Open')).toBe('Open');
  });
});
