import { isMet, type Measure, type Target, type Unit } from './part.ts';

/** The measures of a part as a Markdown table. Missed targets are marked, and explained below the table. */
export function measuresTable(measures: readonly Measure[]): string {
  const rows = measures.map((measure) => `| ${cellsOf(measure).join(' | ')} |`);
  const notes = measures.flatMap((measure) => {
    const { name, note, target } = measure;
    const isWanted = note !== undefined && (target === undefined || !isMet(measure));
    return isWanted ? [`- **${name}**: ${note}`] : [];
  });
  const table = ['| measure | value | target | reached |', '| --- | ---: | ---: | --- |', ...rows].join('\n');
  return notes.length === 0 ? table : `${table}\n\n${notes.join('\n')}`;
}

/** The cells of a measure: name, value, target, and whether the target is reached. */
export function cellsOf(measure: Measure): readonly [name: string, ...values: string[]] {
  const { name, unit, target } = measure;
  const value = shownValue(measure);
  if (target === undefined) return [name, value, '', ''];
  return [name, value, shownTarget(target, unit), isMet(measure) ? 'yes' : '**no**'];
}

/** A value with the spread of its runs: `2.1 × (1.9–2.4)`. */
function shownValue({ value, spread, unit }: Measure): string {
  if (spread === undefined) return shown(value, unit);
  const numbers = [spread.lowest, spread.highest].map((one) => shown(one, unit).replace(/[^\d.,]+$/u, ''));
  return `${shown(value, unit)} (${numbers.join('–')})`;
}

function shownTarget(target: Target, unit: Unit): string {
  return 'atLeast' in target ? `≥ ${shown(target.atLeast, unit)}` : `≤ ${shown(target.atMost, unit)}`;
}

function shown(value: number, unit: Unit): string {
  switch (unit) {
    case 'times':
      return `${significant(value)} ×`;
    case 'share':
      return `${significant(value * 100)}%`;
    case 'exponent':
      return value.toFixed(2);
    case 'milliseconds':
      return `${significant(value)} ms`;
    case 'microseconds':
      return `${significant(value)} µs`;
    case 'bytes':
      return `${significant(value / 1000)} kB`;
    case 'count':
      return value.toLocaleString('en-US');
  }
}

/** Rounds to two or three significant digits. Measurements on a shared machine are not more precise. */
function significant(value: number): string {
  if (value >= 100) return Math.round(value).toLocaleString('en-US');
  return String(Number(value.toPrecision(value >= 1 ? 3 : 2)));
}
