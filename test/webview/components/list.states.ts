import { html } from 'lit';
import { virtualList } from '../../../webview/shared/virtual-list.ts';
import type { ComponentStates } from './states.ts';

const rows = (count: number) => Array.from({ length: count }, (_, index) => `row ${index + 1}`);
const drawn = (count: number) =>
  virtualList({
    items: rows(count),
    label: `${count} rows`,
    rowHeight: 22,
    keyOf: (row) => row,
    row: (row) => html`<button type="button" data-stop>${row}</button>`,
  });

export const listStates: ComponentStates = {
  name: 'cb-virtual-list',
  states: {
    'three rows': () => drawn(3),
    'one row': () => drawn(1),
  },
};
