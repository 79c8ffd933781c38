import { listed } from '../../shared/compaction-words.ts';
import type { MessageOf } from '../../../src/protocol/messages.ts';
import {
  type budgetNotifications,
  type BudgetView,
  type ComparedCount,
  type FileTotal,
  floorNames,
  type LargeMessage,
  type MoneyView,
  type ToolTotal,
} from '../../../src/protocol/inspector-budget.ts';
import type { InspectorRequest, InspectorState } from '../../../src/protocol/inspector.ts';
import { element } from '../../shared/dom.ts';
import { formatCount, formatExactPercent, formatPercent, formatMoney } from '../../shared/numbers.ts';
import { CoalescedRequest } from '../../shared/host.ts';
import { isEditable } from '../page/inspector-view-state.ts';
import type { MessageMenu } from '../by-hand/message-menu.ts';
import type { MenuSubject } from '../by-hand/picked-messages.ts';
import type { InspectorTab } from '../page/tabs.ts';
import { inspectorTexts } from '../text/inspector-strings.ts';
import { SchemaList } from './schema-list.ts';
import { type HealthActions, HealthList, type LargestEntry, LargestList } from './budget-lists.ts';

/** The tab that shows the use of tokens, their cost, and the health of the session. */
export class BudgetTab implements InspectorTab {
  readonly element: HTMLElement;
  private readonly asking: CoalescedRequest;
  private readonly loading = element(
    'p',
    { class: 'dim loading', role: 'status' },
    inspectorTexts.budget.loading,
  );
  private readonly content: HTMLElement;
  private readonly facts: HTMLElement;
  private readonly health: HealthList;
  private readonly schemas: SchemaList;
  private readonly largest: LargestList;
  private readonly tools: LargestList;
  private readonly files: LargestList;
  private readonly hidden: LargestList;
  private state: InspectorState | undefined;
  private shownFacts = '';

  /** @param leads opens a compaction, or the comparison of a request with the previous one */
  constructor(
    post: (request: InspectorRequest) => void,
    menu: MessageMenu,
    leads: Pick<HealthActions, 'showRecord' | 'showDifference'>,
  ) {
    const showMessage = (messageId: string) => post({ type: 'show-in-chat', messageId });
    this.asking = new CoalescedRequest(() => post({ type: 'budget' }));
    this.health = new HealthList({
      openSetting: (id) => post({ type: 'open-setting', id }),
      showMessage,
      ...leads,
    });
    this.schemas = new SchemaList((change, isOn) => post({ type: 'switch-tool', ...change, isOn }));
    this.largest = new LargestList(inspectorTexts.budget.largest, showMessage, menu);
    this.tools = new LargestList(inspectorTexts.budget.tools, showMessage, menu);
    this.files = new LargestList(inspectorTexts.budget.files, showMessage, menu);
    this.hidden = new LargestList(inspectorTexts.byHand.hiddenTitle, showMessage, menu);
    this.facts = element('section', {
      class: 'budget-facts',
      'aria-label': inspectorTexts.budget.facts.title,
    });
    this.content = element(
      'div',
      { class: 'budget', hidden: true },
      this.facts,
      element(
        'div',
        { class: 'budget-columns' },
        element('div', {}, this.health.element, this.schemas.element),
        element('div', {}, this.largest.element, this.hidden.element, this.tools.element, this.files.element),
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

  receive({ sessionId, view }: MessageOf<typeof budgetNotifications, 'budget'>): void {
    this.asking.answered();
    if (sessionId === this.state?.sessionId) this.show(view, this.state);
  }

  private show(view: BudgetView, state: InspectorState): void {
    const canShow = isEditable(state);
    this.loading.hidden = true;
    this.content.hidden = false;
    const { floor, compared, cachedShare, money } = view;
    const facts = JSON.stringify({ floor, compared, cachedShare, money });
    if (facts !== this.shownFacts) this.facts.replaceChildren(...budgetFacts(view));
    this.shownFacts = facts;
    this.health.render(view.health, canShow);
    this.schemas.render(view.schemas, canShow);
    this.largest.render(
      view.largest.map((message) => heldByMessage(message, { isInContext: true })),
      canShow,
    );
    const { hidden = [] } = view;
    this.hidden.element.hidden = hidden.length === 0;
    this.hidden.render(
      hidden.map((message) => heldByMessage(message, { isHidden: true })),
      canShow,
    );
    this.tools.render(view.tools.map(heldByTool), canShow);
    this.files.render(view.files.map(heldByFile), canShow);
  }
}

function heldByMessage({ id, kind, title, tokens }: LargeMessage, state: MenuSubject): LargestEntry {
  const subject = { ...state, messageId: id };
  return { key: id, kind, name: title, note: '', tokens, messageId: id, subject };
}

function heldByTool({ tool, calls, callTokens, resultTokens, messageId }: ToolTotal): LargestEntry {
  const parts = inspectorTexts.budget.toolParts({
    calls: callTokens,
    results: resultTokens,
  });
  return {
    key: tool,
    name: tool,
    note: `${inspectorTexts.budget.calls({ count: calls })} · ${parts}`,
    tokens: callTokens + resultTokens,
    messageId,
    subject: { tool },
  };
}

function heldByFile({ path, calls, tokens, messageId }: FileTotal): LargestEntry {
  const note = inspectorTexts.budget.calls({ count: calls });
  return { key: path, name: path, note, tokens, messageId, subject: { path } };
}

const words = inspectorTexts.budget.sentences;

/** The numbers of a session, with explanations where needed. */
function budgetFacts({ floor, compared, cachedShare, money }: BudgetView): readonly HTMLElement[] {
  const facts = [
    fact(formatCount(floor.total), inspectorTexts.budget.facts.floor),
    ...(money === undefined ? [] : [fact(formatMoney(money.total), inspectorTexts.budget.facts.money)]),
    ...(cachedShare === undefined
      ? []
      : [fact(formatPercent(cachedShare), inspectorTexts.budget.facts.cached)]),
    ...(compared === undefined ? [] : [fact(differenceOf(compared), inspectorTexts.budget.facts.difference)]),
  ];
  const parts = floorNames
    .filter((name) => floor.byReason[name] > 0)
    .map((name) =>
      words.floorPart({ name: inspectorTexts.budget.floorNames[name], tokens: floor.byReason[name] }),
    );
  return [
    element('div', { class: 'facts' }, ...facts),
    sentence(parts.length === 0 ? undefined : words.floor({ parts: listed(parts) })),
    sentence(compared && comparedSentence(compared)),
    sentence(money && moneySentence(money)),
  ].filter((made) => made !== undefined);
}

function fact(number: string, what: string): HTMLElement {
  return element(
    'div',
    { class: 'fact' },
    element('b', {}, number),
    ' ',
    element('div', { class: 'dim' }, what),
  );
}

function sentence(text: string | undefined): HTMLElement | undefined {
  return text === undefined ? undefined : element('p', { class: 'dim budget-sentence' }, text);
}

function comparedSentence({ counted, reported }: ComparedCount): string {
  return counted === reported
    ? words.same({ reported })
    : words.different({
        counted,
        reported,
        difference: differenceOf({ counted, reported }),
      });
}

function moneySentence({ uncachedInput, cachedInput, output, unknown, mayBeMore }: MoneyView): string {
  return [
    words.money({
      uncached: formatMoney(uncachedInput),
      cached: formatMoney(cachedInput),
      output: formatMoney(output),
    }),
    ...(unknown === 0 ? [] : [words.moneyUnknown({ count: unknown })]),
    ...(mayBeMore ? [words.moneyMayBeMore] : []),
  ].join(inspectorTexts.betweenSentences);
}

/** A percentage such as `+0.4%` or `−1.2%`. */
function differenceOf({ counted, reported }: ComparedCount): string {
  const share = counted === 0 ? 0 : (reported - counted) / counted;
  const sign = share === 0 ? '±' : share < 0 ? '−' : '+';
  return `${sign}${formatExactPercent(Math.abs(share))}`;
}
