import { css, html, nothing, type TemplateResult } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import type { ApprovalView, FileChangeView, ShownReach } from '../../../../src/protocol/chat-rows.ts';
import type { ChatRequest } from '../../../../src/protocol/chat.ts';
import { Component, component, freshId } from '../../../shared/component.ts';
import { intentOf } from '../../../shared/keyboard.ts';
import { iconTemplate } from '../../../shared/icons.ts';
import { largeButton, linkButton } from '../../../shared/link-button.ts';
import { strings } from '../../text/chat-strings.ts';
import { revealed } from '../../text/deceptive-characters.ts';
import { approvalDetails, approvalTerms } from './approval-details.ts';
import { changeCounts, changeWord, fileDiff, shownChanges } from './file-changes.ts';

const words = strings.approval;

type Choice = Extract<ChatRequest, { type: 'decide' }>['choice'];

interface ApprovalProps {
  /** Id of the call's row. */
  readonly rowId: string;
  readonly approval: ApprovalView;
  readonly post: (request: ChatRequest) => void;
}

/** The request for approval of a call, below the call. Never takes the focus. */
class ApprovalCard extends Component<ApprovalProps> {
  static override styles = css`
    .approval {
      margin: 4px 0 8px;
      padding: 8px 10px;
      border: 1px solid var(--line);
      border-radius: 8px;
    }

    .approval:focus {
      border-color: var(--focus);
      outline: none;
    }

    .approval.is-answered {
      opacity: 0.6;
    }

    .approval-title {
      font-weight: 600;
    }

    .approval-warning {
      display: flex;
      gap: 6px;
      margin-top: 3px;
    }

    .approval-warning .icon {
      margin-top: 0.22em;
      color: var(--warning);
    }

    /* No inner scrolling, so that the end is always visible. Characters are shown in the order of execution. */
    .approval > .output {
      max-height: none;
      margin: 6px 0 0;
      overflow: visible;
      overflow-wrap: anywhere;
      direction: ltr;
      unicode-bidi: bidi-override;
    }

    .named-character {
      padding: 0 2px;
      border: 1px solid var(--warning);
      border-radius: 3px;
      color: var(--fg);
      font-size: 0.9em;
    }

    body.vscode-high-contrast .named-character {
      border-color: var(--fg);
    }

    .approval-note {
      margin-top: 5px;
      color: var(--dim);
      font-size: var(--small);
      overflow-wrap: anywhere;
    }

    .approval-terms > .feedback {
      margin-top: 8px;
    }
    .approval-files {
      max-height: min(340px, 50vh);
      margin-top: 6px;
      overflow: auto;
      border-radius: var(--radius);
      background: var(--vscode-textCodeBlock-background, var(--card));
    }

    body.vscode-high-contrast .approval-files {
      border: 1px solid var(--line);
    }

    .approval-file-head {
      position: sticky;
      top: 0;
      display: flex;
      align-items: baseline;
      flex-wrap: wrap;
      gap: 0 8px;
      padding: 4px 8px;
      background: linear-gradient(var(--code), var(--code)), var(--surface);
    }

    .approval-files {
      --code: var(--vscode-textCodeBlock-background, var(--card));
    }

    .approval-file-head > .link {
      margin: 0 0 0 auto;
    }

    .cut-off {
      padding: 2px 8px 5px;
      color: var(--dim);
      font-size: var(--small);
    }
  `;
  private readonly termsId = freshId();
  private shown: ApprovalView | undefined;
  /** Only the first answer counts, even before the host has received it. */
  private isAnswered = false;
  /** True while the user is asked for a better way after a rejection. */
  private isAsking = false;
  /** The place that the user chose; undefined for the requested place. */
  private reach: ShownReach | undefined;
  private focused: string | undefined;

  protected override willUpdate(): void {
    const { approval } = this.props;
    if (approval === this.shown) return;
    this.shown = approval;
    this.isAnswered = false;
  }

  protected override updated(): void {
    if (this.focused !== undefined) this.querySelector<HTMLElement>(this.focused)?.focus();
    this.focused = undefined;
  }

  protected override render(): TemplateResult {
    const { kind, title, warning, details, changes, rule, terms } = this.props.approval;
    const shownTitle = revealed(title);
    const reach = this.chosenReach();
    const where = reach === undefined ? '' : words.ruleReach[reach];
    // The line above the composer announces the request, without its buttons.
    return html`<div
      class="approval ${this.isAnswered ? 'is-answered' : ''}"
      role="group"
      tabindex="-1"
      aria-live="off"
      aria-label=${words.label({ title: shownTitle })}
      aria-describedby=${terms === undefined ? nothing : this.termsId}
    >
      <!-- The whole command is shown below the title. -->
      <p class="approval-title">${kind === 'command' ? words.runCommand : shownTitle}</p>
      ${
        warning === undefined
          ? nothing
          : html`<p class="approval-warning">${iconTemplate('warning')}<span>${revealed(warning)}</span></p>`
      }
      ${details === '' ? nothing : approvalDetails(details)}
      ${changes.length === 0 ? nothing : this.files(changes)}
      ${
        terms === undefined
          ? nothing
          : approvalTerms(this.termsId, terms, this.reach, (chosen) => {
              this.reach = chosen;
              this.requestUpdate();
            })
      }
      ${this.isAsking ? this.feedback() : this.choices(rule !== undefined)}
      ${
        rule === undefined
          ? nothing
          : html`<p class="approval-rule">${words.allows({ rule: revealed(rule) + where })}</p>`
      }
    </div>`;
  }

  private files(changes: readonly FileChangeView[]): TemplateResult {
    const { rowId, post } = this.props;
    return html`<ul class="approval-files" tabindex="0" aria-label=${words.changes}>
      ${repeat(
        changes,
        ({ path }) => path,
        (file) => approvalFile(file, () => post({ type: 'review', id: rowId, path: file.path })),
      )}
    </ul>`;
  }

  private choices(hasRule: boolean): TemplateResult {
    return html`<div class="buttons">
      ${largeButton(words.once, () => this.decide('once'), { class: 'once', isPrimary: true })}
      ${hasRule ? largeButton(words.session, () => this.decide('session')) : nothing}
      ${hasRule ? largeButton(words.always, () => this.decide('always')) : nothing}
      ${largeButton(words.reject, () => this.ask(true), { class: 'reject' })}
    </div>`;
  }

  /** Asks for a better way before a rejection. */
  private feedback(): TemplateResult {
    return html`<div class="feedback">
      <textarea
        class="field"
        rows="1"
        placeholder=${words.feedback}
        aria-label=${words.feedback}
        @keydown=${this.keyPressed}
      ></textarea>
      <div class="buttons">
        ${largeButton(words.reject, this.reject, { isPrimary: true })}
        ${largeButton(words.back, () => this.ask(false))}
      </div>
    </div>`;
  }

  private readonly keyPressed = (event: KeyboardEvent): void => {
    const intent = intentOf(event);
    if (intent === undefined) return;
    event.preventDefault();
    if (intent === 'submit') this.reject();
    else this.ask(false);
  };

  private readonly reject = (): void => {
    const feedback = this.querySelector<HTMLTextAreaElement>('.feedback > textarea')?.value.trim() ?? '';
    this.decide('reject', feedback === '' ? {} : { feedback });
  };

  private ask(isAsking: boolean): void {
    this.isAsking = isAsking;
    this.focused = isAsking ? '.feedback > textarea' : '.reject';
    this.requestUpdate();
  }

  private decide(choice: Choice, details: { readonly feedback?: string } = {}): void {
    if (this.isAnswered) return;
    this.isAnswered = true;
    const { rowId, post } = this.props;
    const reach = choice === 'reject' ? undefined : this.chosenReach();
    post({ type: 'decide', id: rowId, choice, ...details, ...(reach === undefined ? {} : { reach }) });
    this.requestUpdate();
  }

  /** The place where the command would run; undefined if it cannot be changed. */
  private chosenReach(): ShownReach | undefined {
    const { terms } = this.props.approval;
    return terms === undefined || terms.withoutSandbox !== undefined
      ? undefined
      : (this.reach ?? terms.reach);
  }
}

export const approvalCard = component('cb-approval', ApprovalCard);

/** A planned change to a file, line by line, with a link to the whole diff. */
function approvalFile(file: FileChangeView, onReview: () => void): TemplateResult {
  const path = revealed(file.path);
  const label = strings.reviewLabel({ path });
  return html`<li class="approval-file">
    <div class="approval-file-head">
      <span class="change-path code-line">${path}</span> ${changeWord(file)} ${changeCounts(file)}
      ${linkButton(strings.review, onReview, { title: label, name: label })}
    </div>
    ${file.diff === '' ? nothing : fileDiff(file.diff)}
    ${
      shownChanges(file.diff) >= file.added + file.removed
        ? nothing
        : html`<p class="cut-off">${strings.cutOff}</p>`
    }
  </li>`;
}
