import { css, html, nothing, type TemplateResult } from 'lit';
import type { ReadOnlyView, ShownActivity } from '../../../src/protocol/chat.ts';
import { addStyles } from '../../shared/component.ts';
import { iconTemplate } from '../../shared/icons.ts';
import { largeButton, linkButton } from '../../shared/link-button.ts';
import type { ChatActions, ChatPageState } from '../state/chat-page-state.ts';
import { strings } from '../text/chat-strings.ts';
import { firstSession } from './first-session.ts';

const words = strings.welcome;

/**
 * The welcome in an empty conversation. It begins with the sessions of other agents on this computer; without any, with
 * the sample.
 *
 * @param sessions the answer to `look-for-sessions`
 */
export function welcome(
  isOffline: boolean,
  sessions: ChatPageState['sessions'],
  { post, send }: ChatActions,
): TemplateResult {
  const examples = Object.values<string>(isOffline ? words.offlineExamples : words.examples);
  return html`<section class="welcome">
    ${sessions === undefined ? nothing : firstSession({ found: sessions.found, post })}
    <h2>${isOffline ? words.offlineTitle : words.title}</h2>
    <p>${isOffline ? words.offline : words.intro}</p>
    ${isOffline ? largeButton(words.setApiKey, () => post({ type: 'set-api-key' })) : nothing}
    <ul aria-label=${words.examplesLabel}>
      ${examples.map(
        (text) =>
          html`<li><button type="button" class="example" @click=${() => send(text)}>${text}</button></li>`,
      )}
    </ul>
    ${
      sessions?.found === undefined
        ? nothing
        : html`<p class="ways">
            ${linkButton(words.openSample, () => post({ type: 'open-sample-session' }))}
            ${linkButton(words.openOther, () => post({ type: 'open-transcript' }))}
          </p>`
    }
  </section>`;
}

/** Says at the beginning of a chat what the offline model is. */
export function offlineNote({ post }: ChatActions): TemplateResult {
  return html`<p class="offline-note" role="note">
    ${strings.offlineNote} ${linkButton(words.setApiKey, () => post({ type: 'set-api-key' }))}
  </p>`;
}

/** Says that the agent cannot read files yet. */
export function restrictedNote(): TemplateResult {
  return html`<div class="notice" role="note">
    ${iconTemplate('warning')}<span>${strings.restricted}</span>
  </div>`;
}

const readOnlyWords = strings.readOnly;

/** Replaces the composer in a read-only chat. Shows the reason and the possible actions. */
export function readOnlyBanner(readOnly: ReadOnlyView | undefined, { post }: ChatActions): TemplateResult {
  // A live region must be on the page before it gets text.
  return html`<div class="read-only ${readOnly === undefined ? '' : 'is-shown'}">
    <span role="status">${reasonOf(readOnly)}</span>
    ${
      readOnly?.reason === 'other-window'
        ? html`<span class="choices"
            >${linkButton(readOnlyWords.takeOver, () => post({ type: 'take-over' }))}
            ${linkButton(readOnlyWords.fork, () => post({ type: 'fork' }))}</span
          >`
        : nothing
    }
  </div>`;
}

function reasonOf(readOnly: ReadOnlyView | undefined): string {
  if (readOnly === undefined) return '';
  const { reason, window: name } = readOnly;
  if (reason === 'newer-version') return readOnlyWords.newerVersion;
  return name === '' ? readOnlyWords.otherWindow : readOnlyWords.namedWindow({ name });
}

/** The activity of the agent, which screen readers announce. */
export function activityLine(activity: ShownActivity): TemplateResult {
  const isIdle = activity === 'idle' || activity === 'approval';
  return html`<div class="activity" role="status">
    ${isIdle ? nothing : html`<vscode-progress-ring aria-hidden="true"></vscode-progress-ring>`}
    <span>${strings.activities[activity]}</span>
  </div>`;
}

/** A button that scrolls to the end of the log. */
export function jumpButton(onClick: () => void): TemplateResult {
  return html`<button type="button" class="jump" @click=${onClick}>
    ${iconTemplate('down')}${strings.jumpToLatest}
  </button>`;
}

addStyles(css`
  .offline-note {
    margin: 6px 0 2px;
    color: var(--dim);
    font-size: 0.92em;
  }
  .welcome {
    padding: 20px 0 8px;
    h2 {
      margin-bottom: 6px;
      font-size: 1em;
      font-weight: 600;
    }
    p {
      margin-bottom: 12px;
      color: var(--dim);
    }
    vscode-button {
      margin-bottom: 16px;
    }
    .ways {
      display: flex;
      flex-wrap: wrap;
      gap: 4px 16px;
    }
  }
  .example {
    width: 100%;
    margin-bottom: 6px;
    padding: 6px 10px;
    border: 1px solid var(--line);
    border-radius: 8px;
    overflow-wrap: anywhere;
    &:hover {
      background: var(--hover);
    }
    body.vscode-high-contrast &:hover {
      outline: 1px dashed var(--vscode-contrastActiveBorder, var(--focus));
    }
  }
  .read-only.is-shown {
    display: flex;
    align-items: baseline;
    flex-wrap: wrap;
    gap: 2px 12px;
    padding: 8px 10px;
    border: 1px solid var(--line);
    border-radius: 8px;
    color: var(--vscode-foreground);
    .choices {
      display: flex;
      gap: 12px;
    }
    .link {
      white-space: nowrap;
    }
  }
`);
