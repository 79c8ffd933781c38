import { seeded } from './seeded.ts';

const evil: readonly unknown[] = [
  null,
  true,
  -1,
  0.5,
  1e308,
  Number.MAX_SAFE_INTEGER,
  '',
  'x',
  'system',
  '\0',
  '9999-99-99',
  [],
  {},
  [null],
  [[]],
  ['x'],
  { a: 1 },
  { __proto__x: 1 },
];

/** Damages a text in several ways; deterministic for a given seed. */
export class Damage {
  private readonly random: () => number;
  private readonly lines: readonly string[];
  private readonly share: number;

  /** @param share of the lines to damage, for kinds that damage single lines */
  constructor(text: string, seed: number, share = 0.15) {
    this.random = seeded(seed);
    this.lines = text.split('\n');
    this.share = share;
  }

  readonly kinds: Readonly<Record<string, () => string>> = {
    'bits flipped': () => {
      const bytes = Buffer.from(this.lines.join('\n'));
      for (let left = 1 + this.upTo(20); left > 0; left--) {
        const at = this.upTo(bytes.length);
        bytes[at] = bytes[at]! ^ (1 << this.upTo(8));
      }
      return bytes.toString('utf8');
    },
    'values of other types': () =>
      this.onSome((line) => JSON.stringify(this.changed(JSON.parse(line), 0.06))),
    'keys changed': () =>
      this.onSome((line) =>
        line.replaceAll(/"(\w+)":/g, (key, name: string) => (this.random() < 0.05 ? `"${name}x":` : key)),
      ),
    'numbers too large': () =>
      this.onSome((line) =>
        line.replaceAll(/(?<=[:,[])\d+(?=[,\]}])/g, (number) => (this.random() < 0.2 ? '9e999' : number)),
      ),
    'cut off': () => this.lines.join('\n').slice(0, this.upTo(this.lines.join('\n').length)),
    'lines doubled': () =>
      this.lines.flatMap((line) => (this.random() < 0.2 ? [line, line] : [line])).join('\n'),
    'lines lost': () => this.lines.filter(() => this.random() > 0.2).join('\n'),
    'lines swapped': () => {
      const lines = [...this.lines];
      for (let left = 3; left > 0; left--) {
        const one = this.upTo(lines.length);
        const other = this.upTo(lines.length);
        [lines[one], lines[other]] = [lines[other]!, lines[one]!];
      }
      return lines.join('\n');
    },
    'deep nesting': () =>
      this.onSome(
        (line) => line.replace(/}$/, `,"more":${'['.repeat(100_000)}${']'.repeat(100_000)}}`),
        0.02,
      ),
    'NUL bytes': () => this.onSome((line) => '\0'.repeat(line.length)),
    'other prototypes': () =>
      this.onSome((line) =>
        line.replaceAll('{', '{"__proto__":{"role":5,"content":7,"length":9},').replaceAll(',}', '}'),
      ),
  };

  private upTo(count: number): number {
    return Math.floor(this.random() * count);
  }

  private onSome(change: (line: string) => string, share = this.share): string {
    return this.lines.map((line) => (line !== '' && this.random() < share ? change(line) : line)).join('\n');
  }

  private changed(value: unknown, share: number): unknown {
    if (this.random() < share) return evil[this.upTo(evil.length)];
    if (Array.isArray(value)) return value.map((item) => this.changed(item, share));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value)
        .filter(() => this.random() > share / 2)
        .map(([key, field]) => [key, key === 'type' ? (field as unknown) : this.changed(field, share)]),
    );
  }
}
