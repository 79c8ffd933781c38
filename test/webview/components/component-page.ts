import '../../../webview/shared/base.css';
import '../../../webview/shared/kinds.css';
import '../../../webview/chat/rows.css';
import '../../../webview/chat/markdown.css';
import '../../../webview/inspector/inspector.css';
import '../../../webview/inspector/by-hand/by-hand.css';
import { css, html, render } from 'lit';
import { addStyles } from '../../../webview/shared/component.ts';
import { registerControls, registerDropdowns } from '../../../webview/shared/controls.ts';
import { styleKinds } from '../../../webview/shared/kind-looks.ts';
import { barStates } from './bar.states.ts';
import { composerStates, findStates, rowStates, standingStates } from './chat.states.ts';
import { diffStates } from './diff.states.ts';
import { factKindStates, factRowStates } from './facts.states.ts';
import { headerStates } from './header.states.ts';
import { listStates } from './list.states.ts';
import { menuStates } from './menus.states.ts';
import { outcomeStates, recordListStates } from './outcome.states.ts';
import type { ComponentStates } from './states.ts';
import { partStates, tabStates } from './tabs.states.ts';
import {
  chosenStrategyStates,
  outcomeTableStates,
  scatterStates,
  whatIfHeadStates,
} from './what-if.states.ts';

/** All components of the pages, in the order of this page. A test fails if one is missing. */
const all: readonly ComponentStates[] = [
  headerStates,
  barStates,
  listStates,
  diffStates,
  menuStates,
  outcomeStates,
  recordListStates,
  whatIfHeadStates,
  scatterStates,
  outcomeTableStates,
  chosenStrategyStates,
  factKindStates,
  factRowStates,
  tabStates,
  partStates,
  rowStates,
  standingStates,
  composerStates,
  findStates,
];

addStyles(css`
  .components {
    max-width: 960px;
    margin: auto;
    padding: 16px;
    > section > h2 {
      margin: 24px 0 0;
      font-size: 1.1em;
    }
    > section > h3 {
      margin: 14px 0 6px;
      color: var(--dim);
      font-size: 1em;
      font-weight: normal;
    }
  }
`);

registerControls();
registerDropdowns();
styleKinds();
render(
  html`<main class="components">
    <h1>Components</h1>
    ${all.map(
      ({ name, states }) =>
        html`<section aria-label=${name} data-component=${name}>
          <h2>${name}</h2>
          ${Object.entries(states).map(
            ([title, draw]) =>
              html`<h3>${title}</h3>
                <div class="state">${draw()}</div>`,
          )}
        </section>`,
    )}
  </main>`,
  document.body,
);
