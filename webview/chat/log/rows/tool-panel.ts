import { html, nothing, type TemplateResult } from 'lit';
import type { ToolRow } from '../../../../src/protocol/chat-rows.ts';
import { linkButton } from '../../../shared/link-button.ts';
import { strings } from '../../text/chat-strings.ts';

interface OutputProps {
  readonly row: ToolRow;
  /** The whole result, if the user requested it. */
  readonly whole: string | undefined;
  /** True after the user requested the whole result. */
  readonly isAsked: boolean;
  readonly live: LiveOutput;
  readonly onShowAll: () => void;
}

/** The output of a call, below the call's line. First shows output as it arrives, then the whole result. */
export function toolOutput({ row, whole, isAsked, live, onShowAll }: OutputProps): TemplateResult {
  if (isFollowed(row)) return html`${live.element}`;
  const shown = whole ?? row.preview;
  const isOver = row.state !== 'running' && row.state !== 'waiting';
  const text = shown === '' ? (isOver ? strings.noOutput : strings.noOutputYet) : shown;
  return html`<pre class="output" tabindex="0" .textContent=${text}></pre>
    ${
      whole === undefined && row.isClipped
        ? linkButton(isAsked ? strings.loading : strings.showAll, onShowAll)
        : nothing
    }`;
}

/** True while output is arriving. */
export function isFollowed({ state, output = '' }: ToolRow): boolean {
  return state === 'running' && output !== '';
}

/** Maximum distance in pixels that still counts as the end. */
const tolerance = 2;

/** The output of a running action. It stays scrolled to the end until the user scrolls up. */
export class LiveOutput {
  readonly element = document.createElement('pre');
  private readonly text = document.createTextNode('');
  private following = true;
  private frame: number | undefined;

  constructor() {
    const { element } = this;
    element.className = 'output is-live';
    element.tabIndex = 0;
    element.ariaLabel = strings.liveOutput;
    // If every line were announced, nothing else could be heard.
    element.ariaLive = 'off';
    element.append(this.text);
    element.addEventListener(
      'scroll',
      () => {
        this.following = element.scrollHeight - element.clientHeight - element.scrollTop <= tolerance;
      },
      { passive: true },
    );
  }

  get isFollowing(): boolean {
    return this.following;
  }

  show(output: string): void {
    const { text, element } = this;
    // Appending keeps selected text selected.
    if (output.startsWith(text.data)) text.appendData(output.slice(text.data.length));
    else text.data = output;
    this.frame ??= requestAnimationFrame(() => {
      this.frame = undefined;
      if (this.following) element.scrollTop = element.scrollHeight;
    });
  }
}
