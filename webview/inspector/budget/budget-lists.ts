import type { Kind } from '../../../src/protocol/engine-terms.ts';
import type { HealthView } from '../../../src/protocol/inspector-budget.ts';
import { kindNames } from '../../shared/compaction-words.ts';
import { element, freshId, type ItemView, KeyedList, plainButton, setText } from '../../shared/dom.ts';
import { icon, type IconName } from '../../shared/icons.ts';
import { formatCount } from '../../shared/numbers.ts';
import type { MessageMenu } from '../by-hand/message-menu.ts';
import type { MenuSubject } from '../by-hand/picked-messages.ts';
import { pathParts } from '../../shared/path-cut.ts';
import { inspectorTexts } from '../text/inspector-strings.ts';

const words = inspectorTexts.budget.health;

const icons: Readonly<Record<HealthView['state'], IconName>> = {
  good: 'keep',
  warning: 'warning',
  bad: 'error',
  unknown: 'pending',
};

export interface HealthActions {
  openSetting(id: string): void;
  showMessage(messageId: string): void;
  showRecord(recordId: string): void;
  /** Compares a request with the previous one. `messageId` is the reply to the request. */
  showDifference(messageId: string): void;
}

/** The checks of the guide, with the findings for this session. */
export class HealthList {
  readonly element: HTMLElement;
  private readonly count = element('span', { class: 'dim' });
  private readonly rows: KeyedList<HealthView>;
  private readonly actions: HealthActions;
  private canShow = true;

  constructor(actions: HealthActions) {
    const id = freshId();
    const list = element('ul', { class: 'health-list', 'aria-labelledby': id });
    this.actions = actions;
    this.rows = new KeyedList<HealthView>(list, {
      keyOf: (item) => item.id,
      create: (item) => this.view(item),
      isSame: (shown, item) => JSON.stringify(shown) === JSON.stringify(item),
    });
    this.element = element('section', {}, element('h3', { id }, words.title, ' ', this.count), list);
  }

  /** @param canShow true if a chat can show the messages */
  render(items: readonly HealthView[], canShow: boolean): void {
    if (canShow !== this.canShow) this.rows.render([]);
    this.canShow = canShow;
    const wanting = items.filter(({ state }) => state === 'warning' || state === 'bad').length;
    setText(this.count, wanting === 0 ? words.nothing : words.count({ count: wanting }));
    this.rows.render(items);
  }

  private view(first: HealthView): ItemView<HealthView> {
    const row = element('li', {});
    const update = (item: HealthView) => {
      const { id, state, finding, advice } = item;
      row.className = `health health-${state}`;
      row.replaceChildren(
        element('span', { class: 'health-icon' }, icon(icons[state])),
        element(
          'div',
          {},
          element(
            'p',
            {},
            element('b', {}, nameOf(id)),
            ' ',
            element('span', { class: 'health-state' }, words.states[state]),
          ),
          element('p', {}, finding),
          advice === undefined ? undefined : element('p', { class: 'dim' }, advice),
          this.links(item),
        ),
      );
    };
    update(first);
    return { element: row, update };
  }

  private links({ id, setting, messageIds, recordIds }: HealthView): HTMLElement | undefined {
    const name = nameOf(id);
    const [messageId] = messageIds;
    const [recordId] = recordIds;
    const links = [
      setting === undefined
        ? undefined
        : link(words.openSetting, words.openSettingLabel({ name }), () => this.actions.openSetting(setting)),
      messageId === undefined || !this.canShow
        ? undefined
        : link(words.showMessage, words.showMessageLabel({ name }), () =>
            this.actions.showMessage(messageId),
          ),
      messageId === undefined || id !== 'prefix'
        ? undefined
        : link(words.showDifference, words.showDifference, () => this.actions.showDifference(messageId)),
      recordId === undefined
        ? undefined
        : link(words.showRecord, words.showRecordLabel({ name }), () => this.actions.showRecord(recordId)),
    ].filter((made) => made !== undefined);
    return links.length === 0 ? undefined : element('p', { class: 'health-links' }, ...links);
  }
}

function link(text: string, label: string, onClick: () => void): HTMLButtonElement {
  return plainButton({ class: 'link', 'aria-label': label }, onClick, text);
}

/** An item of a list, which takes tokens. */
export interface LargestEntry {
  readonly key: string;
  readonly kind?: Kind;
  readonly name: string;
  readonly note: string;
  readonly tokens: number;
  readonly messageId?: string | undefined;
  /** Subject of the item's menu with manual actions. */
  readonly subject: MenuSubject;
}

/** A list of the items that take the most tokens, largest first. Each links to its message in the chat. */
export class LargestList {
  readonly element: HTMLElement;
  private readonly rows: KeyedList<LargestEntry>;
  private readonly none = element('p', { class: 'dim' }, inspectorTexts.budget.none);
  private readonly onShow: (messageId: string) => void;
  private readonly menu: MessageMenu;
  private canShow = true;

  constructor(title: string, onShow: (messageId: string) => void, menu: MessageMenu) {
    const id = freshId();
    const list = element('ol', { class: 'held-list', 'aria-labelledby': id });
    this.onShow = onShow;
    this.menu = menu;
    this.rows = new KeyedList<LargestEntry>(list, {
      keyOf: ({ key }) => key,
      create: (held) => this.view(held),
      isSame: (shown, held) => JSON.stringify(shown) === JSON.stringify(held),
    });
    this.element = element('section', {}, element('h3', { id }, title), list, this.none);
  }

  /** @param canShow true if a chat can show the messages */
  render(held: readonly LargestEntry[], canShow: boolean): void {
    if (canShow !== this.canShow) this.rows.render([]);
    this.canShow = canShow;
    this.none.hidden = held.length > 0;
    this.rows.render(held);
  }

  private view(first: LargestEntry): ItemView<LargestEntry> {
    const row = element('li', {});
    const update = (held: LargestEntry) => {
      const { messageId, subject } = held;
      const cells = cellsOf(held);
      const line =
        messageId === undefined || !this.canShow
          ? element('div', { class: 'held' }, ...cells)
          : plainButton(
              { class: 'held', title: inspectorTexts.budget.inChat },
              () => this.onShow(messageId),
              ...cells,
            );
      this.menu.attach(line, subject);
      row.replaceChildren(line, this.menu.moreButton(subject, `${held.name} ${held.note}`.trim()) ?? '');
    };
    update(first);
    return { element: row, update };
  }
}

function cellsOf({ kind, name, note, tokens }: LargestEntry): readonly HTMLElement[] {
  return [
    ...(kind === undefined
      ? []
      : [
          element('i', { class: `swatch kind kind-${kind}` }),
          element('span', { class: 'held-kind dim' }, kindNames[kind]),
        ]),
    element('span', { class: 'held-name path-cut' }, ...pathParts(name)),
    element('span', { class: 'held-note dim' }, note),
    element(
      'span',
      { class: 'held-tokens' },
      formatCount(tokens),
      element('span', { class: 'spoken' }, ` ${inspectorTexts.budget.tokens({ text: '' }).trim()}`),
    ),
  ];
}

/** Name of a check, or its id if this version does not know the check. */
function nameOf(id: string): string {
  return (words.names as Readonly<Record<string, string>>)[id] ?? id;
}
