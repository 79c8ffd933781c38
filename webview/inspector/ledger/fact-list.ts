import {
  type FactFilter,
  type FactSectionName,
  factSectionNames,
  type FactSource,
  type FactView,
  type LedgerNotification,
  type PresenceName,
  presenceNames,
} from '../../../src/protocol/inspector-ledger.ts';
import {
  controlButton,
  type ControlDropdown,
  controlDropdown,
  createDisclosure,
} from '../../shared/controls.ts';
import { element, freshId, type ItemView, KeyedList, setAttribute, setText } from '../../shared/dom.ts';
import { icon } from '../../shared/icons.ts';
import { CoalescedRequest } from '../../shared/host.ts';
import type { SentenceSubject } from '../by-hand/selected-sentence.ts';
import { saidMessage, type SaidContext } from './said-message.ts';
import { SearchField } from './ledger-search.ts';
import { inspectorTexts } from '../text/inspector-strings.ts';

const words = inspectorTexts.ledger.facts;

/** Number of facts that are shown at first, and that each "Show more" adds. */
const shownAtFirst = 100;
const proseSections: ReadonlySet<FactSectionName> = new Set([
  'marked',
  'requests',
  'constraints',
  'decisions',
  'preferences',
  'questions',
  'choices',
  'nextSteps',
  'replaced',
  'struck',
]);

/** The kind of a sentence that is only reworded, by section. In all other sections, it is a note. */
const kindOfSection: Readonly<Partial<Record<FactSectionName, SentenceSubject['kind']>>> = {
  constraints: 'rule',
  preferences: 'rule',
  decisions: 'decision',
  choices: 'decision',
};

type Answer = Extract<LedgerNotification, { type: 'facts' }>;

/** The facts of a session with a filter. Each unfolds to the messages that contain it. */
export class FactList {
  readonly element: HTMLElement;
  private readonly context: SaidContext;
  private readonly field: SearchField;
  private readonly sections: ControlDropdown;
  private readonly presences: ControlDropdown;
  private readonly status = element('p', { class: 'dim', role: 'status' }, words.loading);
  private readonly list = element('ul', { class: 'fact-list', 'aria-label': words.list });
  private readonly rows: KeyedList<FactView>;
  private readonly more: HTMLElement;
  private readonly asking: CoalescedRequest;
  private filter: FactFilter = { text: '' };
  private incoming: readonly FactView[] = [];
  private wanted = shownAtFirst;

  constructor(context: SaidContext) {
    const id = freshId();
    this.context = context;
    this.asking = new CoalescedRequest(() => this.post(0));
    this.field = new SearchField({
      label: words.label,
      placeholder: words.placeholder,
      onSearch: () => this.change({ text: this.field.text }),
    });
    this.sections = controlDropdown(words.section, (value) =>
      this.change({ section: factSectionNames.find((name) => name === value) }),
    );
    this.presences = controlDropdown(words.presence, (value) =>
      this.change({ presence: presenceNames.find((name) => name === value) }),
    );
    const { list } = this;
    this.rows = new KeyedList<FactView>(list, {
      keyOf: ({ section, text }) => `${section} ${text}`,
      create: (fact) => this.view(fact),
      isSame: (shown, fact) => JSON.stringify(shown) === JSON.stringify(fact),
    });
    this.more = controlButton(
      {
        appearance: 'secondary',
        onClick: () => {
          this.wanted += shownAtFirst;
          this.asking.ask();
        },
      },
      words.more,
    );
    this.more.hidden = true;
    this.element = element(
      'section',
      { 'aria-labelledby': id },
      element('h3', { id }, words.title),
      element(
        'div',
        { class: 'fact-filters' },
        this.field.element,
        this.sections.element,
        this.presences.element,
      ),
      element('p', { class: 'dim mark-hint' }, inspectorTexts.ledger.marks.hint),
      this.status,
      list,
      this.more,
    );
  }

  refresh(): void {
    this.asking.ask();
  }

  /** Starts again for another session. */
  clear(): void {
    this.asking.forget();
    this.wanted = shownAtFirst;
    this.rows.render([]);
    this.more.hidden = true;
    setText(this.status, words.loading);
  }

  receive(answer: Answer): void {
    const isCurrent = JSON.stringify(answer.filter) === JSON.stringify(this.filter);
    this.incoming = answer.from === 0 ? answer.facts : [...this.incoming, ...answer.facts];
    const known = this.incoming.length;
    // After "Show more", several answers are needed.
    if (isCurrent && answer.facts.length > 0 && known < Math.min(this.wanted, answer.total)) {
      this.post(known);
      return;
    }
    if (isCurrent) this.show(answer);
    this.asking.answered();
  }

  private post(from: number): void {
    this.context.post({ type: 'facts', filter: this.filter, from });
  }

  private change(change: { [Key in keyof FactFilter]?: FactFilter[Key] | undefined }): void {
    const { text = '', section, presence } = { ...this.filter, ...change };
    this.filter = {
      text,
      ...(section === undefined ? {} : { section }),
      ...(presence === undefined ? {} : { presence }),
    };
    this.wanted = shownAtFirst;
    this.asking.ask();
  }

  private show({ total, bySection, byPresence }: Answer): void {
    const all = Object.values(bySection).reduce((sum, count) => sum + count, 0);
    this.renderRows();
    this.more.hidden = this.incoming.length >= total;
    const shown = words.shown({ shown: this.incoming.length, total });
    setText(this.status, all === 0 ? words.none : total === 0 ? words.noneMatches : shown);
    const option = (name: FactSectionName | PresenceName, label: string, count = 0) => ({
      value: name,
      label: words.option({ name: label, count }),
    });
    this.sections.show(
      [
        { value: '', label: words.anySection({ count: all }) },
        ...factSectionNames.map((name) =>
          option(name, inspectorTexts.ledger.sections[name], bySection[name]),
        ),
      ],
      this.filter.section ?? '',
    );
    this.presences.show(
      [
        { value: '', label: words.anyPresence },
        ...presenceNames.map((name) => option(name, inspectorTexts.ledger.presences[name], byPresence[name])),
      ],
      this.filter.presence ?? '',
    );
  }

  /** Draws the rows. If the row of a marked fact disappears, the row in its place gets the focus. */
  private renderRows(): void {
    const buttons = () => [...this.list.querySelectorAll<HTMLElement>('.fact-row')];
    const place = buttons().findIndex((button) => button === document.activeElement);
    this.rows.render(this.incoming);
    if (place < 0 || document.activeElement?.classList.contains('fact-row') === true) return;
    const left = buttons();
    left[Math.min(place, left.length - 1)]?.focus({ preventScroll: true });
  }

  private view(first: FactView): ItemView<FactView> {
    const line = element('span', { class: 'fact-line' });
    const list = element('ul', { class: 'said-list' });
    const earlier = element('p', { class: 'dim' });
    const sources = new KeyedList<FactSource>(list, {
      keyOf: ({ messageId }) => messageId,
      create: (source) => saidMessage(source, this.context),
      isSame: (shown, source) => JSON.stringify(shown) === JSON.stringify(source),
    });
    let shown = first;
    const fill = () => {
      sources.render(shown.sources);
      const others = shown.sourceCount - shown.sources.length;
      setText(earlier, others > 0 ? words.notNamed({ text: others }) : '');
    };
    const disclosure = createDisclosure({
      isOpen: false,
      class: 'fact-row',
      onToggle: (isOpen) => {
        if (!isOpen) return;
        disclosure.panel.replaceChildren(list, earlier);
        fill();
      },
    });
    disclosure.button.append(icon('chevron'), line);
    const head = element('div', { class: 'fact-head' }, disclosure.button);
    const { marks } = this.context;
    marks.attach(disclosure.button, () => subjectOf(shown));
    const mark = marks.button(() => subjectOf(shown), disclosure.button);
    head.append(mark);
    const update = (fact: FactView) => {
      shown = fact;
      line.replaceChildren(...cellsOf(fact));
      mark.hidden = subjectOf(fact) === undefined || !marks.canMark;
      setAttribute(disclosure.button, 'aria-keyshortcuts', mark.hidden ? undefined : 'R D X E Delete U');
      if (disclosure.isOpen) fill();
    };
    update(first);
    return { element: element('li', {}, head, disclosure.panel), update };
  }
}

/** The sentence of a fact; undefined if the fact is not a sentence. */
function subjectOf({ section, text, mark, sources }: FactView): SentenceSubject | undefined {
  if (!proseSections.has(section)) return undefined;
  return {
    sentence: mark?.sentence ?? text,
    words: text,
    mark: mark?.as,
    messageId: sources[0]?.messageId,
    kind: kindOfSection[section] ?? 'note',
  };
}

function textClassOf(section: FactSectionName): string {
  if (section === 'struck') return 'is-struck';
  return proseSections.has(section) ? '' : 'is-code';
}

function cellsOf(fact: FactView): readonly HTMLElement[] {
  const { section, text, status, end, replacedBy, mark, presence, sourceCount } = fact;
  return [
    element('span', { class: 'fact-section dim' }, inspectorTexts.ledger.sections[section]),
    element('span', { class: `fact-text ${textClassOf(section)}`.trim() }, text),
    ...(mark === undefined || mark.as === 'struck'
      ? []
      : [element('span', { class: 'fact-mark' }, inspectorTexts.ledger.marks.names[mark.as])]),
    ...(replacedBy === undefined
      ? []
      : [element('span', { class: 'fact-replacement' }, words.replacedBy({ text: replacedBy }))]),
    ...(status === undefined
      ? []
      : [element('span', { class: 'fact-status' }, words.status({ status: String(status) }))]),
    ...(end === undefined
      ? []
      : [element('span', { class: 'fact-status' }, inspectorTexts.ledger.ends[end])]),
    ...(section === 'struck'
      ? []
      : [
          element(
            'span',
            { class: `fact-presence presence-${presence}` },
            inspectorTexts.ledger.presences[presence],
          ),
        ]),
    element('span', { class: 'dim' }, words.sources({ count: sourceCount })),
  ];
}
