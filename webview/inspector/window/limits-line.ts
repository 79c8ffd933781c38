import { html, nothing, type TemplateResult } from 'lit';
import type { LimitView } from '../../../src/protocol/inspector-budget.ts';
import { formatPercent, formatTime } from '../../shared/numbers.ts';
import { inspectorTexts } from '../text/inspector-strings.ts';

const words = inspectorTexts.inWindow.limits;

const hour = 60;
const day = 24 * hour;

/** The limits that the provider reported, in one line. */
export function limitsLine(limits: readonly LimitView[] = []): TemplateResult | typeof nothing {
  return limits.length === 0
    ? nothing
    : html`<p class="dim limits">${words.line({ limits: limits.map(limitText).join(' · ') })}</p>`;
}

function limitText({ name, minutes = 0, used, resetsAt }: LimitView): string {
  const what = name === 'window' ? windowName(minutes) : words[name];
  const share = words.used({ what, share: formatPercent(used) });
  if (resetsAt === undefined) return share;
  const isOver = Date.parse(resetsAt) < Date.now();
  return (isOver ? words.wasReset : words.resets)({ share, time: formatTime(resetsAt) });
}

function windowName(minutes: number): string {
  if (minutes % day === 0) return words.days({ count: minutes / day });
  return minutes % hour === 0 ? words.hours({ count: minutes / hour }) : words.minutes({ count: minutes });
}
