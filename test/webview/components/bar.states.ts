import { html } from 'lit';
import { kindSegments, stackedBar } from '../../../webview/shared/stacked-bar.ts';
import { styled } from '../../../webview/shared/styled.ts';
import { usage } from '../support/inspector-fixtures.ts';
import type { ComponentStates } from './states.ts';

const window = 128_000;
const drawn = (total: number, marks: readonly { readonly name: string; readonly at: number }[]) =>
  html`<div ${styled({ height: '12px' })}>
    ${stackedBar({ segments: kindSegments(usage.byKind, total), marks, scale: window })}
  </div>`;

export const barStates: ComponentStates = {
  name: 'stackedBar',
  states: {
    'all kinds, with marks': () =>
      drawn(82_746, [
        { name: 'background', at: 94_000 },
        { name: 'trigger', at: 108_800 },
      ]),
    'more reported than counted': () => drawn(100_000, []),
    'less reported than counted': () => drawn(40_000, []),
  },
};
