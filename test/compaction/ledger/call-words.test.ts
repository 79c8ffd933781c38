import { describe, expect, it } from 'vitest';
import { commandWords, shownCommand } from '../../../src/compaction/ledger/call-words.ts';

describe('a command as one line', () => {
  it.each([
    ['npm test && npm run lint', 'npm test && npm run lint'],
    ['cd /p\nexport A=1\nmake test', 'make test (in /p, with A=1)'],
    ['cd packages/a && npm test 2>&1 | tail -3', 'npm test 2>&1 | tail -3 (in packages/a)'],
    ["S=/tmp/x && cat > $S/a.go <<'EOF'\nx\nEOF", "cat > $S/a.go <<'EOF' (with S=/tmp/x, +2 lines)"],
    ['S=/tmp/x && cd $S/y && make', 'make (in $S/y, with S=/tmp/x)'],
    ['cd a && make && cd ../b && make', 'cd a && make && cd ../b && make'],
    ['cd a && make || exit 1', 'cd a && make || exit 1'],
    ['cd "a b" && make', 'cd "a b" && make'],
    ['A=$(pwd) && make', 'A=$(pwd) && make'],
    ['CI=1 make', 'CI=1 make'],
    ['cd a', 'cd a'],
    ["cat > f.py <<'EOF'\nprint(1)\nEOF\npython f.py", "cat > f.py <<'EOF' (+3 lines)"],
    ['# Build it\nmake', 'make'],
    ['docker run \\\n  -it x', 'docker run -it x'],
    ["echo 'a' \\\n  b", "echo 'a' … (+1 line)"],
    [`make ${'x '.repeat(400)}`, `make ${'x '.repeat(197)}x …`],
  ])('turns %j into %j', (command, shown) => {
    expect(shownCommand(command)).toBe(shown);
  });

  it('includes the exit status of a failed command', () => {
    expect(commandWords({ command: 'make\nmake test', status: 2 })).toBe('make (+1 line) (exit 2)');
    expect(commandWords({ command: 'make' })).toBe('make');
  });
});
