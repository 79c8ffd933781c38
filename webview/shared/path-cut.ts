import { element } from './dom.ts';

/** Maximum number of words before a path, such as the name of a tool. */
const mostWordsBefore = 1;
/** Number of characters that fit in almost every place. */
const shortLine = 24;

/**
 * A line that may be a path, for an element with the class `path-cut`. A path that is too long is shortened in the
 * middle and keeps its file name.
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
