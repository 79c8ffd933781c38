import { html } from 'lit';
import { recordList } from '../../../webview/inspector/compactions/record-list.ts';
import { recordOutcome } from '../../../webview/inspector/compactions/record-outcome.ts';
import { noAnswers } from '../../../webview/inspector/state/compaction-answers.ts';
import { coverage, flow, ladder, masking, refused } from '../support/inspector-fixtures.ts';
import { type ComponentStates, ignored } from './states.ts';

const answers = { ...noAnswers, flows: { r2: flow, r3: flow } };
const props = { answers, post: ignored };
const kept = { ...coverage, commands: coverage.files };

export const outcomeStates: ComponentStates = {
  name: 'recordOutcome',
  states: {
    'of a chat, with losses': () => recordOutcome({ ...props, record: ladder, canChange: true }),
    'of another agent, with a warning': () => recordOutcome({ ...props, record: masking, unseen: 21_900 }),
    'nothing lost': () => recordOutcome({ ...props, record: { ...ladder, coverage: kept } }),
    undone: () => recordOutcome({ ...props, record: { ...ladder, isUndone: true } }),
    refused: () => recordOutcome({ ...props, record: refused }),
    'before the flow is known': () => recordOutcome({ ...props, answers: noAnswers, record: ladder }),
  },
};

export const recordListStates: ComponentStates = {
  name: 'recordList',
  states: {
    'the second selected, the last undone': () =>
      html`${recordList({
        records: [ladder, masking, refused, { ...ladder, id: 'r0', isUndone: true }],
        selectedId: 'r2',
        unseen: () => 0,
        current: () => undefined,
        onSelect: ignored,
      })}`,
  },
};
