/**
 * Reads the beginning of a JSON text. Values that are open where the text breaks off are closed. An incomplete string
 * is kept as far as it goes, unless it is a key.
 *
 * @returns undefined if the text is not JSON
 */
export function readJsonHead(text: string): unknown {
  const open: string[] = [];
  /** End of the complete part; no value began or ended after it. */
  let wholeEnd = 0;
  let isInString = false;
  let end = text.length;
  for (let index = 0; index < text.length; index++) {
    const character = text[index];
    if (isInString) {
      if (character === '"') isInString = false;
      else if (character === '\\') {
        const length = text[index + 1] === 'u' ? 6 : 2;
        if (index + length > text.length) {
          end = index;
          break;
        }
        index += length - 1;
      }
    } else if (character === '"') isInString = true;
    else if (character === '{' || character === '[') {
      open.push(character === '{' ? '}' : ']');
      wholeEnd = index + 1;
    } else if (character === '}' || character === ']') {
      open.pop();
      wholeEnd = index + 1;
    } else if (character === ',') wholeEnd = index;
  }
  const closing = open.toReversed().join('');
  return (
    parse(text.slice(0, end) + (isInString ? '"' : '') + closing) ?? parse(text.slice(0, wholeEnd) + closing)
  );
}

/**
 * Reads the object or array at a position, ignoring later text. An incomplete value is read as far as it goes.
 *
 * @param longest maximum characters to read
 * @returns undefined if no object or array begins there
 */
export function readJsonAt(text: string, start: number, longest: number): unknown {
  const end = Math.min(text.length, start + longest);
  let depth = 0;
  let isInString = false;
  for (let index = start; index < end; index++) {
    const character = text[index];
    if (isInString) {
      if (character === '\\') index++;
      else if (character === '"') isInString = false;
    } else if (character === '"') isInString = true;
    else if (character === '{' || character === '[') depth++;
    else if (character === '}' || character === ']') depth--;
    if (depth === 0) return readJsonHead(text.slice(start, index + 1));
  }
  return readJsonHead(text.slice(start, end));
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
