import { type Kind, kinds } from '../../src/protocol/engine-terms.ts';
import type { InspectorRequest, UsageView } from '../../src/protocol/inspector.ts';
import { type LabelledMark, StackedBar } from '../shared/bar.ts';
import { kindSegments, type Segment } from '../shared/stacked-bar.ts';
import {
  element,
  freshId,
  type ItemView,
  KeyedList,
  plainButton,
  setAttribute,
  setText,
} from '../shared/dom.ts';
import { icon } from '../shared/icons.ts';
import {
  beyondCount,
  beyondCountSentence,
  kindNames,
  outlookSentences,
  listed,
} from '../shared/compaction-words.ts';
import { formatCount, formatExactPercent, formatPercent } from '../shared/numbers.ts';
import { TriggerSlider } from './trigger-slider.ts';
import { inspectorTexts } from './text/inspector-strings.ts';

/** Minimum share of the bar that a mark's label needs. If marks are closer, only the trigger has a label. */
const labelShare = 0.12;
/** Minimum share for the label of a background compaction, which is shorter and absent on narrow pages. */
const backgroundLabelShare = 0.08;
const words = inspectorTexts.usage;

/** The usage with computed sizes, in tokens. */
interface ShownUsage extends UsageView {
  /**
   * Total minus the sum of the kinds: tokens that are not in the session's file, or the provider's larger count.
   * Negative if the provider counts fewer.
   */
  readonly beyond: number;
  readonly total: number;
}

interface Line {
  readonly name: string;
  readonly swatch?: Segment['name'];
  readonly label: string;
  readonly tokens: number;
  /** Share of the window; if that is unknown, share of the total. */
  readonly share?: number | undefined;
  /** The part of the group's share that is used, and the group's share of the window. */
  readonly allotment?: { readonly used: number; readonly allotted: number } | undefined;
}

/** The usage of the window: a total, a bar, and a table whose rows add up to the total. */
export class UsageSection {
  readonly element: HTMLElement;
  private readonly total = element('b', { class: 'total' });
  private readonly share = element('span');
  private readonly standIn = element('span', { class: 'spoken', hidden: true }, words.standIn);
  private readonly reported = element('span', { class: 'dim' });
  private readonly bar = new StackedBar();
  private readonly figure: HTMLElement;
  private readonly slider: TriggerSlider;
  /** Explains the marks, and states facts that have none. Part of the bar's accessible name. */
  private readonly outlook = element('p', { class: 'dim usage-outlook', 'aria-hidden': 'true' });
  /** The trigger in words. Shown when the usage is one line, in which marks have no labels. */
  private readonly trigger = element('span', { class: 'dim usage-trigger', 'aria-hidden': 'true' });
  private readonly shares = element('p', { class: 'dim usage-shares', hidden: true }, words.shares);
  private readonly kindRows: KeyedList<Line>;
  private readonly sumRows: KeyedList<Line>;
  private usage: ShownUsage | undefined;
  private canChange = false;
  private isLine = false;

  constructor(post: (request: InspectorRequest) => void) {
    const id = freshId();
    this.figure = element('div', { class: 'usage-bar', role: 'img' }, this.bar.element);
    this.slider = new TriggerSlider({
      onPreview: () => {
        if (this.usage !== undefined) this.renderBar(this.usage);
      },
      onChange: (ratio) => post({ type: 'set-trigger', ratio }),
    });
    const kindBody = element('tbody', { role: 'rowgroup' });
    const sumBody = element('tbody', { role: 'rowgroup', class: 'sums' });
    const options = { keyOf: ({ name }: Line) => name, create: lineView };
    this.kindRows = new KeyedList<Line>(kindBody, options);
    this.sumRows = new KeyedList<Line>(sumBody, options);
    const details = element(
      'div',
      { class: 'usage-details', id: freshId() },
      this.outlook,
      // Explicit roles, because the layout removes the table's own.
      element(
        'table',
        { role: 'table', 'aria-labelledby': id },
        element('thead', { role: 'rowgroup', class: 'spoken' }, columnNames()),
        kindBody,
        sumBody,
      ),
      this.shares,
    );
    this.element = element(
      'section',
      { class: 'usage', 'aria-labelledby': id },
      element('h2', { id, class: 'spoken' }, words.title),
      element('p', { class: 'usage-total' }, this.total, this.share, this.standIn, this.reported),
      element('div', { class: 'usage-figure' }, this.figure, this.slider.element),
      this.trigger,
      this.slider.note,
      this.opener(details),
      details,
    );
  }

  /** A button that opens the details on very narrow pages, so that the content below stays visible. */
  private opener(details: HTMLElement): HTMLElement {
    const opener = plainButton(
      { class: 'usage-opener disclosure', 'aria-expanded': 'false', 'aria-controls': details.id },
      () => {
        const isOpen = this.element.classList.toggle('is-open');
        setAttribute(opener, 'aria-expanded', String(isOpen));
        // Scrollable content must be reachable with the keyboard.
        setAttribute(details, 'tabindex', isOpen ? 0 : undefined);
        setAttribute(details, 'role', isOpen ? 'region' : undefined);
        setAttribute(details, 'aria-label', isOpen ? words.details : undefined);
      },
      icon('chevron'),
      ` ${words.details}`,
    );
    return opener;
  }

  showAs(form: 'line' | 'table'): void {
    this.element.classList.toggle('is-line', form === 'line');
    this.isLine = form === 'line';
    if (this.usage !== undefined) this.renderBar(this.usage);
  }

  /** @param canChange true if the trigger can be moved */
  render(counts: UsageView, canChange: boolean): void {
    const usage = withBeyond(counts);
    const { total, window: size, reported, isApproximate } = usage;
    this.usage = usage;
    this.canChange = canChange;
    setText(this.total, formatCount(total));
    setText(this.share, shareText(usage));
    setAttribute(this.share, 'title', isApproximate && words.standIn);
    this.standIn.hidden = !isApproximate;
    setText(this.reported, reported === undefined || reported.tokens === total ? '' : reportedText(reported));
    this.renderBar(usage);
    this.kindRows.render(kinds.filter((kind) => usage.byKind[kind] > 0).map((kind) => kindLine(kind, usage)));
    this.sumRows.render(sums(usage));
    this.shares.hidden = size === undefined;
  }

  /** Resets the trigger after the host has refused to move it. */
  refuseTrigger(): void {
    this.slider.refuse();
  }

  private renderBar(usage: ShownUsage): void {
    const { total, window: size, triggerRange: range, target, byKind, trigger: at } = usage;
    const scale = Math.max(size ?? 0, total);
    this.slider.render(this.canChange ? range : undefined, { window: size, scale, trigger: at });
    const { preview } = this.slider;
    const isMoving = preview !== undefined && size !== undefined;
    const trigger = isMoving ? Math.floor(preview * size) : at;
    // While the trigger moves, the start of a background compaction is unknown.
    const background = isMoving ? undefined : usage.background;
    const { reserved, free } = rest(usage);
    const marks: LabelledMark[] = [];
    if (size !== undefined && target !== undefined) {
      const hasRoom = trigger === undefined || Math.abs(trigger - target) >= scale * labelShare;
      marks.push({ name: 'target', at: target, ...(hasRoom ? { label: words.target } : {}) });
    }
    if (size !== undefined && trigger !== undefined) {
      const label = usage.asks === true ? words.askAt : words.compactAt;
      marks.push({ name: 'trigger', at: trigger, label: label({ share: formatPercent(trigger / size) }) });
    }
    const inWords = this.isLine ? marks.find(({ name }) => name === 'trigger')?.label : undefined;
    setText(this.trigger, inWords ?? '');
    if (size !== undefined && background !== undefined) {
      const hasRoom = [trigger, target].every(
        (other) => other === undefined || Math.abs(background - other) >= scale * backgroundLabelShare,
      );
      const label = words.backgroundAt({ share: formatPercent(background / size) });
      marks.push({ name: 'background', at: background, endsAtMark: true, ...(hasRoom ? { label } : {}) });
    }
    const sentences = outlookSentences({ ...usage, trigger, background });
    // A single trigger needs no sentence, because its mark shows it.
    setText(this.outlook, sentences.length < 2 ? '' : sentences.join(inspectorTexts.betweenSentences));
    this.figure.classList.toggle('has-marks', marks.length > 0);
    setAttribute(this.figure, 'aria-label', nameOf(usage));
    this.bar.render({
      segments: [
        ...kindSegments(byKind, total),
        { name: 'free', size: free },
        // The part of the reserve for which a full window has room.
        { name: 'reserved', size: Math.min(reserved, scale - total) },
      ],
      marks,
      scale,
    });
  }
}

function columnNames(): HTMLElement {
  return element(
    'tr',
    { role: 'row' },
    ...[words.kind, words.tokens, words.share, words.ofAllotment].map((name) =>
      element('th', { role: 'columnheader', scope: 'col' }, name),
    ),
  );
}

/** Adds the total, which includes tokens beyond the kinds. */
function withBeyond(usage: UsageView): ShownUsage {
  const total = usage.fullness?.tokens ?? usage.tokens;
  return { ...usage, beyond: beyondCount({ ...usage, tokens: total }), total };
}

/** The window that the total is a share of, and the source of the total. */
function shareText({ tokens, total, beyond, window: size, isApproximate, fullness }: ShownUsage): string {
  const { alternatives = [], compactsAt, unseen } = fullness ?? {};
  const sources: readonly string[] =
    beyond === 0
      ? [isApproximate ? words.approximate : words.counted]
      : fullness === undefined
        ? [words.byOurCount({ tokens: total - beyond })]
        : beyond < 0
          ? []
          : unseen?.measuredWith === undefined
            ? [words.inFile({ tokens })]
            : [words.measured({ tokens: unseen.tokens, version: unseen.measuredWith })];
  const trigger =
    compactsAt === undefined
      ? []
      : [
          words.ofTrigger({
            share: formatExactPercent(total / compactsAt),
            trigger: compactsAt,
          }),
        ];
  const windows = size === undefined ? [] : [size, ...alternatives];
  const share =
    windows.length === 0
      ? words.tokensOnly
      : words.ofWindow({
          window: windows.map(formatCount).join(words.or),
          share: windows.map((window) => formatExactPercent(total / window)).join(words.or),
        });
  return [share, ...trigger, ...sources].join(' · ');
}

function kindLine(kind: Kind, { total, window: size, byKind, allotted: shares }: ShownUsage): Line {
  const tokens = byKind[kind];
  const whole = size ?? total;
  const allotted = shares[kind];
  return {
    name: kind,
    swatch: kind,
    label: kindNames[kind],
    tokens,
    share: whole > 0 ? tokens / whole : undefined,
    allotment: size === undefined ? undefined : { used: tokens / (size * allotted), allotted },
  };
}

/** The lines for the sum of the kinds and for the rest of the window. */
function sums(usage: ShownUsage): readonly Line[] {
  const { total: tokens, beyond, fullness, window: size } = usage;
  const shareOf = (part: number) => part / (size ?? tokens);
  const used: readonly Line[] = [
    ...(beyond === 0
      ? []
      : [
          {
            name: 'notInFile',
            swatch: 'notInFile' as const,
            label: beyond < 0 ? words.countedMore : fullness === undefined ? words.beyond : words.notInFile,
            tokens: beyond,
            share: beyond > 0 ? shareOf(beyond) : undefined,
          },
        ]),
    { name: 'total', label: words.total, tokens, share: shareOf(tokens) },
  ];
  if (size === undefined) return used;
  const { reserved, free } = rest(usage);
  const reply: Line = {
    name: 'reserved',
    swatch: 'reserved',
    label: words.reserved,
    tokens: reserved,
    share: reserved / size,
  };
  return [
    ...used,
    ...(reserved === 0 ? [] : [reply]),
    { name: 'free', swatch: 'free', label: words.free, tokens: free, share: free / size },
  ];
}

/** The room for the reply and the free part of the window. Both are 0 if the window is unknown. */
function rest({ total, window: size, reserved }: ShownUsage): { readonly reserved: number; free: number } {
  return size === undefined
    ? { reserved: 0, free: 0 }
    : { reserved, free: Math.max(0, size - total - reserved) };
}

function lineView(line: Line): ItemView<Line> {
  const swatch =
    line.swatch === undefined ? undefined : element('i', { class: `swatch kind kind-${line.swatch}` });
  const tokens = element('td', { role: 'cell' });
  const share = element('td', { role: 'cell', class: 'share' });
  const allotment = element('td', { role: 'cell', class: 'allotment' });
  const name = element('th', { role: 'rowheader', scope: 'row' }, swatch, element('span', {}, line.label));
  const row = element('tr', { role: 'row', class: `line-${line.name}` }, name, tokens, share, allotment);
  const update = (next: Line) => {
    setText(tokens, formatCount(next.tokens));
    setText(share, next.share === undefined ? '' : formatExactPercent(next.share));
    const shares = next.allotment === undefined ? undefined : sharesOf(next.allotment);
    setText(allotment, shares === undefined ? '' : words.allotment(shares));
    setAttribute(allotment, 'title', shares === undefined ? undefined : words.allotmentTitle(shares));
  };
  update(line);
  return { element: row, update };
}

function sharesOf({ used, allotted }: NonNullable<Line['allotment']>): { used: string; allotted: string } {
  return { used: formatPercent(used), allotted: formatPercent(allotted) };
}

function nameOf(usage: ShownUsage): string {
  const { total, beyond, fullness, window: size, target, reserved, byKind } = usage;
  const beyondText =
    fullness === undefined
      ? beyondCountSentence(usage)
      : beyond > 0
        ? words.barNotInFile({ tokens: beyond })
        : undefined;
  const count = formatCount(total);
  return [
    size === undefined ? words.barOfTotal({ tokens: count }) : words.bar({ tokens: count, window: size }),
    words.barKinds({
      kinds: listed(
        kinds
          .filter((kind) => byKind[kind] > 0)
          .map((kind) => words.barKind({ kind: kindNames[kind], tokens: byKind[kind] })),
      ),
    }),
    ...(beyondText === undefined ? [] : [beyondText]),
    ...(size === undefined || reserved === 0 ? [] : [words.barReserved({ tokens: reserved })]),
    ...outlookSentences(usage),
    ...(target === undefined ? [] : [words.barTarget({ tokens: target })]),
  ].join(inspectorTexts.betweenSentences);
}

function reportedText({ tokens, messagesSince }: NonNullable<UsageView['reported']>): string {
  const reported = { tokens: formatCount(tokens) };
  return messagesSince === 0
    ? words.reported(reported)
    : words.reportedBefore({ ...reported, messages: messagesSince });
}
