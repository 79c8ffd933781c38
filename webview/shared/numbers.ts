import { percentText } from '../../src/language/percent.ts';
import { pageLanguage as language } from './page-language.ts';

/** Numbers, amounts and times in the language of the page. */

/** The space between a number and its unit, at which lines do not break. */
const gap = '\u00a0';
const whole = new Intl.NumberFormat(language, { maximumFractionDigits: 0 });
const tenths = new Intl.NumberFormat(language, { maximumFractionDigits: 1 });
const cents = new Intl.NumberFormat(language, { style: 'currency', currency: 'USD' });
const smallAmount = new Intl.NumberFormat(language, {
  style: 'currency',
  currency: 'USD',
  maximumSignificantDigits: 2,
});
const timeOfDay = new Intl.DateTimeFormat(language, {
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
});
const day = new Intl.DateTimeFormat(language, { day: 'numeric', month: 'short' });

/** A count such as `82,746`. */
export function formatCount(count: number): string {
  return whole.format(count);
}

/** A short count such as `214`, `1.2k`, `92k` or `1.3M`. */
export function formatShort(count: number): string {
  if (count < 1000) return whole.format(count);
  if (count < 9950) return `${tenths.format(count / 1000)}k`;
  if (count < 999_500) return `${whole.format(count / 1000)}k`;
  return `${tenths.format(count / 1_000_000)}M`;
}

/** A percentage such as `65%`. */
export function formatPercent(share: number): string {
  return percentText(share, language);
}

/** A percentage such as `64.6%`. */
export function formatExactPercent(share: number): string {
  return percentText(share, language, { decimals: 1 });
}

/** A change such as `−53%` or `+4%`. */
export function formatChange(before: number, after: number): string {
  const percent = before === 0 ? 0 : Math.round(((after - before) / before) * 100);
  const sign = percent < 0 ? '−' : percent > 0 ? '+' : '±';
  return `${sign}${formatPercent(Math.abs(percent) / 100)}`;
}

/** A duration such as `38 ms`, `0.4 s` or `12 s`. */
export function formatDuration(milliseconds: number): string {
  if (milliseconds < 100) return `${whole.format(milliseconds)}${gap}ms`;
  const seconds = milliseconds / 1000;
  return `${seconds < 10 ? tenths.format(seconds) : whole.format(seconds)}${gap}s`;
}

/** A time such as `10:42`, with the day if it is not today. Empty if the text is not a time. */
export function formatTime(iso: string, now = new Date()): string {
  const time = new Date(iso);
  if (Number.isNaN(time.getTime())) return '';
  const isToday = time.toDateString() === now.toDateString();
  return isToday ? timeOfDay.format(time) : `${day.format(time)}, ${timeOfDay.format(time)}`;
}

/** Dollars such as `$0.41` or `$0.0032`. */
export function formatMoney(dollars: number): string {
  return dollars === 0 || Math.abs(dollars) >= 0.01 ? cents.format(dollars) : smallAmount.format(dollars);
}
