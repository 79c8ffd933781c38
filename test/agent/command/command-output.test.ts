import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  BoundedOutput,
  CommandOutput,
  EscapeStripper,
  ProgressLines,
  ShownLines,
} from '../../../src/agent/command/command-output.ts';

/** A text cut at some places. */
const cutText = (unit: fc.Arbitrary<string>) =>
  fc.array(
    fc.array(unit, { maxLength: 6 }).map((parts) => parts.join('')),
    { maxLength: 8 },
  );

const strip = (pieces: readonly string[]) => {
  const stripper = new EscapeStripper();
  return pieces.map((piece) => stripper.push(piece)).join('');
};

const collapse = (pieces: readonly string[]) => {
  const lines = new ProgressLines();
  return pieces.map((piece) => lines.push(piece)).join('') + lines.end();
};

describe('CommandOutput', () => {
  it('removes a secret whose parts came from both streams', () => {
    const kept = new BoundedOutput();
    let shown = '';
    const output = new CommandOutput({ DEPLOY_TOKEN: 'x7!k2-99zq' }, kept, (text) => (shown += text));
    output.push('stdout', 'x7!k');
    output.push('stderr', '2-99');
    output.push('stdout', 'zq\n');
    output.end();
    expect(kept.toString()).toBe('[DEPLOY_TOKEN]\n');
    expect(shown).toBe('[DEPLOY_TOKEN]\n');
  });
});

describe('EscapeStripper', () => {
  it.each([
    ['\x1b[31mred\x1b[0m', 'red'],
    ['\x1b[38;5;196;1mred\x1b[m', 'red'],
    ['\x1b[2K\x1b[1Gline', 'line'],
    ['\x1b]0;title\x07text', 'text'],
    ['\x1b]8;;https://example.com\x1b\\link\x1b]8;;\x1b\\', 'link'],
    ['\x1b(Bplain\x1b=', 'plain'],
    ['\x9b31mred', 'red'],
    ['a\0b\x07c\x7f', 'abc'],
    ['tab\tand\r\nline', 'tab\tand\r\nline'],
  ])('turns %j into %j', (text, plain) => {
    expect(strip([text])).toBe(plain);
  });

  it('gives the same result wherever the text is split', () => {
    const unit = fc.constantFrom('\x1b', '[', ']', '3', 'm', ';', '\x07', '\\', 'a', '\n', '(', '\x9b');
    fc.assert(
      fc.property(cutText(unit), (pieces) => {
        expect(strip(pieces)).toBe(strip([pieces.join('')]));
      }),
    );
  });

  it('passes on an escape sequence that does not end', () => {
    expect(strip(['\x1b]', 'text'.repeat(2_000)])).toContain('text');
  });
});

describe('ProgressLines', () => {
  it.each([
    ['10%\r50%\r100%\n', '100%\n'],
    ['one\r\ntwo\r\n', 'one\ntwo\n'],
    ['one\r\r\ntwo', 'one\ntwo'],
    ['50%\r', '50%'],
    ['a\rb\nc\rd', 'b\nd'],
    ['\rstart', 'start'],
  ])('turns %j into %j', (text, last) => {
    expect(collapse([text])).toBe(last);
  });

  it('gives the same result wherever the text is split', () => {
    fc.assert(
      fc.property(cutText(fc.constantFrom('a', 'b', '\r', '\n')), (pieces) => {
        expect(collapse(pieces)).toBe(collapse([pieces.join('')]));
      }),
    );
  });
});

describe('ShownLines', () => {
  it.each([
    [['dots', '...', ' done\n'], 'dots... done\n'],
    [['10%\r', '50%\r', '100%\n'], '10%\n50%\n100%\n'],
    [['10%\r20%\r30%'], '30%'],
    [['one\r', '\ntwo\r', '\n'], 'one\ntwo\n'],
    [['said', ' more\rover'], 'said\nover'],
  ])('shows %j as %j', (pieces, shown) => {
    const lines = new ShownLines();
    expect(pieces.map((piece) => lines.push(piece)).join('')).toBe(shown);
  });
});

describe('BoundedOutput', () => {
  it('keeps a short text whole', () => {
    const output = new BoundedOutput(10);
    ['one\n', 'two\n', 'thr'].forEach((text) => output.push(text));
    expect(output.toString()).toBe('one\ntwo\nthr');
    expect([output.lines, output.isShortened]).toEqual([3, false]);
  });

  it('keeps the beginning and the end of any text, and counts the characters between them', () => {
    const text = fc.string({ unit: fc.constantFrom('a', '\n', '😀') });
    fc.assert(
      fc.property(fc.array(text), fc.integer({ min: 2, max: 8 }), (pieces, most) => {
        const output = new BoundedOutput(most);
        pieces.forEach((piece) => output.push(piece));
        const whole = pieces.join('');
        const shown = output.toString();
        const [head = '', note, tail = ''] = shown.split(/\n\[… (\d+) characters left out …\]\n/);
        expect(whole.startsWith(head)).toBe(true);
        expect(whole.endsWith(tail)).toBe(true);
        expect(head.length + Number(note ?? 0) + tail.length).toBe(whole.length);
        expect(output.isShortened).toBe(note !== undefined);
        expect(Buffer.from(shown).toString()).toBe(shown);
        expect(Math.max(head.length, tail.length)).toBeLessThanOrEqual(note === undefined ? 2 * most : most);
      }),
    );
  });

  it('counts lines as an editor does', () => {
    const output = new BoundedOutput(4);
    ['a\nb\n', '', 'c\nd'].forEach((text) => output.push(text));
    expect(output.lines).toBe(4);
  });
});
