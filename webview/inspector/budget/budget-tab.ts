import type { BudgetView, FileTotal, ToolTotal } from '../../../src/protocol/inspector-budget.ts';
import type {
  InspectorNotification,
  InspectorRequest,
  InspectorState,
} from '../../../src/protocol/inspector.ts';
import { element } from '../../shared/dom.ts';
import { formatCount } from '../../shared/numbers.ts';
import { Asking } from '../asking.ts';
import type { InspectorTab } from '../tab.ts';
import { canChange } from '../what-can-change.ts';
import { budgetFacts } from './budget-facts.ts';
import { HealthList } from './health-list.ts';
import { type Held, HeldList } from './held-list.ts';
import { strings } from '../text/inspector-strings.ts';

/** What the tokens are spent on, what that costs, and how healthy it is. */
export class BudgetTab implements InspectorTab {
  readonly element: HTMLElement;
  private readonly asking: Asking;
  private readonly loading = element('p', { class: 'dim loading', role: 'status' }, strings.budget.loading);
  private readonly content: HTMLElement;
  private readonly facts: HTMLElement;
  private readonly health: HealthList;
  private readonly largest: HeldList;
  private readonly tools: HeldList;
  private readonly files: HeldList;
  private state: InspectorState | undefined;
  private shownFacts = '';

  /** @param showRecord leads to a compaction */
  constructor(post: (request: InspectorRequest) => void, showRecord: (recordId: string) => void) {
    const showMessage = (messageId: string) => post({ type: 'show-in-chat', messageId });
    this.asking = new Asking(() => post({ type: 'budget' }));
    this.health = new HealthList({
      openSetting: (id) => post({ type: 'open-setting', id }),
      showMessage,
      showRecord,
    });
    this.largest = new HeldList(strings.budget.largest, showMessage);
    this.tools = new HeldList(strings.budget.tools, showMessage);
    this.files = new HeldList(strings.budget.files, showMessage);
    this.facts = element('section', { class: 'budget-facts', 'aria-label': strings.budget.facts.title });
    this.content = element(
      'div',
      { class: 'budget', hidden: true },
      this.facts,
      element(
        'div',
        { class: 'budget-columns' },
        this.health.element,
        element('div', {}, this.largest.element, this.tools.element, this.files.element),
      ),
    );
    this.element = element('div', {}, this.loading, this.content);
  }

  render(state: InspectorState): void {
    if (this.state?.sessionId !== state.sessionId) {
      this.loading.hidden = false;
      this.content.hidden = true;
      this.asking.forget();
    }
    this.state = state;
    this.asking.ask();
  }

  receive(notification: InspectorNotification): void {
    if (notification.type !== 'budget') return;
    this.asking.answered();
    if (notification.sessionId === this.state?.sessionId) this.show(notification.view, this.state);
  }

  private show(view: BudgetView, state: InspectorState): void {
    const canShow = canChange(state);
    this.loading.hidden = true;
    this.content.hidden = false;
    const { floor, compared, cachedShare, money } = view;
    const facts = JSON.stringify({ floor, compared, cachedShare, money });
    if (facts !== this.shownFacts) this.facts.replaceChildren(...budgetFacts(view));
    this.shownFacts = facts;
    this.health.render(view.health, canShow);
    this.largest.render(
      view.largest.map((message) => ({
        key: message.id,
        kind: message.kind,
        name: message.title,
        note: '',
        tokens: message.tokens,
        messageId: message.id,
      })),
      canShow,
    );
    this.tools.render(view.tools.map(heldByTool), canShow);
    this.files.render(view.files.map(heldByFile), canShow);
  }
}

function heldByTool({ tool, calls, callTokens, resultTokens, messageId }: ToolTotal): Held {
  const parts = strings.budget.toolParts(formatCount(callTokens), formatCount(resultTokens));
  return {
    key: tool,
    name: tool,
    note: `${strings.budget.calls(calls, formatCount(calls))} · ${parts}`,
    tokens: callTokens + resultTokens,
    messageId,
  };
}

function heldByFile({ path, calls, tokens, messageId }: FileTotal): Held {
  return { key: path, name: path, note: strings.budget.calls(calls, formatCount(calls)), tokens, messageId };
}
