import { css, html, nothing, type TemplateResult } from 'lit';
import type { PlanStepView } from '../../../src/protocol/chat-rows.ts';
import { addStyles } from '../../shared/component.ts';
import { disclosure } from '../../shared/disclosure.ts';
import type { OpenRows } from '../../shared/host.ts';
import { iconTemplate, type IconName } from '../../shared/icons.ts';
import { strings } from '../text/chat-strings.ts';

const words = strings.plan;

const openKey = 'plan';

const stateIcons = {
  pending: 'pending',
  in_progress: 'arrow',
  done: 'keep',
} as const satisfies Record<PlanStepView['status'], IconName>;

/** The agent's plan: its progress in one line, and its steps on demand. */
export function planView(plan: readonly PlanStepView[], open: OpenRows): TemplateResult | typeof nothing {
  if (plan.length === 0) return nothing;
  const done = plan.filter(({ status }) => status === 'done').length;
  const next =
    plan.find(({ status }) => status === 'in_progress') ?? plan.find(({ status }) => status === 'pending');
  return html`<div class="plan">
    ${disclosure({
      id: 'plan-steps',
      isOpen: open.has(openKey),
      class: 'plan-line',
      label: html`<b>${words.progress({ done, total: plan.length })}</b
        ><span class="plan-now">${next === undefined ? '' : words.now({ step: next.text })}</span>`,
      panel: () =>
        html`<ol class="plan-steps" aria-label=${words.steps} tabindex="0">
          ${plan.map(stepView)}
        </ol>`,
      onToggle: (isOpen) => open.set(openKey, isOpen),
    })}
  </div>`;
}

function stepView({ text, status }: PlanStepView): TemplateResult {
  return html`<li class="is-${status}" aria-current=${status === 'in_progress' ? 'step' : nothing}>
    <span>${iconTemplate(stateIcons[status])}</span>
    <span class="plan-text">${text}</span>
    <span class="plan-word">${words.states[status]}</span>
  </li>`;
}

addStyles(css`
  .plan,
  .pins {
    padding: 5px 2px 0;
    font-size: 0.92em;
  }
  .plan-line {
    width: 100%;
    > b {
      flex: none;
      font-weight: 600;
      font-variant-numeric: tabular-nums;
    }
  }
  .plan-now {
    min-width: 0;
    margin-inline-start: -4px;
    overflow: hidden;
    text-overflow: ellipsis;
    white-space: nowrap;
  }
  .plan-steps {
    max-height: 32vh;
    padding: 3px 0 2px 15px;
    overflow: auto;
    color: var(--dim);
    > li {
      display: flex;
      align-items: baseline;
      gap: 6px;
      padding: 1px 0;
    }
    > .is-in_progress {
      color: var(--fg);
      font-weight: 600;
    }
    .link {
      flex: none;
    }
  }
  .plan-text {
    flex: 1 1 auto;
    min-width: 0;
    overflow-wrap: anywhere;
  }
  .plan-word {
    flex: none;
    font-size: 0.92em;
    font-weight: normal;
  }
`);
