/** Minimum characters of a part that reveals a key. Shorter parts occur in ordinary text. */
const shortestPart = 8;
/** Minimum base64 characters that encode eight bytes at any position in a longer text. */
const base64Part = 10;
const hexPart = 2 * shortestPart;
/** Minimum length of a real key, because no provider issues shorter ones. */
const shortestKey = 4;
/** Placeholder keys from the documentation of servers that need no key. None of them is a secret. */
const placeholders: ReadonlySet<string> = new Set(
  'anything changeme dummy empty fake key llama.cpp lm-studio lmstudio local no-key none not-needed nokey ollama placeholder secret sk-no-key-required sk-xxx test token vllm your-api-key'.split(
    ' ',
  ),
);
/** Common prefixes of providers' keys, which may appear in code and in answers. */
const commonBeginning =
  /^(?:sk-(?:proj-|svcacct-|admin-|or-v1-|ant-api\d\d-)?|gsk_|nvapi-|xai-|aizasy|hf_|r8_|pplx-|fw_|tgp_v1_|csk-)/;
const mark = '[key]';

/** A text with decoded escapes, and the place of each character in the raw text. */
interface ReadText {
  /** Lower-case characters. An escape is one character. */
  readonly characters: string;
  /** Start of each character in the raw text, followed by the end of the last; undefined without escapes. */
  readonly places: readonly number[] | undefined;
  /** Start of an incomplete escape, or the length of the text. */
  readonly end: number;
}

/** The forms in which a server may send back a key or eight characters of it, such as encoded or reversed. */
export class KeyForms {
  private readonly parts: ReadonlyMap<number, ReadonlySet<string>>;
  private readonly sorted: readonly string[];
  /** The pairs of characters that can begin a part. */
  private readonly beginnings = new Set<number>();
  readonly longest: number;

  /** @param keys one or several keys; undefined if no key is sent */
  constructor(keys: string | readonly string[] | undefined) {
    const all = new Set([keys ?? []].flat().flatMap((key) => partsOf(key)));
    const lengths = [...new Set([...all].map(({ length }) => length))];
    this.parts = new Map(
      lengths.map((length) => [length, new Set([...all].filter((part) => part.length === length))]),
    );
    this.sorted = [...all].sort();
    for (const part of all) this.beginnings.add(pairAt(part, 0));
    this.longest = Math.max(0, ...lengths);
  }

  get isEmpty(): boolean {
    return this.sorted.length === 0;
  }

  /** Returns the end of the longest part of the key that begins at a position. */
  endOfPartAt(text: string, at: number): number | undefined {
    if (!this.beginnings.has(pairAt(text, at))) return undefined;
    let end: number | undefined;
    for (const [length, parts] of this.parts) {
      if (at + length <= text.length && at + length > (end ?? at) && parts.has(text.slice(at, at + length)))
        end = at + length;
    }
    return end;
  }

  /** True if a longer part begins with this text. */
  isBeginning(text: string): boolean {
    let [low, high] = [0, this.sorted.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.sorted[middle] ?? '') < text) low = middle + 1;
      else high = middle;
    }
    const found = this.sorted[low] === text ? this.sorted[low + 1] : this.sorted[low];
    return found?.startsWith(text) === true;
  }

  redact(text: string): string {
    if (this.isEmpty) return text;
    const redactor = new KeyRedactor(this);
    return redactor.push(text) + redactor.end();
  }

  /** Redacts all strings of a JSON value, including field names. */
  redactJson<Value>(value: Value): Value {
    return this.isEmpty ? value : (this.redactDeep(value) as Value);
  }

  private redactDeep(value: unknown): unknown {
    if (typeof value === 'string') return this.redact(value);
    if (Array.isArray(value)) return value.map((entry) => this.redactDeep(entry));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([name, entry]) => [this.redact(name), this.redactDeep(entry)]),
    );
  }
}

/** Filter that removes a key from text that arrives in pieces, even if it is split between them. */
export class KeyRedactor {
  private readonly forms: KeyForms;
  /** The end of the text so far if a part of the key could begin in it, otherwise empty. */
  private held = '';
  /** Number of characters in `held` that belong to a part already replaced by `mark`. */
  private marked = 0;

  constructor(forms: KeyForms) {
    this.forms = forms;
  }

  /** @returns the text that is safe to show. The text held back is shorter than the longest part of a key */
  push(text: string): string {
    return this.forms.isEmpty ? text : this.take(this.held + text, false);
  }

  end(): string {
    return this.take(this.held, true);
  }

  private take(whole: string, isLast: boolean): string {
    const { characters, places, end } = readEscapes(whole, isLast);
    const open = isLast ? characters.length : this.openFrom(characters);
    const written = (from: number, to: number) =>
      places === undefined ? whole.slice(from, to) : whole.slice(places[from], places[to]);
    let shown = '';
    let secretEnd = this.marked;
    let plainFrom = secretEnd;
    for (let at = 0; at < open; at++) {
      const partEnd = this.forms.endOfPartAt(characters, at);
      if (partEnd === undefined) continue;
      if (at >= secretEnd) shown += written(plainFrom, at) + mark;
      secretEnd = Math.max(secretEnd, partEnd);
      plainFrom = secretEnd;
    }
    if (plainFrom < open) shown += written(plainFrom, open);
    this.marked = isLast ? 0 : Math.max(0, secretEnd - open);
    this.held = isLast ? '' : written(open, characters.length) + whole.slice(end);
    return shown;
  }

  /** Returns the position of the longest suffix that could begin a part of the key, or the length of the text. */
  private openFrom(text: string): number {
    for (let at = Math.max(0, text.length - this.forms.longest + 1); at < text.length; at++) {
      if (this.forms.isBeginning(text.slice(at))) return at;
    }
    return text.length;
  }
}

function partsOf(key: string): readonly string[] {
  const plain = readEscapes(key, true).characters;
  if (key.length < shortestKey || placeholders.has(plain)) return [];
  if (key.length < shortestPart) return [plain];
  const common = commonBeginning.exec(plain)?.[0].length ?? 0;
  const backwards = reversed(key);
  const coded = [key, backwards].flatMap((text) => [
    ...piecesOf(Buffer.from(text).toString('hex'), hexPart),
    ...base64Of(text).flatMap((form) => piecesOf(form.toLowerCase(), base64Part)),
  ]);
  return [
    ...piecesOf(plain, shortestPart).filter((_piece, at) => at + shortestPart > common),
    plain.slice(0, Math.max(shortestPart, common + 1)),
    ...piecesOf(reversed(plain), shortestPart),
    ...coded,
    ...coded.map(reversed),
  ];
}

function piecesOf(text: string, length: number): readonly string[] {
  return Array.from({ length: Math.max(0, text.length - length + 1) }, (_, at) =>
    text.slice(at, at + length),
  );
}

function reversed(text: string): string {
  return Array.from(text).reverse().join('');
}

/** Returns the base64 characters that depend only on this text, at each of three offsets in a longer text. */
function base64Of(text: string): readonly string[] {
  const bytes = Buffer.from(text);
  return [0, 1, 2].flatMap((before) => {
    const encoded = Buffer.concat([Buffer.alloc(before), bytes]).toString('base64');
    const own = encoded.slice([0, 2, 3][before], Math.floor(((before + bytes.length) * 8) / 6));
    return [own, own.replaceAll('+', '-').replaceAll('/', '_')];
  });
}

function pairAt(text: string, at: number): number {
  return text.charCodeAt(at) * 0x1_00_00 + text.charCodeAt(at + 1);
}

const wholeEscape = /%([\da-f]{2})|\\u([\da-f]{4})|\\x([\da-f]{2})|&#x([\da-f]{1,6});|&#(\d{1,7});/iy;
const brokenEscape = /^(?:%[\da-f]?|\\(?:u[\da-f]{0,3}|x[\da-f]?)?|&(?:#(?:\d{0,7}|x[\da-f]{0,6})?)?)$/i;
const longestEscape = 10;

function readEscapes(text: string, isLast: boolean): ReadText {
  const lower = text.toLowerCase();
  if (lower.length === text.length && !/[%\\&]/.test(text))
    return { characters: lower, places: undefined, end: text.length };
  let characters = '';
  const places: number[] = [];
  let at = 0;
  while (at < text.length) {
    const character = text.charAt(at);
    let length = 1;
    let meant = character.toLowerCase();
    if (character === '%' || character === '\\' || character === '&') {
      wholeEscape.lastIndex = at;
      const escape = wholeEscape.exec(text);
      if (escape !== null) {
        const digits = escape[1] ?? escape[2] ?? escape[3] ?? escape[4];
        meant = characterOf(digits === undefined ? Number(escape[5]) : Number.parseInt(digits, 16));
        length = escape[0].length;
      } else if (!isLast && text.length - at < longestEscape && brokenEscape.test(text.slice(at))) break;
    }
    places.push(at);
    characters += meant.length === 1 ? meant : character;
    at += length;
  }
  places.push(at);
  return { characters, places, end: at };
}

/** Returns the lower-case character of a code, or a placeholder for a non-ASCII code, because keys are ASCII. */
function characterOf(code: number): string {
  return code < 0x80 ? String.fromCharCode(code).toLowerCase() : '\uFFFF';
}
