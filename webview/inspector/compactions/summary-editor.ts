import { listed } from '../../shared/compaction-words.ts';
import type { PreviewedSummary, PreviewView } from '../../../src/protocol/inspector-preview.ts';
import type { SentenceMenu } from '../by-hand/sentence-menu.ts';
import { element, freshId, setText } from '../../shared/dom.ts';
import { inspectorTexts } from '../text/inspector-strings.ts';

const words = inspectorTexts.preview;

/** Milliseconds without typing before the texts are checked. */
const typingPause = 500;
/** Maximum number of facts lost by an edit that are named. The others are only counted. */
const namedFacts = 5;

interface Field {
  readonly input: HTMLTextAreaElement;
  readonly size: HTMLElement;
  /** The text from the host. The field itself normalises line breaks. */
  readonly loaded: string;
  readonly shown: string;
}

/** The summaries of a plan, one field each. The outcome of the last check is below the fields. */
export class SummaryEditor {
  readonly element = element('section', { class: 'summary-editor' });
  private readonly onChange: (texts: readonly string[]) => void;
  private readonly marks: SentenceMenu | undefined;
  private readonly id = freshId();
  private readonly outcome = element('p', { id: this.id, class: 'dim', role: 'status' });
  private readonly refusal = element('p', { class: 'refusal', role: 'status' });
  private fields: readonly Field[] = [];
  private timer: number | undefined;

  /** @param onChange called with all texts after typing pauses */
  constructor(onChange: (texts: readonly string[]) => void, marks?: SentenceMenu) {
    this.marks = marks;
    this.onChange = onChange;
    const flush = () => {
      if (this.timer !== undefined) this.changed();
    };
    // When the page is hidden, it is discarded with the texts.
    document.addEventListener('visibilitychange', flush);
    window.addEventListener('pagehide', flush);
  }

  get texts(): readonly string[] {
    return this.fields.map(({ input, loaded, shown }) => (input.value === shown ? loaded : input.value));
  }

  /** Loads the texts of another plan. */
  load(summaries: readonly PreviewedSummary[]): void {
    this.forgetChange();
    this.fields = summaries.map(({ text }) => this.field(text));
    this.element.replaceChildren(
      ...this.fields.flatMap(({ input, size }, index) => {
        input.id = freshId();
        const name =
          summaries.length === 1
            ? words.summary
            : words.summaryOf({ index: index + 1, total: summaries.length });
        return [
          element(
            'div',
            { class: 'summary-name' },
            element('label', { for: input.id }, name),
            size,
            this.marks?.fieldButton(input),
          ),
          input,
        ];
      }),
      this.refusal,
      this.outcome,
    );
    this.element.hidden = summaries.length === 0;
  }

  render({ summaries, activity, refusal, lost, record }: PreviewView): void {
    for (const [index, { input, size }] of this.fields.entries()) {
      const tokens = summaries[index]?.tokens;
      setText(size, tokens === undefined ? '' : words.tokens({ text: tokens }));
      input.readOnly = activity === 'planning' || activity === 'applying';
      input.setAttribute('aria-invalid', String(refusal !== undefined));
    }
    setText(this.refusal, refusal === undefined ? '' : words.refused({ reason: refusal }));
    setText(this.outcome, activity === 'checking' ? words.checking : outcomeOf(record?.isEdited, lost));
  }

  /** Cancels a scheduled change, because the texts are sent in another way. */
  forgetChange(): void {
    window.clearTimeout(this.timer);
    this.timer = undefined;
  }

  private field(text: string): Field {
    const input = element('textarea', { class: 'field', 'aria-describedby': this.id });
    input.value = text;
    input.addEventListener('input', () => {
      window.clearTimeout(this.timer);
      this.timer = window.setTimeout(() => this.changed(), typingPause);
    });
    return { input, size: element('span', { class: 'dim' }), loaded: text, shown: input.value };
  }

  private changed(): void {
    this.forgetChange();
    this.onChange(this.texts);
  }
}

/** The outcome of an accepted edit; empty if the text was not edited. */
function outcomeOf(isEdited: boolean | undefined, lost: readonly string[]): string {
  if (isEdited !== true) return '';
  if (lost.length === 0) return words.losesNothing;
  const rest = lost.length - namedFacts;
  const named = listed(lost.slice(0, namedFacts));
  return words.loses({
    names: rest > 0 ? `${named}${inspectorTexts.compactionsTab.andMore({ count: rest })}` : named,
  });
}
