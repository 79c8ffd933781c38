import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { AgentEvent } from '../../../src/agent/session/session-ports.ts';
import { showNotices } from '../../../src/extension/window/views.ts';
import type { Services } from '../../../src/extension/window/services.ts';
import { hostSentences } from '../../../src/language/english/host-english.ts';
import { EventEmitter, notices } from '../../support/editor/vscode-window.ts';

vi.mock('vscode', () => import('../../support/editor/vscode-window.ts'));

const logged: string[] = [];
let happened: EventEmitter<AgentEvent>;

beforeEach(() => {
  for (const list of [logged, notices]) list.length = 0;
  happened = new EventEmitter();
  const log = { warn: (line: string) => void logged.push(line) };
  showNotices({ hub: { onDidHappen: happened.event }, log } as unknown as Services);
});

/** A warning that names a chat. */
const warning = (title: string) =>
  ({ type: 'warning', message: hostSentences.say('copyTitle', { title }) }) as AgentEvent;

describe('a warning of the active chat', () => {
  it('is shown and logged once, even if it has other details later', () => {
    happened.fire(warning('one'));
    happened.fire(warning('two'));
    expect(notices).toHaveLength(1);
    expect(notices[0]).toMatch(/^Context Budget: .*one/);
    expect(logged).toEqual([expect.stringContaining('one')]);
  });

  it('is shown again if its message changes', () => {
    happened.fire(warning('one'));
    happened.fire({ type: 'warning', message: 'The disk is full.' });
    expect(notices.at(-1)).toBe('Context Budget: The disk is full.');
  });
});

it('an event that is not a warning is not shown', () => {
  happened.fire({ type: 'busy', isBusy: true } as unknown as AgentEvent);
  expect(notices).toEqual([]);
});
