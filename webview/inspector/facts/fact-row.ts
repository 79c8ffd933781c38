import { css, html, nothing, type TemplateResult } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import {
  factKindOf,
  type FactSectionName,
  type FactView,
  heldNoLonger,
} from '../../../src/protocol/inspector-ledger.ts';
import { Component, component } from '../../shared/component.ts';
import { iconTemplate } from '../../shared/icons.ts';
import { styled } from '../../shared/styled.ts';
import type { SentenceSubject } from '../by-hand/selected-sentence.ts';
import type { PageActions } from '../state/page-state.ts';
import { inspectorTexts } from '../text/inspector-strings.ts';
import { factKey, type FactsAnswers } from '../state/facts-answers.ts';
import { saidMessage } from './said-message.ts';

const words = inspectorTexts.ledger;

/** Sections whose facts are names or commands. All others hold sentences, which the user can mark. */
const codeSections: ReadonlySet<FactSectionName> = new Set([
  'filesModified',
  'filesRead',
  'commands',
  'notRun',
  'errors',
  'identifiers',
]);

/** The kind of a sentence that is only reworded, by section. In all other sections, it is a note. */
const markOfSection: Readonly<Partial<Record<FactSectionName, SentenceSubject['kind']>>> = {
  constraints: 'rule',
  preferences: 'rule',
  decisions: 'decision',
  choices: 'decision',
};

interface FactProps {
  readonly fact: FactView;
  /** Keys of unfolded facts and ids of unfolded messages. */
  readonly open: ReadonlySet<string>;
  readonly texts: FactsAnswers['texts'];
  readonly canChange: boolean;
  readonly canMark: boolean;
  readonly page: PageActions;
  readonly onToggle: (key: string) => void;
}

/** A fact, which unfolds to the messages it came from. */
class FactRow extends Component<FactProps> {
  private mark: HTMLElement | undefined;

  static override styles = css`
    cb-fact {
      display: block;
      .fact-head {
        display: flex;
        align-items: baseline;
      }
      .fact-row {
        display: flex;
        flex: 1;
        align-items: baseline;
        gap: 0 6px;
        min-width: 0;
        padding: 2px 4px;
        @media (max-width: 480px) {
          flex-wrap: wrap;
          .fact-text {
            flex-basis: calc(100% - 90px);
          }
        }
        border-radius: 3px;
        font-variant-numeric: tabular-nums;
        &:hover {
          background: var(--hover);
        }
      }
      .fact-text {
        flex: 1;
        min-width: 0;
        overflow-wrap: anywhere;
        &.is-struck {
          text-decoration: line-through;
        }
        .path {
          display: block;
          overflow: hidden;
          white-space: nowrap;
          > span {
            display: inline-block;
            max-width: calc(100% - var(--name));
            overflow: hidden;
            text-overflow: ellipsis;
            vertical-align: bottom;
          }
          > b {
            white-space: normal;
            overflow-wrap: anywhere;
          }
        }
      }
      .fact-mark {
        padding: 0 6px;
        border: 1px solid var(--line);
        border-radius: 8px;
      }
      .ticks {
        display: flex;
        flex: 0 0 52px;
        gap: 2px;
        justify-content: end;
        > .kind {
          width: 4px;
          height: 12px;
          &.is-away {
            opacity: 0.35;
          }
        }
      }
      .said-list {
        padding-inline-start: 14px;
      }
      body.vscode-high-contrast & {
        .fact-row:hover {
          outline: 1px dashed var(--vscode-contrastActiveBorder, var(--focus));
          outline-offset: -1px;
        }
        .kind {
          border: 1px solid var(--kind);
          &.is-away {
            background: none;
            opacity: 1;
          }
        }
      }
    }
  `;

  override connectedCallback(): void {
    super.connectedCallback();
    // The list measures the row at once.
    this.performUpdate();
  }

  protected override render(): TemplateResult {
    const { fact, open, canMark, onToggle } = this.props;
    const key = factKey(fact);
    const isOpen = open.has(key);
    const isMarkable = canMark && subjectOf(fact) !== undefined;
    if (this.mark !== undefined) this.mark.hidden = !isMarkable;
    return html`<div class="fact-head">
        <button
          type="button"
          class="fact-row"
          data-stop
          data-key=${key}
          aria-expanded=${isOpen}
          aria-keyshortcuts=${isMarkable ? 'R D X E Delete U' : nothing}
          @click=${() => onToggle(key)}
        >
          ${iconTemplate('chevron')} ${contentOf(fact)}
        </button>
        ${this.mark}
      </div>
      ${isOpen ? this.sources() : nothing}`;
  }

  protected override firstUpdated(): void {
    const { marks } = this.props.page;
    const row = this.querySelector<HTMLElement>('.fact-row')!;
    const subject = () => subjectOf(this.props.fact);
    marks.attach(row, subject);
    this.mark = marks.button(subject, row);
    this.requestUpdate();
  }

  private sources(): TemplateResult {
    const { fact, open, texts, canChange, page, onToggle } = this.props;
    const earlier = fact.sourceCount - fact.sources.length;
    return html`<ul class="said-list">
        ${repeat(
          fact.sources,
          ({ messageId }) => messageId,
          (message) =>
            html`<li>
              ${saidMessage({
                ...{ message, canChange, page, onToggle },
                isOpen: open.has(message.messageId),
                said: texts?.get(message.messageId),
              })}
            </li>`,
        )}
      </ul>
      ${earlier > 0 ? html`<p class="dim said-list">${words.facts.notNamed({ text: earlier })}</p>` : nothing}`;
  }
}

export const factRow = component('cb-fact', FactRow);

/** The sentence of a fact; undefined if the fact is not a sentence. */
function subjectOf({ section, text, mark, sources }: FactView): SentenceSubject | undefined {
  if (codeSections.has(section)) return undefined;
  return {
    sentence: mark?.sentence ?? text,
    words: text,
    mark: mark?.as,
    messageId: sources[0]?.messageId,
    kind: markOfSection[section] ?? 'note',
  };
}

function contentOf(fact: FactView): TemplateResult {
  const { section, text, status, end, replacedBy, mark, presence } = fact;
  const isFile = factKindOf(section) === 'files';
  const isCounted = !heldNoLonger.has(factKindOf(section));
  // The heading says it to those who see it.
  const isGone = presence === 'archive';
  const style = section === 'struck' ? 'is-struck' : codeSections.has(section) ? 'is-code' : '';
  const note = (isThere: boolean, style: string, shown: () => string) =>
    isThere ? html`<span class=${style}>${shown()}</span>` : nothing;
  return html`<span class="fact-text ${style}">${isFile ? pathOf(text) : text}</span>
    ${note(section === 'filesModified', 'dim', () => words.facts.changed)}
    ${note(mark !== undefined && mark.as !== 'struck', 'fact-mark', () => words.marks.names[mark!.as])}
    ${note(replacedBy !== undefined, 'fact-text', () => words.facts.replacedBy({ text: replacedBy! }))}
    ${note(status !== undefined && status !== 0, 'dim', () => words.facts.status({ status: String(status) }))}
    ${note(end !== undefined, 'dim', () => words.ends[end!])}
    ${note(isCounted && presence !== 'verbatim', isGone ? 'spoken' : 'dim', () => words.presences[presence])}
    ${ticks(fact)}`;
}

/** A path on one line. If it is too long, its folders are cut. */
function pathOf(path: string): TemplateResult {
  const slash = Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\'), -1);
  const name = path.slice(slash + 1);
  return html`<span class="path" title=${path} ${styled({ '--name': `${name.length}ch` })}
    ><span class="dim">${path.slice(0, slash + 1)}</span><b>${name}</b></span
  >`;
}

/** A stroke for each message with the fact, in the colour of its kind; pale if it left the context. */
function ticks({ sources, sourceCount }: FactView): TemplateResult {
  const label = words.facts.sources({ count: sourceCount });
  return html`<span class="ticks" title=${label}
    >${sources
      .toReversed()
      .map(({ kind, isInView }) => html`<i class="kind kind-${kind} ${isInView ? '' : 'is-away'}"></i>`)}<span
      class="spoken"
      >${label}</span
    ></span
  >`;
}
