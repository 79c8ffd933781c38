import { cellsOf } from './measures-table.ts';
import type { Measure } from './part.ts';

/**
 * Writes new values into the table of docs/performance.md. A row begins with the id of a part and the name of a
 * measure. Only rows of the given part change.
 *
 * @param part id of the measured part
 */
export function withNewValues(page: string, part: string, measures: readonly Measure[]): string {
  const rows = new Map(
    measures.map((measure) => [measure.name, `| ${part} | ${cellsOf(measure).join(' | ')} |`]),
  );
  return page
    .split('\n')
    .map((line) => {
      const [, ofPart, name = ''] = line.split('|').map((cell) => cell.trim());
      return (ofPart === part ? rows.get(name) : undefined) ?? line;
    })
    .join('\n');
}
