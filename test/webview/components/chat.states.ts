import { html } from 'lit';
import type { Price } from '../../../src/protocol/chat.ts';
import type { ChatRow } from '../../../src/protocol/chat-rows.ts';
import { Composer } from '../../../webview/chat/composer/composer.ts';
import { EarlierRows } from '../../../webview/chat/log/earlier-rows.ts';
import { FindBar } from '../../../webview/chat/log/find-bar.ts';
import { MessageSelection } from '../../../webview/chat/log/message-selection.ts';
import { rowGroup } from '../../../webview/chat/log/row-group.ts';
import { Pictures } from '../../../webview/chat/pictures/thumbnails.ts';
import { compactionPrompt } from '../../../webview/chat/standing/compaction-prompt.ts';
import { waitingLine } from '../../../webview/chat/standing/waiting-lines.ts';
import { actions, waitingCommand, waitingEdit } from '../support/action-fixtures.ts';
import { conversation, meter, strategies } from '../support/chat-fixtures.ts';
import { type ComponentStates, ignored } from './states.ts';

const context = {
  post: ignored,
  open: { has: () => false, set: ignored },
  pictures: new Pictures(ignored),
  edited: { textOf: (id: string) => (id === 'edited' ? 'Close first.' : undefined), set: ignored },
  onShow: ignored,
  sight: new IntersectionObserver(ignored),
};
const drawn = (...items: readonly ChatRow[]) => rowGroup({ items, isNewest: true, isFirst: true, context });
const rows = (all: readonly ChatRow[], type: ChatRow['type']) =>
  drawn(...all.filter((row) => row.type === type));
const compaction = conversation.find((row) => row.type === 'compaction')!;

export const rowStates: ComponentStates = {
  name: 'rows of the chat',
  states: {
    messages: () => rows(conversation, 'user'),
    'a message that is edited': () => drawn({ type: 'user', id: 'edited', text: 'Close it.' }),
    answers: () => rows(conversation, 'assistant'),
    'calls of tools': () => rows(conversation, 'tool'),
    'calls that act': () => rows(actions.slice(0, -2), 'tool'),
    'edits to approve': () => drawn(waitingEdit),
    'a command to approve': () => drawn(waitingCommand),
    'a compaction': () => drawn(compaction),
    'a compaction that was undone': () => drawn({ ...compaction, isUndone: true }),
    'a compaction that was refused': () =>
      drawn({ ...compaction, status: 'refused', reason: 'The summary was cut off.' }),
    'files of a turn': () => rows(actions, 'edits'),
    'an error': () =>
      drawn({ type: 'error', id: 'error', message: 'The provider does not answer.', canRetry: true }),
  },
};

const prompt = { meter, strategies, post: ignored, giveFocus: ignored };

const price: Price = {
  text: 'Fix it.',
  tokens: 1_200,
  total: 61_200,
  window: 200_000,
  compacts: true,
  attachments: [
    { label: '@src/store.ts', tokens: 900 },
    { label: '@notes.txt', tokens: 0, problem: 'There is no such file.' },
    { label: '@mark.png', tokens: 300, picture: { key: 'mark', size: { width: 120, height: 80 } } },
  ],
};

export const composerStates: ComponentStates = {
  name: 'composer',
  states: {
    'a message with attachments, while the agent works': () => {
      const composer = new Composer();
      composer.props = {
        post: ignored,
        pictures: context.pictures,
        onInput: ignored,
        onBlur: ignored,
        onSend: ignored,
        isBusy: true,
        isLoading: false,
        model: { label: 'qwen3', isOffline: false },
        strategyId: 'llm-summary',
        commands: [],
      };
      composer.text = price.text;
      composer.showPrice(price);
      return html`${composer}`;
    },
  },
};

export const findStates: ComponentStates = {
  name: 'finding and selecting messages',
  states: {
    'no matches yet': () => {
      const bar = new FindBar();
      bar.props = { rows: () => [], onShow: ignored, giveFocus: ignored, onOpen: ignored };
      bar.open();
      return html`${bar}`;
    },
    'a selected message': () => {
      const selection = new MessageSelection();
      selection.props = { post: ignored, elementOf: () => undefined, onLeave: ignored };
      selection.toggle({ type: 'user', id: 'u1', text: 'Fix it.' });
      return html`${selection}`;
    },
    'earlier rows': () => {
      const line = new EarlierRows();
      line.props = { post: ignored, scroller: document.createElement('div'), giveFocus: ignored };
      line.show(120, false);
      return html`${line}`;
    },
  },
};

export const standingStates: ComponentStates = {
  name: 'lines above the composer',
  states: {
    'one action waits': () => waitingLine({ rows: [waitingCommand], onShow: ignored }),
    'two actions wait': () => waitingLine({ rows: [waitingEdit, waitingCommand], onShow: ignored }),
    'a full window': () => compactionPrompt({ ...prompt, proposal: 'ratio' }),
    'a long conversation': () => compactionPrompt({ ...prompt, proposal: 'turns' }),
  },
};
