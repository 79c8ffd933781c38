import type { RecordView } from '../../src/protocol/inspector-records.ts';
import type {
  CostView,
  InspectorRequest,
  InspectorState,
  ReportView,
  SessionChoice,
} from '../../src/protocol/inspector.ts';
import { type Control, controlButton } from '../shared/controls.ts';
import { element, type ItemView, KeyedList, plainButton, setAttribute, setText } from '../shared/dom.ts';
import { isByHand, strategyName, titleOfStrategy, listed } from '../shared/compaction-words.ts';
import { icon, type IconName } from '../shared/icons.ts';
import { formatCount, formatPercent, formatShort, formatMoney } from '../shared/numbers.ts';
import { inspectorTexts } from './text/inspector-strings.ts';

/** The page's header: the displayed session and its actions. */
export class InspectorHeader {
  readonly element: HTMLElement;
  private readonly title = element('h1');
  private readonly facts = element('span');
  private readonly strategy: HTMLButtonElement;
  private readonly cost = element('span', { class: 'cost' });
  private readonly compact: Control;
  private readonly preview: HTMLButtonElement;

  constructor(post: (request: InspectorRequest) => void) {
    this.strategy = plainButton({ class: 'link' }, () => post({ type: 'select-strategy' }));
    this.compact = controlButton(
      { appearance: 'secondary', onClick: () => post({ type: 'compact' }) },
      inspectorTexts.compactNow,
    );
    this.preview = plainButton(
      { class: 'link' },
      () => post({ type: 'preview' }),
      inspectorTexts.compactWithPreview,
    );
    this.element = element(
      'header',
      {},
      element('div', {}, this.title, element('p', { class: 'dim' }, this.facts, this.strategy, this.cost)),
      this.preview,
      this.compact,
    );
  }

  render(state: InspectorState): void {
    const { title, model, usage, records, isCompacting } = state;
    const strategy = titleOfStrategy(state.strategy);
    const isChat = state.sessionId === state.chatId;
    const size =
      usage.window === undefined
        ? inspectorTexts.unknownWindow
        : inspectorTexts.window({ tokens: usage.window });
    // An empty tab has this button itself.
    this.compact.hidden = records.length === 0 || !isChat;
    this.compact.disabled = isCompacting;
    this.preview.hidden = this.compact.hidden;
    setText(this.compact, isCompacting ? inspectorTexts.compacting : inspectorTexts.compactNow);
    setText(this.title, title);
    // A sub-agent compacts with the strategy of the chat.
    const facts = model === '' ? size : `${model} · ${size}`;
    setText(this.facts, isChat ? `${facts} · ${inspectorTexts.strategy} ` : facts);
    this.strategy.hidden = !isChat;
    setText(this.cost, state.cost === undefined ? '' : ` · ${costText(state.cost)}`);
    setText(this.strategy, strategy);
    setAttribute(this.strategy, 'aria-label', inspectorTexts.strategyLabel({ strategy }));
  }
}

/** The cost so far, and its parts if there are several. */
function costText({ total, requests, summaries, subAgents, isAtLeast }: CostView): string {
  const words = inspectorTexts.cost;
  const sum = isAtLeast
    ? words.atLeast({ total: formatMoney(total) })
    : words.soFar({ total: formatMoney(total) });
  const parts = [
    ...(requests === 0 ? [] : [words.requests({ dollars: formatMoney(requests) })]),
    ...(summaries === 0 ? [] : [words.summaries({ dollars: formatMoney(summaries) })]),
    ...(subAgents === 0 ? [] : [words.subAgents({ dollars: formatMoney(subAgents) })]),
  ];
  return parts.length < 2 ? sum : words.inParts({ sum, parts: listed(parts) });
}

const reportWords = inspectorTexts.report;

/** The provider's reported usage for a session opened from a file, next to our count. */
export class ReportLine {
  readonly element = element('p', { class: 'dim usage-report', hidden: true });

  render(report: ReportView | undefined): void {
    this.element.hidden = report === undefined;
    setText(
      this.element,
      report === undefined ? '' : sentencesOf(report).join(inspectorTexts.betweenSentences),
    );
  }
}

function sentencesOf({
  counted,
  reported,
  missing,
  cachedShare,
  dollars,
  isPartOfCost,
}: ReportView): string[] {
  const difference = reported - counted;
  const size = formatCount(Math.abs(difference));
  const cost = isPartOfCost ? reportWords.partOfCost : reportWords.cost;
  return [
    reportWords.counted({ reported, counted }),
    ...(difference === 0
      ? []
      : [
          difference > 0 && missing.length > 0
            ? reportWords.notInFile({
                tokens: size,
                parts: missing.map((part) => reportWords.missing[part]).join(reportWords.and),
              })
            : reportWords.difference({ tokens: size }),
        ]),
    ...(cachedShare === undefined ? [] : [reportWords.cached({ share: formatPercent(cachedShare) })]),
    ...(dollars === undefined ? [] : [cost({ money: formatMoney(dollars) })]),
  ];
}

const pickerWords = inspectorTexts.picker;

const stateIcons: Readonly<Record<NonNullable<SessionChoice['state']>, IconName>> = {
  running: 'running',
  done: 'keep',
  failed: 'error',
  stopped: 'interrupted',
  live: 'running',
};

interface Choice {
  readonly sessionId: string;
  /** The chosen sub-agent or session; undefined for the chat itself. */
  readonly other: SessionChoice | undefined;
  readonly isShown: boolean;
}

/** A picker for the chat, its sub-agents and opened sessions. Hidden if there is only the chat. */
export class Picker {
  readonly element: HTMLElement;
  private readonly choices: KeyedList<Choice>;

  constructor(post: (request: InspectorRequest) => void) {
    const list = element('ul', { class: 'choices' });
    this.element = element('nav', { class: 'picker', 'aria-label': pickerWords.title }, list);
    this.choices = new KeyedList<Choice>(list, {
      keyOf: ({ sessionId }) => sessionId,
      create: (choice) =>
        choiceView(choice, () => post({ type: 'show-session', sessionId: choice.sessionId })),
      isSame: (shown, choice) => JSON.stringify(shown) === JSON.stringify(choice),
    });
  }

  render({ sessionId, chatId, otherSessions }: InspectorState): void {
    this.element.hidden = otherSessions.length === 0;
    this.choices.render([
      { sessionId: chatId, other: undefined, isShown: chatId === sessionId },
      ...otherSessions.map((other) => ({
        sessionId: other.sessionId,
        other,
        isShown: other.sessionId === sessionId,
      })),
    ]);
  }
}

/** The name of a session; for a branch or sub-agent in an opened file, with its kind. */
function nameOf({ name, kind }: SessionChoice): string {
  return kind === undefined ? name : pickerWords.names[kind]({ name });
}

function choiceView(choice: Choice, onClick: () => void): ItemView<Choice> {
  const sign = element('span', { class: 'choice-sign' });
  const name = element('span', { class: 'choice-name' });
  const facts = element('span', { class: 'choice-facts dim' });
  const button = plainButton({ class: 'choice' }, onClick, sign, name, facts);
  const update = ({ other, isShown }: Choice) => {
    setAttribute(button, 'aria-current', isShown ? 'true' : undefined);
    setText(name, other === undefined ? pickerWords.chat : nameOf(other));
    const { state, tokens } = other ?? {};
    sign.hidden = state === undefined;
    facts.hidden = other === undefined;
    if (other === undefined) return;
    if (state !== undefined) sign.replaceChildren(icon(stateIcons[state]));
    const size = tokens === undefined ? [] : [formatShort(tokens)];
    const word = state === undefined ? [] : [pickerWords.states[state]];
    setText(facts, [...word, ...size].join(' · '));
    setAttribute(button, 'title', tokens === undefined ? undefined : pickerWords.tokens({ text: tokens }));
  };
  update(choice);
  return { element: element('li', {}, button), update };
}

const spoken = inspectorTexts.announced;

/** Announces events of the session to screen readers. Each event is announced once, on any tab. */
export class Announcer {
  readonly element = element('p', { class: 'spoken', role: 'status' });
  private shown: InspectorState | undefined;

  render(state: InspectorState): void {
    const { shown } = this;
    this.shown = state;
    // Earlier outcomes of the newly shown session are not news.
    if (shown?.sessionId !== state.sessionId) setText(this.element, '');
    else if (newestId(shown) !== newestId(state)) setText(this.element, outcomeOf(state.records[0]));
    else if (undoneOf(shown) < undoneOf(state)) setText(this.element, spoken.undone);
    else if (state.isCompacting && !shown.isCompacting) setText(this.element, inspectorTexts.compacting);
  }
}

function newestId({ records }: InspectorState): string | undefined {
  return records[0]?.id;
}

function undoneOf({ records }: InspectorState): number {
  return records.filter(({ isUndone }) => isUndone).length;
}

function outcomeOf(record: RecordView | undefined): string {
  if (record === undefined) return '';
  const { status, actualStrategy, requestedStrategy, tokensBefore, tokensAfter } = record;
  if (status !== 'applied')
    return inspectorTexts.sentence({
      what: inspectorTexts.outcomes[status]({ strategy: strategyName(requestedStrategy) }),
    });
  const say = isByHand(actualStrategy) ? spoken.byHand : spoken.applied;
  return say({
    strategy: strategyName(actualStrategy),
    before: tokensBefore,
    after: tokensAfter,
  });
}
