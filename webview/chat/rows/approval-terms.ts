import type { CommandReach, CommandTermsView } from '../../../src/protocol/chat-rows.ts';
import { element, freshId, setText } from '../../dom.ts';
import { strings } from '../strings.ts';
import { visibleText } from '../visible-text.ts';

const words = strings.approval;
const reaches = ['sandbox', 'network', 'everything'] as const satisfies readonly CommandReach[];

/** Where a command would run, and the choice of it. */
export interface ApprovalTerms {
  readonly element: HTMLElement;
  /** What the person has chosen; undefined where there is no choice. */
  readonly reach: CommandReach | undefined;
  show(terms: CommandTermsView | undefined): void;
}

/** @param onChoice hears of another choice */
export function approvalTerms(onChoice: () => void): ApprovalTerms {
  const select = element(
    'select',
    { class: 'field', 'aria-label': words.whereItRuns },
    ...reaches.map((reach) => element('option', { value: reach }, words.reach[reach])),
  );
  const risk = element('p', { class: 'approval-note' });
  const reason = element('p', { class: 'approval-note' });
  const root = element('div', { class: 'approval-terms', id: freshId() }, reason, select, risk);
  let hasChoice = false;
  const showRisk = (none: CommandTermsView['withoutSandbox']) => {
    setText(risk, none === undefined ? words.risk : words.withoutSandbox[none]);
    risk.hidden = none === undefined && select.value !== 'everything';
  };
  select.addEventListener('change', () => {
    showRisk(undefined);
    onChoice();
  });
  return {
    element: root,
    get reach() {
      return hasChoice ? reaches.find((reach) => reach === select.value) : undefined;
    },
    show(terms) {
      root.hidden = terms === undefined;
      hasChoice = terms !== undefined && terms.withoutSandbox === undefined;
      select.hidden = !hasChoice;
      select.value = terms?.reach ?? 'sandbox';
      const asks = terms?.networkReason;
      setText(reason, asks === undefined ? '' : words.asksForNetwork(visibleText(asks.replace(/\s+/g, ' '))));
      reason.hidden = asks === undefined;
      showRisk(terms?.withoutSandbox);
    },
  };
}
