import { css, html, nothing, type TemplateResult } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import type { SubAgentView } from '../../../../src/protocol/chat-rows.ts';
import { addStyles } from '../../../shared/component.ts';
import { iconTemplate, type IconName } from '../../../shared/icons.ts';
import { strings } from '../../text/chat-strings.ts';
import { tokenCount } from './row-element.ts';

const words = strings.subAgents;

const stateIcons = {
  waiting: 'waiting',
  running: 'running',
  done: 'keep',
  failed: 'error',
  stopped: 'interrupted',
  skipped: 'hide',
} as const satisfies Record<SubAgentView['state'], IconName>;

/** The sub-agents of a call. Each has a link to its transcript when it has begun. */
export function subAgentList(
  subAgents: readonly SubAgentView[],
  onOpen: (sessionId: string) => void,
): TemplateResult {
  return html`<ul class="sub-agents" aria-label=${words.list} aria-live="off">
    ${repeat(
      subAgents,
      ({ name }) => name,
      (subAgent) => subAgentItem(subAgent, onOpen),
    )}
  </ul>`;
}

function subAgentItem(subAgent: SubAgentView, onOpen: (sessionId: string) => void): TemplateResult {
  const { name, sessionId, task, state, tokens } = subAgent;
  const isWaiting = sessionId === '';
  const note = noteOf(subAgent);
  return html`<li>
    <button
      type="button"
      class="sub-agent"
      ?disabled=${isWaiting}
      title=${isWaiting ? task : `${words.open({ name })}: ${task}`}
      @click=${() => onOpen(sessionId)}
    >
      <b>${name}</b>
      <span class="sub-agent-state is-${state}"
        >${iconTemplate(stateIcons[state])}${words.states[state]}</span
      >
      ${tokens === 0 ? nothing : html`<span class="tool-tokens">${tokenCount(tokens)}</span>`}
      ${note === '' ? nothing : html`<span class="sub-agent-note">${note}</span>`}
    </button>
  </li>`;
}

/** The sub-agents for which this one waits, and its current step. */
function noteOf({ note, dependsOn }: SubAgentView): string {
  const after = dependsOn.length === 0 ? [] : [words.after({ names: dependsOn.join(', ') })];
  return [...after, ...(note === '' ? [] : [note])].join(' · ');
}

addStyles(css`
  .sub-agents {
    margin: 0 0 4px 16px;
  }

  .sub-agent {
    display: flex;
    align-items: baseline;
    flex-wrap: wrap;
    gap: 0 7px;
    width: 100%;
    padding: 1px 0;
    color: var(--dim);
  }

  .sub-agent:disabled {
    cursor: default;
  }

  .sub-agent:enabled:hover {
    color: var(--fg);
  }

  .sub-agent:enabled:hover b {
    text-decoration: underline;
  }

  .sub-agent > b {
    font-weight: 600;
  }

  .sub-agent-state .icon {
    margin-inline-end: 3px;
  }

  .sub-agent-state.is-failed {
    color: var(--danger);
  }

  body.vscode-high-contrast .sub-agent-state {
    color: var(--fg);
  }

  .sub-agent .tool-tokens {
    margin-inline-start: auto;
  }

  .sub-agent-note {
    flex-basis: 100%;
    overflow: hidden;
    font-size: 0.92em;
    text-overflow: ellipsis;
    white-space: nowrap;
  }
`);
