interface Secret {
  readonly name: string;
  readonly value: string;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** Names of variables that hold secrets: `API_KEY`, `githubToken`, `DB_PASSWD`; not `KEYBOARD` or `COMPASS`. */
const secretName =
  /SECRET|PASSWORD|PASSWD|PASSPHRASE|TOKEN|CREDENTIAL|COOKIE|CONNECTION_?STRING|(?:^|_|ACCESS|API|PRIVATE)(?:AUTH|DSN|KEYS?|PASS|PAT|PWD)(?:_|\d|$)/i;
/** Minimum length of a secret, because shorter strings occur in ordinary text. */
const shortestSecret = 6;
const commonWords = new Set(
  `always basic bearer changeme default development digest disabled enabled example external false github google
  interactive keyring localhost manager never optional password private production prompt public required secret
  staging system testing undefined`.split(/\s+/),
);
/** An address with a password: `postgres://user:password@host`. */
const passwordInAddress = /^[a-z][\w+.-]*:\/\/[^\s/:@]*:([^\s/@]+)@/i;

/** Returns the secrets in an environment, in every form that output may show, longest first. */
export function secretsOf(environment: Environment): readonly Secret[] {
  const secrets = Object.entries(environment).flatMap(([name, value = '']) => {
    const inAddress = passwordInAddress.exec(value)?.[1];
    return [...(secretName.test(name) ? [value, ...longLinesOf(value)] : []), inAddress ?? '']
      .filter(isSecret)
      .flatMap((text) => [text, ...base64Of(text), ...escapedOf(text)])
      .map((text) => ({ name, value: text }));
  });
  const byValue = new Map(secrets.map((secret) => [secret.value, secret]));
  return [...byValue.values()].toSorted((one, other) => other.value.length - one.value.length);
}

/** Returns the long lines of a value, because a key of several lines is also searched for line by line. */
function longLinesOf(value: string): readonly string[] {
  const lines = value.split('\n').map((line) => line.trim());
  return lines.length === 1 ? [] : lines.filter((line) => line.length >= 16 && !line.startsWith('-----'));
}

function isSecret(value: string): boolean {
  if (value.length < shortestSecret || commonWords.has(value.toLowerCase())) return false;
  const isPath = /^(?:~?\/|\.{1,2}\/|[a-z]:\\)/i.test(value);
  return !isPath && !/^\d{1,7}$/.test(value) && /\S/.test(value);
}

/** Returns a string's base64 forms at each of three offsets in a longer text, also in the URL alphabet. */
function base64Of(value: string): readonly string[] {
  const bytes = Buffer.from(value);
  return [0, 1, 2].flatMap((before) => {
    const encoded = Buffer.concat([Buffer.alloc(before), bytes]).toString('base64');
    const end = Math.floor(((before + bytes.length) * 8) / 6);
    const fixed = encoded.slice([0, 2, 3][before], end);
    return fixed.length < shortestSecret ? [] : [fixed, fixed.replaceAll('+', '-').replaceAll('/', '_')];
  });
}

const ofPages = new Map([
  ['&', '&amp;'],
  ['<', '&lt;'],
  ['>', '&gt;'],
  ['"', '&quot;'],
  ["'", '&#39;'],
]);

/** Returns a string as hexadecimal digits and as written in addresses, JSON and HTML. */
function escapedOf(text: string): readonly string[] {
  const bytes = Buffer.from(text);
  const hex = bytes.toString('hex');
  const inPage = text.replace(/[&<>"']/g, (character) => ofPages.get(character)!);
  return [
    hex,
    hex.toUpperCase(),
    encodeURIComponent(bytes.toString()),
    JSON.stringify(text).slice(1, -1),
    inPage,
  ];
}

/** Filter that replaces secrets with the names of their variables, in text that arrives in pieces. */
export class Redactor {
  private readonly secrets: readonly Secret[];
  private readonly nameOf: ReadonlyMap<string, string>;
  private readonly anySecret: RegExp | undefined;
  /** The end of the text so far if it could be the beginning of a secret, otherwise empty. */
  private held = '';

  /** @param secrets longest first */
  constructor(secrets: readonly Secret[]) {
    this.secrets = secrets;
    this.nameOf = new Map(secrets.map(({ name, value }) => [value, name]));
    const alternatives = secrets.map(({ value }) => value.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&'));
    this.anySecret = secrets.length === 0 ? undefined : new RegExp(alternatives.join('|'), 'g');
  }

  /** @returns the text up to a possible beginning of a secret, which is held back */
  push(text: string): string {
    if (this.anySecret === undefined) return text;
    const whole = this.held + text;
    let openAt = this.openFrom(whole, 0);
    let shown = '';
    let done = 0;
    for (const { 0: value, index } of whole.matchAll(this.anySecret)) {
      if (index >= openAt) break;
      shown += `${whole.slice(done, index)}[${this.nameOf.get(value)}]`;
      done = index + value.length;
      if (done > openAt) openAt = this.openFrom(whole, done);
    }
    this.held = whole.slice(openAt);
    return shown + whole.slice(done, openAt);
  }

  end(): string {
    const { held } = this;
    this.held = '';
    if (this.anySecret === undefined) return held;
    return held.replace(this.anySecret, (value) => `[${this.nameOf.get(value)}]`);
  }

  /** Returns the position of the longest suffix that could begin a secret, or the length of the text. */
  private openFrom(text: string, from: number): number {
    const longest = this.secrets[0]?.value.length ?? 0;
    for (let at = Math.max(from, text.length - longest + 1); at < text.length; at++) {
      const end = text.slice(at);
      const isOpen = ({ value }: Secret) => value.length > end.length && value.startsWith(end);
      if (this.secrets.some(isOpen)) return at;
    }
    return text.length;
  }
}
