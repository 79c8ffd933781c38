import type { PlanStepView } from '../../../src/protocol/chat-rows.ts';
import { createDisclosure, type Disclosure } from '../../shared/controls.ts';
import { element, type ItemView, KeyedList, setAttribute, setText } from '../../shared/dom.ts';
import { icon, type IconName } from '../../shared/icons.ts';
import type { OpenRows } from '../../shared/host.ts';
import { strings } from '../text/chat-strings.ts';

const words = strings.plan;

const openKey = 'plan';

const stateIcons = {
  pending: 'pending',
  in_progress: 'arrow',
  done: 'keep',
} as const satisfies Record<PlanStepView['status'], IconName>;

type PlacedStep = PlanStepView & { readonly index: number };

/** The agent's plan: its progress in one line, and its steps on demand. */
export class PlanView {
  readonly element: HTMLElement;
  private readonly open: OpenRows;
  private readonly disclosure: Disclosure;
  private readonly progress = element('b');
  private readonly now = element('span', { class: 'plan-now' });
  private readonly steps: KeyedList<PlacedStep>;
  private shown: readonly PlanStepView[] | undefined;

  constructor(open: OpenRows) {
    this.open = open;
    const list = element('ol', { class: 'plan-steps', 'aria-label': words.steps, tabindex: 0 });
    this.steps = new KeyedList<PlacedStep>(list, {
      keyOf: ({ index }) => String(index),
      create: stepView,
      isSame: (shown, { text, status }) => shown.text === text && shown.status === status,
    });
    this.disclosure = createDisclosure({
      isOpen: false,
      class: 'plan-line',
      onToggle: (isOpen) => open.set(openKey, isOpen),
    });
    this.disclosure.button.append(icon('chevron'), this.progress, this.now);
    this.disclosure.panel.append(list);
    this.element = element('div', { class: 'plan' }, this.disclosure.button, this.disclosure.panel);
  }

  /** Opens or closes the plan, as remembered for the session. */
  enter(): void {
    this.disclosure.setOpen(this.open.has(openKey));
  }

  render(plan: readonly PlanStepView[]): void {
    if (plan === this.shown) return;
    this.shown = plan;
    this.element.hidden = plan.length === 0;
    const done = plan.filter(({ status }) => status === 'done').length;
    const next =
      plan.find(({ status }) => status === 'in_progress') ?? plan.find(({ status }) => status === 'pending');
    setText(this.progress, words.progress({ done, total: plan.length }));
    setText(this.now, next === undefined ? '' : words.now({ step: next.text }));
    this.steps.render(plan.map((step, index) => ({ ...step, index })));
  }
}

function stepView(step: PlacedStep): ItemView<PlacedStep> {
  const mark = element('span', { class: 'plan-mark' });
  const text = element('span', { class: 'plan-text' });
  const word = element('span', { class: 'plan-word' });
  const root = element('li', {}, mark, text, word);
  const update = ({ text: shown, status }: PlacedStep) => {
    mark.replaceChildren(icon(stateIcons[status]));
    setText(text, shown);
    setText(word, words.states[status]);
    root.className = `is-${status}`;
    setAttribute(root, 'aria-current', status === 'in_progress' ? 'step' : undefined);
  };
  update(step);
  return { element: root, update };
}
