import type { SchemaGroup, SchemasView, SchemaView } from '../../../src/protocol/inspector-budget.ts';
import { createDisclosure } from '../../shared/controls.ts';
import { element, freshId, type ItemView, KeyedList, setText } from '../../shared/dom.ts';
import { icon } from '../../shared/icons.ts';
import { inspectorTexts } from '../text/inspector-strings.ts';

const words = inspectorTexts.schemas;

type SwitchTool = (change: { readonly tool?: string; readonly server?: string }, isOn: boolean) => void;

/** A group of tools. It cannot be switched in sub-agents and sessions of other agents. */
interface ShownGroup extends SchemaGroup {
  readonly canSwitch: boolean;
}

interface ShownSchema extends SchemaView {
  readonly canSwitch: boolean;
  readonly isGroupOn: boolean;
}

/** The definitions of tools by server, with their tokens in requests and a switch for each tool. */
export class SchemaList {
  readonly element: HTMLElement;
  private readonly total = element('span', { class: 'dim' });
  private readonly saved = element('p', { class: 'schemas-saved' });
  private readonly price = element('p', { class: 'dim' });
  private readonly groups: KeyedList<ShownGroup>;

  constructor(onSwitch: SwitchTool) {
    const id = freshId();
    const list = element('ul', { class: 'schema-groups', 'aria-labelledby': id });
    this.groups = new KeyedList<ShownGroup>(list, {
      keyOf: ({ server }) => server ?? '',
      create: (group) => groupView(group, onSwitch),
    });
    this.element = element(
      'section',
      { class: 'schemas' },
      element('h3', { id }, words.title, ' ', this.total),
      this.saved,
      list,
      this.price,
    );
  }

  /** @param canSwitch true if the session is the chat itself */
  render({ groups, tokens, saved, rewritten }: SchemasView, canSwitch: boolean): void {
    this.element.hidden = groups.length === 0;
    setText(this.total, words.total({ tokens }));
    this.saved.hidden = saved === undefined;
    setText(this.saved, words.saved({ tokens: saved ?? 0 }));
    const price = [
      ...(rewritten === 0 ? [] : [words.price({ tokens: rewritten })]),
      ...(saved === undefined ? [] : [words.freeOnDemand]),
    ];
    this.price.hidden = !canSwitch || price.length === 0;
    setText(this.price, price.join(inspectorTexts.betweenSentences));
    this.groups.render(groups.map((group) => ({ ...group, canSwitch })));
  }
}

function groupView(first: ShownGroup, onSwitch: SwitchTool): ItemView<ShownGroup> {
  const { server } = first;
  const name = server === undefined ? words.builtIn : words.server({ name: server });
  const tools = element('ul', { class: 'schema-tools', 'aria-label': name });
  const rows = new KeyedList<ShownSchema>(tools, {
    keyOf: (schema) => schema.name,
    create: (schema) => schemaView(schema, onSwitch),
  });
  const counts = element('span', { class: 'dim held-note' });
  const tokens = element('span', { class: 'held-tokens' });
  const disclosure = createDisclosure({ isOpen: false, onToggle: () => {} });
  disclosure.button.append(icon('chevron'), element('span', { class: 'held-name' }, name), counts, tokens);
  disclosure.panel.append(tools);
  const box =
    server === undefined
      ? undefined
      : checkbox((isOn) => onSwitch({ server }, isOn), {
          'aria-label': words.switchServer({ name: server }),
        });
  const row = element(
    'li',
    {},
    element('div', { class: 'schema-group' }, box, disclosure.button),
    disclosure.panel,
  );
  const update = (group: ShownGroup) => {
    if (box !== undefined) {
      box.checked = group.isOn;
      box.disabled = !group.canSwitch;
    }
    const on = group.isOn ? group.tools.filter(({ isOn }) => isOn).length : 0;
    const all = group.tools.length;
    const count = on === all ? words.allOn({ all }) : words.on({ on, all });
    setText(counts, group.isOnDemand ? `${count} · ${words.onDemand}` : count);
    setText(tokens, words.tokens({ tokens: group.tokens }));
    rows.render(group.tools.map((tool) => ({ ...tool, canSwitch: group.canSwitch, isGroupOn: group.isOn })));
  };
  update(first);
  return { element: row, update };
}

function schemaView(first: ShownSchema, onSwitch: SwitchTool): ItemView<ShownSchema> {
  const { name } = first;
  const box = checkbox((isOn) => onSwitch({ tool: name }, isOn));
  const uses = element('span', { class: 'dim held-note' });
  const tokens = element('span', { class: 'held-tokens' });
  const label = element(
    'label',
    { class: 'schema' },
    box,
    element('span', { class: 'held-name' }, name),
    uses,
    tokens,
  );
  const update = ({ isOn, isGroupOn, isFixed, canSwitch, uses: count, tokens: size }: ShownSchema) => {
    box.checked = isOn && isGroupOn;
    box.disabled = !canSwitch || isFixed || !isGroupOn;
    label.title = isFixed ? words.fixed : name;
    setText(uses, count === 0 ? words.notUsed : count === 1 ? words.usedOnce : words.uses({ count }));
    setText(tokens, words.tokens({ tokens: size }));
  };
  update(first);
  return { element: element('li', {}, label), update };
}

function checkbox(
  onChange: (isOn: boolean) => void,
  attributes: Readonly<Record<string, string>> = {},
): HTMLInputElement {
  const box = element('input', { type: 'checkbox', ...attributes });
  box.addEventListener('change', () => onChange(box.checked));
  return box;
}
