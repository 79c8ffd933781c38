import { cellsOf } from './measures-table.ts';
import { isMet, type Measure } from './part.ts';

/**
 * Writes new values into the tables of docs/performance.md. In the table of all parts, a row begins with the id of a
 * part and the name of a measure. A table whose heading begins with the id of a part is a grid: the value of row `R`
 * and column `C` is that of the measure `R: C`, in bold if it misses its target. Only values of the given part change.
 *
 * @param part id of the measured part
 */
export function withNewValues(page: string, part: string, measures: readonly Measure[]): string {
  const byName = new Map(measures.map((measure) => [measure.name, measure]));
  /** Columns of the grid that the line is in; undefined between tables. */
  let columns: readonly string[] | undefined;
  return page
    .split('\n')
    .map((line) => {
      if (!line.startsWith('|')) {
        columns = undefined;
        return line;
      }
      const [first = '', ...others] = line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim());
      if (columns === undefined) {
        columns = first === part ? others : [];
        return line;
      }
      if (columns.length > 0) {
        const cells = columns.map((column, index) => {
          const measure = byName.get(`${first}: ${column}`);
          return measure === undefined ? others[index] : valueCell(measure);
        });
        return `| ${[first, ...cells].join(' | ')} |`;
      }
      const measure = first === part ? byName.get(others[0] ?? '') : undefined;
      return measure === undefined ? line : `| ${part} | ${cellsOf(measure).join(' | ')} |`;
    })
    .join('\n');
}

function valueCell(measure: Measure): string {
  const [, value = ''] = cellsOf(measure);
  return isMet(measure) ? value : `**${value}**`;
}
