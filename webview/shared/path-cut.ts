import { element } from './dom.ts';

/** Maximum words before a path, such as the name of a tool. */
const mostWordsBefore = 1;
/** Number of characters that fit almost everywhere. */
const shortLine = 24;

/**
 * A line that may be a path, for an element with the class `path-cut`. If it is too long, its middle is cut and the
 * file name is kept.
 */
export function pathParts(line: string): readonly (HTMLElement | string)[] {
  const slash = Math.max(line.lastIndexOf('/'), line.lastIndexOf('\\'));
  const words = line.slice(0, Math.max(0, slash)).split(' ').length - 1;
  if (line.length <= shortLine || slash <= 0 || slash === line.length - 1 || words > mostWordsBefore)
    return [line];
  const folders = element('span', { class: 'path-folders' }, line.slice(0, slash));
  folders.style.setProperty('--name', `${line.length - slash}ch`);
  return [folders, element('span', { class: 'path-name' }, line.slice(slash))];
}
