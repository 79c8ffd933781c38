import fc from 'fast-check';

/**
 * Files that were valid and then damaged by hand, by half-finished writes or by other versions of a program: values of
 * another type, missing, doubled or reordered fields and rows, foreign lines, truncated texts.
 */

const stranger: fc.Arbitrary<unknown> = fc.constantFrom(
  null,
  true,
  -1,
  1e300,
  '',
  'text',
  'm1',
  'c1',
  '9999-99-99',
  '\u001b[31m\n\u0000\u202e',
  [],
  {},
  [null],
  [[]],
  [{}],
  { type: 'text' },
  [{ type: 'text' }],
  [{ type: 'text', text: 3 }],
  [{ type: 'image_url' }],
  [{ type: 'image_url', image_url: { url: '' } }],
  [{ type: 'image_url', image_url: 3 }],
  { role: 'user' },
  { toString: 3 },
);

interface Change {
  readonly kind: 'replace' | 'delete' | 'double' | 'swap' | 'rename';
  /** Index into all values of the document, modulo their number. */
  readonly place: number;
  readonly value: unknown;
}

const change: fc.Arbitrary<Change> = fc.record({
  kind: fc.constantFrom('replace', 'replace', 'replace', 'delete', 'double', 'swap', 'rename'),
  place: fc.nat(),
  value: stranger,
});

const line = fc.constantFrom(
  '',
  '{',
  '[]',
  '{}',
  '3',
  'null',
  '"text"',
  'not JSON',
  '{"type":"message"}',
  '\u0000',
  '\r',
);

/** A text of the same format with some changes. */
export function malformed(text: string): fc.Arbitrary<string> {
  const changes = fc.array(change, { minLength: 1, maxLength: 3 }).map((list) => changed(text, list));
  const cutOff = fc.nat({ max: text.length }).map((length) => text.slice(0, length));
  const withLine = fc.tuple(fc.nat(), line).map(([place, inserted]) => {
    const lines = text.split('\n');
    return lines.toSpliced(place % (lines.length + 1), 0, inserted).join('\n');
  });
  const withoutLine = fc.nat().map((place) => {
    const lines = text.split('\n');
    return lines.toSpliced(place % lines.length, 1).join('\n');
  });
  const shuffled = fc.shuffledSubarray(text.split('\n')).map((lines) => lines.join('\n'));
  const otherCharacter = fc
    .tuple(fc.nat(), fc.constantFrom('"', '{', '}', '[', ']', ',', ':', '\\', '\n', '\u0000', 'é'))
    .map(([place, character]) => {
      const at = place % (text.length + 1);
      return text.slice(0, at) + character + text.slice(at + 1);
    });
  return fc.oneof({ weight: 5, arbitrary: changes }, cutOff, withLine, withoutLine, shuffled, otherCharacter);
}

function changed(text: string, changes: readonly Change[]): string {
  const whole = parse(text);
  if (whole !== undefined) return JSON.stringify(changes.reduce(apply, whole), undefined, 1);
  const rows = text.split('\n').map(parse);
  if (rows.some((row) => row !== undefined)) {
    const list = rows.filter((row) => row !== undefined);
    const after = changes.reduce<unknown>(apply, list);
    return (Array.isArray(after) ? after : [after]).map((row) => JSON.stringify(row)).join('\n');
  }
  return changes.reduce((now, { place, value }) => {
    const at = place % (now.length + 1);
    return now.slice(0, at) + JSON.stringify(value) + now.slice(at + 1 + (place % 40));
  }, text);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

type Container = unknown[] | Record<string, unknown>;

function apply(document: unknown, { kind, place, value }: Change): unknown {
  const copy = structuredClone(document);
  const places: { readonly holder: Container; readonly key: string }[] = [];
  const walk = (holder: unknown): void => {
    if (typeof holder !== 'object' || holder === null) return;
    for (const [key, inner] of Object.entries(holder)) {
      places.push({ holder: holder as Container, key });
      walk(inner);
    }
  };
  walk(copy);
  const chosen = places[place % Math.max(1, places.length)];
  if (chosen === undefined) return value;
  const { holder, key } = chosen;
  if (Array.isArray(holder)) {
    const index = Number(key);
    if (kind === 'replace' || kind === 'rename') holder[index] = value;
    else if (kind === 'delete') holder.splice(index, 1);
    else if (kind === 'double') holder.splice(index, 0, structuredClone(holder[index]));
    else holder.push(...holder.splice(index, 1));
    return copy;
  }
  if (kind === 'replace') holder[key] = value;
  else if (kind === 'rename') {
    holder[`${key}_`] = holder[key];
    Reflect.deleteProperty(holder, key);
  } else if (kind === 'delete') Reflect.deleteProperty(holder, key);
  else holder[key] = [holder[key], holder[key]];
  return copy;
}
