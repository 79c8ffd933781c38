import { listed } from '../../shared/compaction-words.ts';
import type { MessageOf } from '../../../src/protocol/messages.ts';
import type {
  BringBackPlan,
  coverageNotifications,
  MissingKind,
} from '../../../src/protocol/inspector-compactions.ts';
import type { InspectorRequest } from '../../../src/protocol/inspector.ts';
import { controlButton } from '../../shared/controls.ts';
import { element, freshId } from '../../shared/dom.ts';
import { icon } from '../../shared/icons.ts';
import { formatCount } from '../../shared/numbers.ts';
import { messageCell } from '../diff/message-cell.ts';
import { inspectorTexts } from '../text/inspector-strings.ts';

const words = inspectorTexts.compactionsTab.bringBackPanel;

/** Maximum number of facts of a message that are named. */
const namedFacts = 4;
/** Maximum number of messages that are listed. */
const longestList = 50;

/** Shows which messages would be restored, and at which cost, before anything changes. */
export class BringBackPanel {
  readonly element: HTMLElement;
  private readonly recordId: string;
  private readonly post: (request: InspectorRequest) => void;
  private readonly onClose: () => void;
  private readonly content = element('div', { 'aria-live': 'polite' });

  /** @param onClose called when the user closes the panel */
  constructor(recordId: string, post: (request: InspectorRequest) => void, onClose: () => void) {
    const id = freshId();
    this.recordId = recordId;
    this.post = post;
    this.onClose = onClose;
    this.element = element(
      'section',
      { class: 'bring-back', 'aria-labelledby': id },
      element('h3', { id }, words.title),
      this.content,
    );
    this.content.append(element('p', { class: 'dim' }, words.looking));
    post({ type: 'plan-bring-back', recordId });
  }

  receive({ recordId, plan }: MessageOf<typeof coverageNotifications, 'bring-back-plan'>): void {
    if (recordId !== this.recordId) return;
    this.content.replaceChildren(...this.contentOf(plan));
  }

  private contentOf(plan: BringBackPlan): readonly HTMLElement[] {
    const { messages, missing, unreachable, tokensBefore, tokensAfter, trigger } = plan;
    const cancel = controlButton({ appearance: 'secondary', onClick: this.onClose }, words.cancel);
    const out = unreachable.length === 0 ? [] : [sentence(words.unreachable({ names: named(unreachable) }))];
    if (messages.length === 0) {
      return [...(missing === 0 ? [sentence(words.nothing)] : out), actions(cancel)];
    }
    const reachable = missing - unreachable.length;
    const added = formatCount(tokensAfter - tokensBefore);
    return [
      sentence(
        [
          words.holds({ messages: messages.length, facts: reachable }),
          words.adds({
            added,
            before: tokensBefore,
            after: tokensAfter,
          }),
        ].join(inspectorTexts.betweenSentences),
      ),
      ...(trigger !== undefined && tokensAfter >= trigger
        ? [
            element(
              'p',
              { class: 'notice' },
              icon('warning'),
              element('span', {}, words.overTrigger({ trigger })),
            ),
          ]
        : []),
      element('ul', { class: 'brought' }, ...messages.slice(0, longestList).map(line)),
      ...out,
      actions(
        controlButton(
          { appearance: 'primary', onClick: () => this.confirm(plan) },
          words.confirm({ messages: messages.length }),
        ),
        cancel,
      ),
    ];
  }

  private confirm({ messages }: BringBackPlan): void {
    const messageIds = messages.map(({ message }) => message.id);
    this.post({ type: 'bring-back', recordId: this.recordId, messageIds });
    this.onClose();
  }
}

function line({ message, facts }: BringBackPlan['messages'][number]): HTMLElement {
  const holds = element('span', { class: 'reason' }, words.holdsFacts({ names: named(facts) }));
  return element('li', {}, messageCell({ message, details: [holds] }));
}

function named(facts: readonly string[]): string {
  const rest = facts.length - namedFacts;
  const names = listed(facts.slice(0, namedFacts));
  return rest > 0 ? `${names}${inspectorTexts.compactionsTab.andMore({ count: rest })}` : names;
}

function sentence(text: string): HTMLElement {
  return element('p', {}, text);
}

function actions(...buttons: readonly HTMLElement[]): HTMLElement {
  return element('div', { class: 'bring-back-actions' }, ...buttons);
}

type Listener = (names: readonly string[]) => void;

/** Names of the facts that a compaction lost. Each kind is requested only once. */
export class NameStore {
  private readonly post: (request: InspectorRequest) => void;
  private readonly recordId: string;
  private readonly known = new Map<MissingKind, readonly string[]>();
  private readonly listeners = new Map<MissingKind, readonly Listener[]>();

  constructor(recordId: string, post: (request: InspectorRequest) => void) {
    this.recordId = recordId;
    this.post = post;
  }

  request(kind: MissingKind, listener: Listener): void {
    const known = this.known.get(kind);
    if (known !== undefined) {
      listener(known);
      return;
    }
    const waiting = this.listeners.get(kind) ?? [];
    this.listeners.set(kind, [...waiting, listener]);
    if (waiting.length === 0) this.post({ type: 'missing', recordId: this.recordId, kind });
  }

  receive({ recordId, kind, names }: MessageOf<typeof coverageNotifications, 'missing'>): void {
    if (recordId !== this.recordId) return;
    this.known.set(kind, names);
    for (const listener of this.listeners.get(kind) ?? []) listener(names);
    this.listeners.delete(kind);
  }
}
