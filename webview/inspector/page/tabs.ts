import type { InspectorState } from '../../../src/protocol/inspector.ts';
import { element, freshId, setAttribute, setText } from '../../shared/dom.ts';

/** A tab of the inspector, created when it is first shown. */
export interface InspectorTab {
  readonly element: HTMLElement;
  /** Called when the tab becomes visible, and with every new state while it is visible. */
  render(state: InspectorState): void;
  /** Moves to the next change or to the previous one, in tabs with a diff. */
  step?(by: 1 | -1): void;
}

/** A panel that shares its place with other panels. */
interface TabChoice<Name extends string> {
  readonly name: Name;
  readonly title: string;
  /** Creates the tab when it is first shown. */
  create(): InspectorTab;
}

/** The availability of a tab, and the number after its title. */
interface TabStatus {
  readonly isThere: boolean;
  readonly count?: number | undefined;
}

interface Shown<Name extends string> {
  readonly choice: TabChoice<Name>;
  readonly button: HTMLButtonElement;
  readonly count: HTMLElement;
  readonly panel: HTMLElement;
  tab?: InspectorTab;
}

/** A row of tabs. Hidden panels keep their state. */
export class Tabs<Name extends string> {
  readonly element: HTMLElement;
  private readonly list: HTMLElement;
  private readonly tabs: ReadonlyMap<Name, Shown<Name>>;
  private readonly onChoose: (name: Name) => void;
  private chosen: Name | undefined;

  /** @param onChoose called when the user chooses another tab */
  constructor(label: string, choices: readonly TabChoice<Name>[], onChoose: (name: Name) => void) {
    this.onChoose = onChoose;
    this.tabs = new Map(choices.map((choice) => [choice.name, this.create(choice)]));
    const shown = [...this.tabs.values()];
    this.list = element(
      'div',
      { class: 'tabs', role: 'tablist', 'aria-label': label },
      ...shown.map(({ button }) => button),
    );
    this.list.addEventListener('keydown', (event) => this.handleKey(event));
    this.element = element('div', {}, this.list, ...shown.map(({ panel }) => panel));
  }

  /** Tabs that were shown at least once. */
  get created(): readonly InspectorTab[] {
    return [...this.tabs.values()].flatMap(({ tab }) => tab ?? []);
  }

  get shown(): InspectorTab | undefined {
    return this.chosen === undefined ? undefined : this.tabs.get(this.chosen)?.tab;
  }

  setStatus(name: Name, { isThere, count }: TabStatus): void {
    const shown = this.tabs.get(name);
    if (shown === undefined) return;
    shown.button.hidden = !isThere;
    setText(shown.count, count === undefined ? '' : String(count));
  }

  show(name: Name): InspectorTab | undefined {
    this.chosen = name;
    for (const [other, { button, panel }] of this.tabs) {
      const isChosen = other === name;
      setAttribute(button, 'aria-selected', String(isChosen));
      setAttribute(button, 'tabindex', isChosen ? 0 : -1);
      panel.hidden = !isChosen;
    }
    const shown = this.tabs.get(name);
    if (shown === undefined) return undefined;
    if (shown.tab === undefined) {
      shown.tab = shown.choice.create();
      shown.panel.append(shown.tab.element);
    }
    return shown.tab;
  }

  private create(choice: TabChoice<Name>): Shown<Name> {
    const [buttonId, panelId] = [freshId(), freshId()];
    const count = element('span', { class: 'dim' });
    const button = element(
      'button',
      {
        type: 'button',
        role: 'tab',
        id: buttonId,
        class: 'tab',
        'aria-controls': panelId,
        'aria-selected': 'false',
        tabindex: -1,
      },
      choice.title,
      ' ',
      count,
    );
    button.addEventListener('click', () => this.choose(choice.name));
    const panel = element('div', {
      role: 'tabpanel',
      id: panelId,
      class: `panel panel-${choice.name}`,
      'aria-labelledby': buttonId,
      hidden: true,
    });
    return { choice, button, count, panel };
  }

  private choose(name: Name): void {
    if (name !== this.chosen) this.onChoose(name);
  }

  private handleKey(event: KeyboardEvent): void {
    const present = [...this.tabs].filter(([, { button }]) => !button.hidden);
    const position = present.findIndex(([name]) => name === this.chosen);
    const last = present.length - 1;
    const places: Readonly<Record<string, number>> = {
      ArrowLeft: position === 0 ? last : position - 1,
      ArrowRight: position === last ? 0 : position + 1,
      Home: 0,
      End: last,
    };
    const next = present[places[event.key] ?? -1];
    if (next === undefined) return;
    event.preventDefault();
    const [name, { button }] = next;
    this.choose(name);
    button.focus();
  }
}
