import { header } from '../../../webview/inspector/page/header.ts';
import { inspectorState, otherSessions, usage } from '../support/inspector-fixtures.ts';
import { type ComponentStates, ignored } from './states.ts';

const state = inspectorState();
const foreign = {
  ...state,
  sessionId: 'file-1',
  agent: 'Claude Code',
  model: 'claude-opus-4-6',
  otherSessions,
};

export const headerStates: ComponentStates = {
  name: 'header',
  states: {
    'a chat': () => header(state, ignored),
    'a chat that asks before it compacts': () =>
      header({ ...state, usage: { ...usage, asks: true } }, ignored),
    'a full window': () => header({ ...state, usage: { ...usage, tokens: 140_000 } }, ignored),
    'a session of another agent': () => header(foreign, ignored),
    'an unknown window': () =>
      header(
        {
          ...foreign,
          model: '',
          usage: { ...usage, window: undefined, trigger: undefined, target: undefined },
        },
        ignored,
      ),
    'a long title': () => header({ ...foreign, title: 'Refunds are rounded twice '.repeat(12) }, ignored),
  },
};
