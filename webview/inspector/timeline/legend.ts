import { kinds } from '../../../src/protocol/engine-terms.ts';
import { kindNames } from '../../shared/compaction-words.ts';
import { element } from '../../shared/dom.ts';
import { inspectorTexts } from '../text/inspector-strings.ts';
import type { Call } from './timeline-data.ts';

const words = inspectorTexts.timeline.legend;

/** The legend of the chart: its kinds, and the line of reported tokens. */
export class Legend {
  readonly element = element('ul', { class: 'legend dim', 'aria-label': words.title });
  private shown = '';

  render(calls: readonly Call[]): void {
    const occurring = kinds.filter((_kind, index) => calls.some(({ byKind }) => (byKind[index] ?? 0) > 0));
    const hasReports = calls.some(({ reported }) => reported !== undefined);
    const shown = [...occurring, hasReports].join(' ');
    if (shown === this.shown) return;
    this.shown = shown;
    this.element.replaceChildren(
      ...(hasReports ? [item('swatch line-swatch', words.reported)] : []),
      ...occurring.map((kind) => item(`swatch kind kind-${kind}`, kindNames[kind])),
    );
  }
}

function item(swatch: string, name: string): HTMLElement {
  return element('li', {}, element('i', { class: swatch }), name);
}
