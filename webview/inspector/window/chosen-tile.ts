import { css, html, nothing, type TemplateResult } from 'lit';
import { keyed } from 'lit/directives/keyed.js';
import type { Selection } from '../../../src/protocol/shared-requests.ts';
import type { InspectorRequest } from '../../../src/protocol/inspector.ts';
import { addStyles } from '../../shared/component.ts';
import { formatCount, formatPercent, formatShort } from '../../shared/numbers.ts';
import { pathCut } from '../../shared/path-cut.ts';
import { menuButton } from '../by-hand/message-menu.ts';
import type { MenuSubject } from '../by-hand/picked-messages.ts';
import { isEditable } from '../page/inspector-view-state.ts';
import type { TabProps } from '../state/page-state.ts';
import { totalOf } from '../page/window-usage.ts';
import { inspectorTexts } from '../text/inspector-strings.ts';
import { kindName, tileName } from './treemap.ts';
import type { Tile } from './tiles.ts';

const words = inspectorTexts.inWindow;

/** Kinds whose messages cannot be hidden. */
const fixedKinds: ReadonlySet<Tile['kind']> = new Set(['system', 'tools', 'notInFile']);

/**
 * The chosen tile: its name, tokens and share, and the actions on it.
 *
 * @param openSwitches shows the switches of tools
 */
export function chosenTile(tile: Tile, props: TabProps, openSwitches: () => void): TemplateResult {
  const { usage } = props.session;
  const whole = usage.window ?? totalOf(usage);
  const share = formatPercent(tile.tokens / whole);
  const ofWhole = usage.window === undefined ? words.ofTotal : words.ofWindow;
  return html`<section class="chosen-tile">
    <h3>${pathCut(tileName(tile), 'chosen-name')}</h3>
    <p class="dim">${words.tokens({ tokens: formatCount(tile.tokens) })} · ${ofWhole({ share })}</p>
    <p>${whatItIs(tile, props).join(' · ')}</p>
    <p class="tile-actions">${actions(tile, props, openSwitches)}</p>
  </section>`;
}

function whatItIs({ kind, count, part }: Tile, { session }: TabProps): readonly string[] {
  if (kind === 'notInFile') {
    const { fullness } = session.usage;
    if (fullness === undefined) return [words.countedMore];
    const version = fullness.unseen?.measuredWith;
    const missing = (session.report?.missing ?? []).map((name) => words.notInFileParts[name]);
    return [
      ...(missing.length === 0 ? [] : [missing.join(words.and)]),
      ...(version === undefined ? [] : [words.measured({ version })]),
    ];
  }
  const counted = { toolResult: words.results, toolCall: words.calls, tools: words.definitions };
  const say =
    kind === 'toolResult' || kind === 'toolCall' || kind === 'tools' ? counted[kind] : words.messages;
  const stale = part?.stale?.messageIds.length ?? 0;
  return [
    kindName(kind),
    ...(stale > 0 ? [words.stale({ stale, count })] : count < 2 ? [] : [say({ count })]),
  ];
}

function actions(
  tile: Tile,
  { session, page: { post, menu } }: TabProps,
  openSwitches: () => void,
): readonly unknown[] {
  const { kind, part } = tile;
  if (kind === 'tools') return [button(words.switches, openSwitches)];
  const [newest] = part?.messageIds ?? [];
  if (part === undefined || newest === undefined) return [];
  const canChange = isEditable(session);
  const { stale, messageIds, isPinned = false } = part;
  const hide = (ids: readonly string[]): void => {
    const selection: Selection = { messageIds: [...ids] };
    post({ type: 'hide', selection });
  };
  const frees = (tokens: number) => formatShort(tokens);
  const isPart = stale !== undefined && stale.messageIds.length < messageIds.length;
  const subject = subjectOf(tile, newest);
  const openIt: InspectorRequest = canChange
    ? { type: 'show-in-chat', messageId: newest }
    : { type: 'open-message', messageId: newest };
  return [
    ...(canChange && !fixedKinds.has(kind)
      ? [
          isPart
            ? button(
                words.hideSome({ count: stale.messageIds.length, tokens: frees(stale.frees) }),
                () => hide(stale.messageIds),
                true,
              )
            : nothing,
          isPart
            ? button(words.hideAll({ count: messageIds.length }), () => hide(messageIds))
            : button(
                messageIds.length === 1
                  ? words.hide({ tokens: frees(part.frees) })
                  : words.hideSome({ count: messageIds.length, tokens: frees(part.frees) }),
                () => hide(messageIds),
              ),
          messageIds.length === 1
            ? button(isPinned ? words.unpin : words.pin, () =>
                post({ type: 'pin', messageId: newest, isPinned: !isPinned }),
              )
            : nothing,
        ]
      : []),
    button(words.open, () => post(openIt)),
    keyed(tile.key, menuButton(menu, subject, tileName(tile))),
  ];
}

/** The subject of the menu: a message, or the tool of several calls. */
function subjectOf({ kind, name, count }: Tile, messageId: string): MenuSubject {
  if (count === 1) return { messageId, isInContext: true };
  return kind === 'toolCall' ? { tool: name } : {};
}

function button(label: string, run: () => void, isFirst = false): TemplateResult {
  return html`<button type="button" class="tile-action ${isFirst ? 'is-first' : ''}" @click=${run}>
    ${label}
  </button>`;
}

addStyles(css`
  .chosen-tile {
    min-height: 104px;
    h3 {
      font-size: 1.08em;
    }
    .chosen-name {
      display: block;
      overflow: hidden;
      text-overflow: ellipsis;
      white-space: nowrap;
    }
  }
  .tile-actions {
    display: flex;
    flex-wrap: wrap;
    gap: 4px 6px;
    padding-top: 6px;
  }
  .tile-action {
    padding: 2px 9px;
    border: 1px solid var(--vscode-button-border, transparent);
    border-radius: var(--radius);
    background: var(--vscode-button-secondaryBackground, var(--card));
    color: var(--vscode-button-secondaryForeground, var(--fg));
    &:hover {
      background: var(--vscode-button-secondaryHoverBackground, var(--hover));
    }
    &.is-first {
      background: var(--vscode-button-background);
      color: var(--vscode-button-foreground);
      &:hover {
        background: var(--vscode-button-hoverBackground);
      }
    }
    body.vscode-light &.is-first {
      background: oklch(from var(--vscode-button-background) min(l, 0.55) c h);
    }
    body.vscode-high-contrast & {
      border-color: var(--vscode-contrastBorder, var(--line));
    }
  }
`);
