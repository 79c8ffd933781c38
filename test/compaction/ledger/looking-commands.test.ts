import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { onlyLooks } from '../../../src/compaction/ledger/looking-commands.ts';

describe('a command line that only reads', () => {
  it.each([
    'git status && git diff HEAD~1 -- src | head -50',
    'git -C /p --no-pager log --oneline -5',
    'git branch -a; git stash list; git remote -v',
    "cd src && grep -rn 'os\\.Stat' . 2>/dev/null | sort | uniq -c",
    "sed -n '1,20p' a.ts; nl -ba b.ts | sed -n '30,40p'",
    'find . -name "*.ts" | xargs wc -l',
    String.raw`find . -name SKILL.md -print -exec sh -c 'echo "$1"; sed -n 1,40p "$1"' _ {} \;`,
    'find . -exec grep -l x {} +',
    'for f in a b; do echo "== $f"; cat $f; done',
    'if [ -f a ]; then cat a; else ls -la; fi',
    'ls $(pwd)/x; command -v gh || true; node --version',
    'code ~/.config/app.json',
    "bash -lc 'cat a.ts'",
    "grep -n '`code`' README.md",
  ])('is recognised: %s', (command) => {
    expect(onlyLooks(command)).toBe(true);
  });
});

describe('a command line that may do more', () => {
  it.each([
    'npm test',
    'git status && git commit -m x',
    'git branch -D old',
    'git branch new',
    'git stash',
    'git checkout main',
    "sed -i 's/a/b/' a.ts",
    'cat a > b',
    'echo x | tee b',
    'find . -name "*.log" -delete',
    'find . | xargs rm',
    "find . -exec cat {} + -exec sh -c 'rm $1' _ {} +",
    'for f in a b; do rm $f; done',
    'echo $(rm a)',
    'echo `rm a`',
    'curl -X POST https://example.com',
    'sort -o a a',
    'python - <<EOF\nprint(1)\nEOF',
    'env A=1 make',
    './run.sh',
    "echo 'open",
  ])('is recognised: %s', (command) => {
    expect(onlyLooks(command)).toBe(false);
  });

  it('is recognised or not, without an error, in any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'a \'"$()<&|;\n\\#`>-') }), (line) => {
        expect(typeof onlyLooks(line)).toBe('boolean');
      }),
    );
  });
});
