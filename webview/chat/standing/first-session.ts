import { css, html, type TemplateResult } from 'lit';
import type { ChatRequest } from '../../../src/protocol/chat.ts';
import { addStyles } from '../../shared/component.ts';
import { largeButton } from '../../shared/link-button.ts';
import { strings } from '../text/chat-strings.ts';

const words = strings.welcome;

addStyles(css`
  .first-session {
    margin-bottom: 20px;
    padding: 10px 12px 12px;
    border: 1px solid var(--line);
    border-radius: 8px;
  }
  .first-session p {
    margin-bottom: 10px;
    color: var(--fg);
  }
  .welcome .first-session vscode-button {
    margin-bottom: 0;
  }
`);

interface FirstSession {
  /** A sentence about the sessions of other agents on this computer, if it has any. */
  readonly found: string | undefined;
  readonly post: (request: ChatRequest) => void;
}

/** The session to look at first: one of this computer, or else the sample. */
export function firstSession({ found, post }: FirstSession): TemplateResult {
  const isFound = found !== undefined;
  const open = () => post({ type: isFound ? 'open-found-session' : 'open-sample-session' });
  return html`<div class="first-session">
    <p>${found ?? words.sample}</p>
    ${largeButton(isFound ? words.openFound : words.openSample, open, { isPrimary: true })}
  </div>`;
}
