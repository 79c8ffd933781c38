import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { innerWords, shellSteps } from '../../../src/compaction/ledger/shell-steps.ts';

const stepsOf = (line: string) =>
  shellSteps(line)?.map(({ after, words }) => `${after} ${words.join('·')}`.trim());

describe('the programs of a command line', () => {
  it.each<readonly [line: string, steps: readonly string[] | undefined]>([
    [
      'cd a && npm test 2>&1 | tail -20; echo "EXIT: $?"',
      ['cd·a', '&& npm·test', '| tail·-20', '; echo·EXIT: $?'],
    ],
    ['A=1 B="x y" go test ./... -run "Foo|Bar"', ['go·test·./...·-run·Foo|Bar']],
    ['make # twice\nmake test || true', ['make', '; make·test', '|| true']],
    ['git commit -F - <<EOF && git push\nfix: a && b\nEOF\nls', ['git·commit·-F·-', '&& git·push', '; ls']],
    [
      'git commit -m "$(cat <<\'EOF\'\nsay "x)"\nEOF\n)" && ls',
      ['git·commit·-m·$(cat <<\'EOF\'\nsay "x)"\nEOF\n)', '&& ls'],
    ],
    ['echo a \\\n  b', ['echo·a·b']],
    ['(cd a && make)', ['cd·a', '&& make']],
    ['for x in a b; do echo $x; done', undefined],
    ["echo 'open", undefined],
  ])('are separated in %j', (line, steps) => {
    expect(stepsOf(line)).toEqual(steps);
  });

  it('include programs with redirected output', () => {
    expect(shellSteps('make > log 2>&1')?.[0]).toEqual({
      words: ['make'],
      text: 'make > log 2>&1',
      after: '',
      isRedirected: true,
      redirections: [{ path: 'log', sign: '>' }],
    });
    expect(shellSteps('make 2>&1')?.[0]?.isRedirected).toBe(false);
  });

  it('have at least one word in any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'a \'"$()<&|;\n\\#`>-') }), (line) => {
        for (const { words } of shellSteps(line) ?? []) expect(words.length).toBeGreaterThan(0);
      }),
    );
  });
});

describe('the inner program', () => {
  it.each([
    ['timeout 60s npx -y vitest run', 'vitest run'],
    ['sudo /usr/bin/make test', 'make test'],
    ['python3 -m pytest -q', 'pytest -q'],
    ['mise exec -- go test', 'go test'],
    ['uv run ruff check', 'ruff check'],
    ['npm run build', 'npm run build'],
    ['constructor x', 'constructor x'],
  ])('is found in %s: %s', (line, inner) => {
    expect(innerWords(line.split(' ')).join(' ')).toBe(inner);
  });
});
