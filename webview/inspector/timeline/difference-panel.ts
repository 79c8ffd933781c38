import { css, html, nothing, type PropertyValues, type TemplateResult } from 'lit';
import type {
  BreakGroupView,
  DifferenceSide,
  MarkedText,
  RequestDifferenceView,
} from '../../../src/protocol/inspector-timeline.ts';
import { Component, component } from '../../shared/component.ts';
import { linkButton } from '../../shared/link-button.ts';
import { formatMoney } from '../../shared/numbers.ts';
import { inspectorTexts } from '../text/inspector-strings.ts';
import { fold } from '../window/folds.ts';

const words = inspectorTexts.timeline.difference;

interface DifferenceProps {
  /** Undefined until the first answer arrives. */
  readonly view: RequestDifferenceView | undefined;
  /** The reply to a request by its number, counted from 1; undefined if the request cannot be compared. */
  readonly replyTo: (request: number) => string | undefined;
  readonly onStep: (messageId: string) => void;
  readonly onRecord: (recordId: string) => void;
  readonly onClose: () => void;
}

/** Two consecutive requests side by side, with the first difference, its cause and its cost. */
class DifferencePanel extends Component<DifferenceProps> {
  static override styles = css`
    cb-request-difference > section {
      margin: 6px 0 10px;
      padding: 6px 10px;
      border: 1px solid var(--line);
      overflow-wrap: anywhere;
      h4 {
        flex: 1 1 240px;
        margin: 0;
      }
      .difference-sides {
        display: grid;
        grid-template-columns: repeat(auto-fit, minmax(min(100%, 260px), 1fr));
        gap: 4px 12px;
      }
      pre {
        max-height: 40vh;
        margin: 4px 0 0;
        padding: 6px 8px;
        overflow: auto;
        border: 1px solid var(--line);
        white-space: pre-wrap;
      }
      /* Marked not only by colour, which high contrast removes */
      mark {
        background: color-mix(in srgb, var(--fg) 16%, transparent);
        color: inherit;
        text-decoration: underline dotted;
      }
      .break-cause {
        flex: 1 1 240px;
      }
    }
  `;

  protected override render(): TemplateResult {
    const { view, onClose } = this.props;
    return html`<section
      class="difference"
      aria-labelledby="difference-title"
      @keydown=${({ key }: KeyboardEvent) => {
        if (key === 'Escape') onClose();
      }}
    >
      <div class="timeline-row">
        <h4 id="difference-title" tabindex="-1">
          ${
            view === undefined
              ? words.loading
              : words.title({ request: view.request, before: view.request - 1 })
          }
        </h4>
        ${view === undefined ? nothing : [this.stepTo(view.request - 1, words.earlier), this.stepTo(view.request + 1, words.later)]}
        ${linkButton(words.close, onClose)}
      </div>
      ${view === undefined ? nothing : this.contents(view)}
    </section>`;
  }

  /** The pressed button may be gone with a new pair, so the heading, which names it, gets the focus. */
  protected override updated(changed: PropertyValues<this>): void {
    const { view } = this.props;
    if (view !== undefined && changed.get('props')?.view !== view) this.querySelector('h4')?.focus();
  }

  private stepTo(request: number, label: string): TemplateResult | typeof nothing {
    const messageId = this.props.replyTo(request);
    if (messageId === undefined) return nothing;
    return linkButton(label, () => this.props.onStep(messageId));
  }

  private contents(view: RequestDifferenceView): TemplateResult {
    const { recordId, before, after, request, breaks } = view;
    return html`<p>
        ${view.cause.join(inspectorTexts.betweenSentences)}
        ${recordId === undefined ? nothing : linkButton(words.record, () => this.props.onRecord(recordId))}
      </p>
      <p class="dim">${sentencesOf(view).join(inspectorTexts.betweenSentences)}</p>
      ${
        before === undefined && after === undefined
          ? nothing
          : html`<div class="difference-sides">${sideOf(before, request - 1)}${sideOf(after, request)}</div>`
      }
      ${breaks.length === 0 ? nothing : fold({ title: words.breaks, content: this.listOf(breaks) })}`;
  }

  private listOf(breaks: readonly BreakGroupView[]): TemplateResult {
    return html`<ol class="held-list" aria-label=${words.breaks}>
      ${breaks.map(
        ({ cause, count, tokens, dollars, messageId }) =>
          html`<li>
            <button type="button" class="held" @click=${() => this.props.onStep(messageId)}>
              <span class="break-cause">${cause}</span>
              <span class="dim">${words.broken({ count, tokens })}</span>
              <span class="held-tokens">${dollars === undefined ? '' : formatMoney(dollars)}</span>
            </button>
          </li>`,
      )}
    </ol>`;
  }
}

export const differencePanel = component('cb-request-difference', DifferencePanel);

function sentencesOf(view: RequestDifferenceView): readonly string[] {
  const { kept: tokens, again, fresh, money, reportedCached: reported } = view;
  const written = formatMoney(money?.written ?? 0);
  return [
    reported === undefined ? words.expected({ tokens }) : words.expectedAndReported({ tokens, reported }),
    words.written({ again, fresh }),
    ...(money === undefined
      ? []
      : [
          money.read === undefined
            ? words.cost({ written })
            : words.costAndRead({ written, read: formatMoney(money.read) }),
        ]),
  ];
}

function sideOf(side: DifferenceSide | undefined, request: number): TemplateResult {
  const number = html`<b>${words.side({ request })}</b>`;
  if (side === undefined)
    return html`<div>
      <p>${number}</p>
      <p class="dim">${words.ended}</p>
    </div>`;
  const { title, label, text } = side;
  return html`<div>
    <p>${number} <span class="dim">${title} ${label}</span></p>
    <pre tabindex="0" aria-label=${words.text({ request })}>${textOf(text)}</pre>
  </div>`;
}

function textOf({ isCutBefore, isCutAfter, alike, changed, rest }: MarkedText): TemplateResult {
  return html`${isCutBefore ? '…' : ''}${alike}${changed === '' ? nothing : html`<mark>${changed}</mark>`}${rest}${isCutAfter ? '…' : ''}`;
}
