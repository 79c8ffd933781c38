import { css, html, nothing, type TemplateResult } from 'lit';
import type { HealthView } from '../../../src/protocol/inspector-budget.ts';
import { addStyles } from '../../shared/component.ts';
import { type IconName, iconTemplate } from '../../shared/icons.ts';
import { linkButton } from '../../shared/link-button.ts';
import { isEditable } from '../page/inspector-view-state.ts';
import type { TabProps } from '../state/page-state.ts';
import { inspectorTexts } from '../text/inspector-strings.ts';
import { fold } from './folds.ts';

const words = inspectorTexts.inWindow.health;

const icons: Readonly<Record<HealthView['state'], IconName>> = {
  good: 'keep',
  warning: 'warning',
  bad: 'error',
  unknown: 'pending',
};

/** The checks of the session: open if something is to be done, otherwise folded. */
export function checks(items: readonly HealthView[], props: TabProps): TemplateResult {
  const isOpen = ({ state }: HealthView) => state === 'warning' || state === 'bad';
  const rest = items.filter((item) => !isOpen(item));
  const passed = rest.filter(({ state }) => state === 'good').length;
  const list = (shown: readonly HealthView[]) =>
    html`<ul class="checks" aria-label=${words.title}>
      ${shown.map((item) => check(item, props))}
    </ul>`;
  return html`${items.some(isOpen) ? list(items.filter(isOpen)) : nothing}
  ${rest.length === 0 ? nothing : fold({ title: words.passed({ count: passed }), content: list(rest) })}`;
}

function check(item: HealthView, props: TabProps): TemplateResult {
  const { state, finding, advice } = item;
  return html`<li class="check check-${state}">
    ${iconTemplate(icons[state])}
    <p>
      <span class="spoken check-state">${words.states[state]}</span>
      ${finding} ${advice === undefined ? nothing : html`<span class="dim">${advice}</span>`}
      ${links(item, props)}
    </p>
  </li>`;
}

function links(
  { id, setting, messageIds, recordIds }: HealthView,
  { session, page }: TabProps,
): readonly unknown[] {
  const name = (words.names as Readonly<Record<string, string>>)[id] ?? id;
  const [messageId] = messageIds;
  const [recordId] = recordIds;
  const { post, showRecord, showDifference } = page;
  return [
    setting === undefined
      ? nothing
      : link(words.openSetting, words.openSettingLabel({ name }), () =>
          post({ type: 'open-setting', id: setting }),
        ),
    messageId === undefined || !isEditable(session)
      ? nothing
      : link(words.showMessage, words.showMessageLabel({ name }), () =>
          post({ type: 'show-in-chat', messageId }),
        ),
    messageId === undefined || id !== 'prefix'
      ? nothing
      : link(words.showDifference, words.showDifference, () => showDifference(messageId)),
    recordId === undefined
      ? nothing
      : link(words.showRecord, words.showRecordLabel({ name }), () => showRecord(recordId)),
  ];
}

function link(text: string, label: string, run: () => void): TemplateResult {
  return html`${linkButton(text, run, { name: label })} `;
}

addStyles(css`
  .checks {
    margin-top: 8px;
  }
  .check {
    display: flex;
    gap: 7px;
    max-width: 90ch;
    padding: 2px 0;
    overflow-wrap: anywhere;
    > .icon {
      margin-top: 0.2em;
    }
    .link {
      margin-inline-end: 8px;
      white-space: nowrap;
    }
  }
  .check-unknown > .icon {
    color: var(--dim);
  }
  .check-good > .icon {
    color: color-mix(in srgb, var(--green) 75%, var(--fg));
  }
  .check-warning > .icon {
    color: var(--warning-words);
  }
  .check-bad > .icon {
    color: var(--danger-words);
  }
`);
