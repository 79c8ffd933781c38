import { html, nothing, type TemplateResult } from 'lit';
import type { ShownReach, CommandTermsView } from '../../../../src/protocol/chat-rows.ts';
import { listed } from '../../../shared/compaction-words.ts';
import { strings } from '../../text/chat-strings.ts';
import { strangeWords, textPieces, revealed } from '../../text/deceptive-characters.ts';

const words = strings.approval;

/** Number of lines above which a text may not fit into the visible part of the chat. */
const longText = 16;
/** Number of characters in a line of a narrow side bar. */
const lineLength = 60;

/** The whole text that would run, without inner scrolling. It ends right above the answers. */
export function approvalDetails(text: string): TemplateResult {
  const found = strangeWords(text);
  const lines = text.split('\n');
  const rows = lines.reduce((sum, line) => sum + Math.max(1, Math.ceil(line.length / lineLength)), 0);
  const pieces = textPieces(text).map((piece) =>
    piece.isNamed ? html`<span class="named-character">${piece.text}</span>` : piece.text,
  );
  return html`<pre
      class="output approval-details"
      tabindex="0"
      role="group"
      aria-label=${words.details}
      dir="ltr"
    >
${pieces}</pre>
    ${
      found.length === 0
        ? nothing
        : html`<p class="approval-note">${words.strange({ names: listed(found.map(revealed)) })}</p>`
    }
    ${
      rows < longText
        ? nothing
        : html`<p class="approval-note">
            ${words.length({ lines: lines.length, characters: text.length })}
            <button type="button" class="link" @click=${showBeginning}>${words.toBeginning}</button>
          </p>`
    }`;
}

function showBeginning({ currentTarget }: Event): void {
  const text = (currentTarget as Element)
    .closest('.approval')
    ?.querySelector<HTMLElement>('.approval-details');
  text?.scrollIntoView({ block: 'start' });
  text?.focus({ preventScroll: true });
}

const reaches = ['sandbox', 'network', 'everything'] as const satisfies readonly ShownReach[];

/**
 * The place where a command would run, and a field to change it.
 *
 * @param chosen the user's choice, if there is one
 */
export function approvalTerms(
  id: string,
  terms: CommandTermsView,
  chosen: ShownReach | undefined,
  onChoice: (reach: ShownReach) => void,
): TemplateResult {
  const { withoutSandbox: none, networkReason } = terms;
  const reach = chosen ?? terms.reach;
  const risk = none === undefined ? words.risk[reach] : words.withoutSandbox[none];
  const choose = ({ currentTarget }: Event) => {
    const { value } = currentTarget as HTMLSelectElement;
    onChoice(reaches.find((each) => each === value) ?? 'everything');
  };
  return html`<div class="approval-terms" id=${id}>
    ${
      networkReason === undefined
        ? nothing
        : html`<p class="approval-note">${requestForNetwork(networkReason)}</p>`
    }
    ${
      none === undefined
        ? html`<select class="field" aria-label=${words.whereItRuns} @change=${choose}>
            ${reaches.map(
              (each) => html`<option value=${each} .selected=${each === reach}>${words.reach[each]}</option>`,
            )}
          </select>`
        : nothing
    }
    ${risk === '' ? nothing : html`<p class="approval-note">${risk}</p>`}
  </div>`;
}

function requestForNetwork(reason: string): string {
  return reason === ''
    ? words.asksForNetwork
    : words.asksForNetworkBecause({ reason: revealed(reason.replace(/\s+/g, ' ')) });
}
