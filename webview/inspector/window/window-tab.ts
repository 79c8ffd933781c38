import { css, html, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { Component, component } from '../../shared/component.ts';
import { CoalescedRequest } from '../../shared/host.ts';
import { isEditable } from '../page/inspector-view-state.ts';
import type { BudgetAnswer, TabProps } from '../state/page-state.ts';
import { beyondOf } from '../page/window-usage.ts';
import { inspectorTexts } from '../text/inspector-strings.ts';
import { checks } from './health-checks.ts';
import { chosenTile } from './chosen-tile.ts';
import { fold, heldLists } from './folds.ts';
import { largestList } from './largest-list.ts';
import { limitsLine } from './limits-line.ts';
import { numbersTable } from './numbers-table.ts';
import { type Tile, tilesOf } from './tiles.ts';
import { toolDefinitions } from './tool-definitions.ts';
import { treemap } from './treemap.ts';
import { triggerBar } from './trigger-bar.ts';

const words = inspectorTexts.inWindow;

interface WindowTabProps extends TabProps {
  readonly budget: BudgetAnswer | undefined;
  /** Number of times that the extension refused to move the trigger. */
  readonly refusals: number;
}

/** The tab that shows the content of the window, the actions on it, and the checks of the session. */
class WindowTab extends Component<WindowTabProps> {
  static override styles = css`
    cb-window-tab {
      .glance {
        display: grid;
        grid-template-columns: minmax(0, 1fr) minmax(220px, 300px);
        gap: 12px 20px;
        @media (max-width: 600px) {
          grid-template-columns: minmax(0, 1fr);
        }
      }
      .beside {
        min-width: 0;
      }
      .folds,
      .limits {
        margin-top: 14px;
      }
    }
  `;
  private readonly asking = new CoalescedRequest(() => this.props.page.post({ type: 'budget' }));
  private tiles: readonly Tile[] = [];
  private isWhole = false;

  protected override willUpdate(changes: PropertyValues<{ props: WindowTabProps }>): void {
    const before = changes.get('props');
    const { session, budget } = this.props;
    if (before?.budget !== budget) this.asking.answered();
    if (before?.session.sessionId !== session.sessionId) this.asking.forget();
    if (before?.session !== session) this.asking.ask();
    if (budget !== undefined && (before?.budget !== budget || before.session !== session)) {
      const next = tilesOf(budget.view, beyondOf(session.usage));
      // Equal tiles are not drawn again.
      if (JSON.stringify(next) !== JSON.stringify(this.tiles)) this.tiles = next;
    }
  }

  protected override render(): unknown {
    const { session, budget, refusals, view } = this.props;
    if (budget?.sessionId !== session.sessionId)
      return html`<p class="dim loading" role="status">${words.loading}</p>`;
    const { usage } = session;
    const { window: size, triggerRange: range } = usage;
    const chosen = this.tiles.find(({ key }) => key === view.tile) ?? suggested(this.tiles);
    return html`<div class="glance">
        <div class="picture">
          ${treemap({ tiles: this.tiles, usage, chosen: chosen?.key, onChoose: this.choose })}
          ${
            isEditable(session) && size !== undefined && range !== undefined
              ? triggerBar({ usage, window: size, range, refusals, onMove: this.moveTrigger })
              : nothing
          }
        </div>
        <div class="beside">
          ${chosen === undefined ? nothing : chosenTile(chosen, this.props, this.openSwitches)}
          ${largestList({
            tiles: this.tiles,
            chosen: chosen?.key,
            isWhole: this.isWhole,
            onChoose: this.choose,
            onWhole: this.showWhole,
          })}
          ${checks(budget.view.health, this.props)}
        </div>
      </div>
      ${limitsLine(budget.view.limits)} ${this.folds(budget)}`;
  }

  private folds({ view }: BudgetAnswer): TemplateResult {
    const { session, page } = this.props;
    const { schemas } = view;
    return html`<div class="folds">
      ${fold({ title: words.numbers.title, content: numbersTable(session, view) })}
      ${
        schemas.groups.length === 0
          ? nothing
          : html`<div class="tool-fold">
              ${fold({
                title: inspectorTexts.schemas.title,
                note: words.tokens({ tokens: schemas.tokens }),
                content: toolDefinitions(schemas, { canSwitch: isEditable(session), post: page.post }),
              })}
            </div>`
      }
      ${heldLists(view, this.props)}
    </div>`;
  }

  private readonly choose = (tile: string): void => this.props.page.choose({ tile });

  private readonly moveTrigger = (ratio: number): void =>
    this.props.page.post({ type: 'set-trigger', ratio });

  private readonly showWhole = (isWhole: boolean): void => {
    this.isWhole = isWhole;
    this.requestUpdate();
  };

  private readonly openSwitches = (): void => {
    const button = this.querySelector<HTMLButtonElement>('.tool-fold > cb-fold > .disclosure');
    if (button?.ariaExpanded === 'false') button.click();
    button?.focus();
  };
}

/** The tile that frees most without a loss, or the largest one with actions. */
function suggested(tiles: readonly Tile[]): Tile | undefined {
  const freedBy = ({ part }: Tile) => part?.stale?.frees ?? 0;
  const hasActions = ({ kind, part }: Tile) => kind === 'tools' || (part?.messageIds.length ?? 0) > 0;
  return tiles.toSorted(
    (one, other) =>
      freedBy(other) - freedBy(one) ||
      Number(hasActions(other)) - Number(hasActions(one)) ||
      other.tokens - one.tokens,
  )[0];
}

export const windowTab = component('cb-window-tab', WindowTab);
