import { html } from 'lit';
import { chosenStrategy } from '../../../webview/inspector/what-if/strategy-effect.ts';
import { outcomeTable } from '../../../webview/inspector/what-if/outcome-table.ts';
import { columnsFor } from '../../../webview/inspector/what-if/outcomes.ts';
import { ranked } from '../../../webview/inspector/what-if/strategy-ranking.ts';
import { scatter } from '../../../webview/inspector/what-if/scatter.ts';
import { whatIfHead } from '../../../webview/inspector/what-if/what-if-head.ts';
import { whatIfRow, whatIfRows, whatIfView } from '../support/what-if-fixtures.ts';
import { type ComponentStates, ignored } from './states.ts';

const rows = ranked(whatIfRows);
const marks = { best: 'ladder', current: 'ladder', made: undefined, chosen: 'ladder' };
const chosen = { canChange: true, isLostOpen: false, lost: undefined, post: ignored, onLost: ignored };

export const whatIfHeadStates: ComponentStates = {
  name: 'what-if head',
  states: {
    'before a comparison': () => whatIfHead(undefined, ignored),
    running: () =>
      whatIfHead(whatIfView({ phase: 'running', running: 'chunked', total: 20, rows: [whatIfRow] }), ignored),
    'an answer': () => whatIfHead(whatIfView(), ignored),
    'an outdated answer': () => whatIfHead(whatIfView({ isStale: true }), ignored),
    failed: () => whatIfHead(whatIfView({ phase: 'failed', problem: 'The counter stopped.' }), ignored),
  },
};

export const scatterStates: ComponentStates = {
  name: 'cb-scatter',
  states: {
    'three strategies': () => scatter({ ...marks, rows, name: 'Three strategies', onChoose: ignored }),
    'one strategy': () => scatter({ ...marks, rows: [whatIfRow], name: 'One strategy', onChoose: ignored }),
    'beside what happened': () =>
      scatter({
        ...{ ...marks, made: 'c1', onChoose: ignored, name: 'Beside what happened' },
        rows: [...rows, { ...whatIfRow, strategy: 'c1', title: 'claude-code', tokensAfter: 20_000 }],
      }),
  },
};

export const outcomeTableStates: ComponentStates = {
  name: 'outcomes',
  states: {
    'three strategies': () =>
      outcomeTable({
        ...{ ...marks, rows, sorting: undefined, onSort: ignored, onChoose: ignored },
        columns: columnsFor(rows, true),
      }),
  },
};

export const chosenStrategyStates: ComponentStates = {
  name: 'chosen strategy',
  states: {
    'that loses nothing': () => chosenStrategy({ ...chosen, row: whatIfRow, view: whatIfView() }),
    'that loses facts': () =>
      html`${rows.slice(1, 2).map((row) => chosenStrategy({ ...chosen, row, view: whatIfView() }))}`,
    'in a read-only session': () =>
      chosenStrategy({ ...chosen, row: whatIfRow, view: whatIfView(), canChange: false }),
  },
};
