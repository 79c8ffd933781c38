import { css, html, nothing, type TemplateResult } from 'lit';
import type { InspectorRequest, InspectorState, SessionChoice } from '../../../src/protocol/inspector.ts';
import { titleOfStrategy } from '../../shared/compaction-words.ts';
import { addStyles } from '../../shared/component.ts';
import { iconButton, iconTemplate } from '../../shared/icons.ts';
import { formatPercent, formatShort } from '../../shared/numbers.ts';
import { type MenuItem, PopupMenu } from '../../shared/popup-menu.ts';
import { kindSegments, stackedBar } from '../../shared/stacked-bar.ts';
import { linkButton } from '../../shared/link-button.ts';
import { inspectorTexts } from '../text/inspector-strings.ts';
import { isEditable } from './inspector-view-state.ts';
import { totalOf, usageName } from './window-usage.ts';

type Post = (request: InspectorRequest) => void;

const words = inspectorTexts.header;
const sessionsMenu = new PopupMenu(inspectorTexts.picker.title);
const actionsMenu = new PopupMenu(words.more);

/** The page's header: one line with the session, its fill, the next compaction, and a menu. */
export function header(session: InspectorState, post: Post): TemplateResult {
  const { title, agent, model, otherSessions, usage } = session;
  const isChat = session.sessionId === session.chatId;
  const facts = [agent, model].filter((fact) => fact !== undefined && fact !== '').join(' · ');
  const compactsAt = usage.fullness?.compactsAt ?? usage.trigger;
  return html`<header class="header">
    ${
      otherSessions.length === 0
        ? html`<h1>${title}</h1>`
        : html`<h1>
            <button
              type="button"
              class="session-button"
              aria-haspopup="menu"
              title=${inspectorTexts.picker.title}
              @click=${(event: MouseEvent) =>
                sessionsMenu.openBelow([sessionItems(session, post)], event.currentTarget as HTMLElement)}
            >
              ${title} ${iconTemplate('below')}
            </button>
          </h1>`
    }
    <span class="dim header-facts">${facts}</span>
    ${isChat ? strategyLink(session.strategy, facts !== '', post) : nothing}
    <span class="header-fill" role="img" aria-label=${usageName(usage)}>
      <span aria-hidden="true">${fillText(session)}</span>
      ${usage.window === undefined ? nothing : fillBar(session)}
      ${
        compactsAt === undefined
          ? nothing
          : html`<span class="dim" aria-hidden="true"
              >${(usage.asks === true ? words.asksAt : words.compactsAt)({
                tokens: formatShort(compactsAt),
              })}</span
            >`
      }
    </span>
    ${
      isChat
        ? iconButton(
            'more',
            words.more,
            ({ currentTarget }) =>
              actionsMenu.openBelow([actionItems(session, post)], currentTarget as HTMLElement),
            { opensMenu: true },
          )
        : nothing
    }
  </header>`;
}

function strategyLink(id: string, isAfterFacts: boolean, post: Post): TemplateResult {
  const strategy = titleOfStrategy(id);
  return html`<span class="dim"
    >${isAfterFacts ? '· ' : ''}${linkButton(strategy, () => post({ type: 'select-strategy' }), {
      name: inspectorTexts.strategyLabel({ strategy }),
    })}</span
  >`;
}

/** The fill of the window; the number of tokens if the window is unknown. */
function fillText({ usage }: InspectorState): string {
  const total = totalOf(usage);
  return usage.window === undefined
    ? words.tokens({ tokens: formatShort(total) })
    : words.fill({ share: formatPercent(total / usage.window), window: formatShort(usage.window) });
}

function fillBar({ usage }: InspectorState): TemplateResult {
  const total = totalOf(usage);
  const at = usage.fullness?.compactsAt ?? usage.trigger;
  return html`<span class="fill-bar"
    >${stackedBar({
      segments: kindSegments(usage.byKind, total),
      marks: at === undefined ? [] : [{ name: 'trigger', at }],
      scale: Math.max(usage.window ?? 0, total),
    })}</span
  >`;
}

/** The chat, its sub-agents, and opened sessions. */
function sessionItems({ sessionId, chatId, otherSessions }: InspectorState, post: Post): MenuItem[] {
  const item = (id: string, label: string, detail: string): MenuItem => ({
    label,
    detail,
    isChosen: id === sessionId,
    run: () => post({ type: 'show-session', sessionId: id }),
  });
  return [
    item(chatId, inspectorTexts.picker.chat, ''),
    ...otherSessions.map((other) => item(other.sessionId, nameOf(other), factsOf(other))),
  ];
}

/** The name of a session; for a branch or sub-agent in an opened file, with its kind. */
function nameOf({ name, kind }: SessionChoice): string {
  return kind === undefined ? name : inspectorTexts.picker.names[kind]({ name });
}

function factsOf({ state, tokens }: SessionChoice): string {
  return [
    ...(state === undefined ? [] : [inspectorTexts.picker.states[state]]),
    ...(tokens === undefined ? [] : [formatShort(tokens)]),
  ].join(' · ');
}

function actionItems(session: InspectorState, post: Post): MenuItem[] {
  const item = (label: string, request: InspectorRequest): MenuItem => ({ label, run: () => post(request) });
  return [
    ...(isEditable(session) && !session.isCompacting
      ? [
          item(inspectorTexts.compactNow, { type: 'compact' }),
          item(inspectorTexts.compactWithPreview, { type: 'preview' }),
        ]
      : []),
    item(words.selectStrategy, { type: 'select-strategy' }),
  ];
}

addStyles(css`
  .header {
    display: flex;
    align-items: baseline;
    flex-wrap: wrap;
    gap: 2px 10px;
    font-variant-numeric: tabular-nums;
    h1 {
      max-width: 100%;
      overflow: hidden;
      font-size: 1.08em;
      font-weight: 600;
      text-overflow: ellipsis;
      white-space: nowrap;
    }
  }
  .session-button {
    max-width: 100%;
    overflow: hidden;
    font-weight: 600;
    text-overflow: ellipsis;
    &:hover {
      text-decoration: underline;
    }
  }
  .header-facts {
    flex: 0 1 auto;
  }
  .header-fill {
    display: inline-flex;
    align-items: center;
    flex-wrap: wrap;
    gap: 2px 8px;
    margin-inline-start: auto;
  }
  .fill-bar {
    width: 80px;
    height: 7px;
  }
`);
