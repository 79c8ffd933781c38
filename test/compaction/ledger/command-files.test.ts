import { describe, expect, it } from 'vitest';
import { filesBeforeEnd, filesOfCommand } from '../../../src/compaction/ledger/command-files.ts';

const filesOf = (command: string, folder?: string) =>
  filesOfCommand(command, folder).map(({ what, path }) => `${what} ${path}`);

describe('the files of a command line', () => {
  it.each<readonly [command: string, files: readonly string[]]>([
    ["sed -n '1,200p' src/deep/file.rs && make", ['read src/deep/file.rs']],
    ['cat a.ts b.py && head -n 500 c.go', ['read a.ts', 'read b.py', 'read c.go']],
    ["nl -ba a.ts | sed -n '1,200p'", ['read a.ts']],
    ['grep -n "from ./old.js" src/a.ts', ['read src/a.ts']],
    ['rg -e foo -e bar src/a.ts', ['read src/a.ts']],
    ['wc -l < notes.md', ['read notes.md']],
    ['rm -rf notes/old.md build', ['deleted notes/old.md', 'deleted build']],
    ['mv src/old src/new', ['deleted src/old']],
    ['git rm src/a.ts && git rm --cached b.ts', ['deleted src/a.ts']],
    ['mv a.ts lib/', ['deleted a.ts', 'written lib/a.ts']],
    ['git mv a.ts b.ts', ['deleted a.ts', 'written b.ts']],
    ['cp a.ts b.ts copies', ['written copies/a.ts', 'written copies/b.ts']],
    [
      "cat > src/new.py <<'EOF'\nimport os.path\nopen('x/y.py')\nEOF\ncat z.py",
      ['written src/new.py', 'read z.py'],
    ],
    ['echo x >> CHANGELOG.md', ['edited CHANGELOG.md']],
    ['make 2>&1 | tee -a build.log', ['edited build.log']],
    ['sed -i \'s|from "./old.js"|from "./core/new.js"|\' main.ts', ['edited main.ts']],
    ["sed -i '' -e 's/a/b/' main.ts", ['edited main.ts']],
    ["perl -pi -e 's/a\\.js/b.js/' main.ts", ['edited main.ts']],
    ['git checkout -- src/a.ts', []],
    ['git checkout main -- src/a.ts', ['edited src/a.ts']],
    ['create solve.py', ['created solve.py']],
    ["apply_patch <<'EOF'\n*** Begin Patch\n*** Add File: a.ts\n+x\n*** End Patch\nEOF", ['created a.ts']],
    ['for f in a b; do cat src/x.ts > out.txt; done', ['read src/x.ts', 'written out.txt']],
  ])('are read from %j: %j', (command, files) => {
    expect(filesOf(command)).toEqual(files);
  });

  it.each([
    'go test ./pkg/scan/... -run TestScan',
    'git show HEAD:src/a.ts main:b.go origin/main:c.go',
    'git add src/a.ts && git commit -m "Mend store.ts and src/b.ts" src/a.ts',
    'for name in a b; do cat $name.ts src/$name/x.ts; done',
    'cat $(go env GOMODCACHE)/github.com/x/y@v1/z.go',
    'make > $S/build.log 2>&1',
    'rg "chunkSize/1000" -g "*.ts" src',
    'curl https://example.com/install.sh',
    'gofmt -w a.go && npx prettier --write src/a.ts',
    'node -e "console.log(process.env.HOME)"',
    'cat src/*.ts > /dev/null 2>&1',
    'cd $DIR && cat a.ts',
  ])('are absent for %j', (command) => {
    expect(filesOf(command)).toEqual([]);
  });

  it('are found relative to the folder of the line or of the call', () => {
    expect(filesOf('cd /p/app && cat src/a.ts && cd lib && rm b.ts')).toEqual([
      'read /p/app/src/a.ts',
      'deleted /p/app/lib/b.ts',
    ]);
    expect(filesOf('cat src/a.ts ~/.bashrc $HOME/x.ts', '/p')).toEqual([
      'read /p/src/a.ts',
      'read ~/.bashrc',
      'read ~/x.ts',
    ]);
  });

  it.each([
    'grep -n x src/a.ts',
    'cat src/a.ts || echo none',
    'head src/a.ts',
    'cat src/a.ts | head -20',
    'cat src/a.ts | grep x',
    'cat src/a.ts > /dev/null',
    "sed -n '1,20p' src/a.ts",
    'wc -l src/a.ts',
  ])('are marked as named but not read in %j', (command) => {
    expect(filesOfCommand(command)).toEqual([{ path: 'src/a.ts', what: 'read', isNamed: true }]);
  });

  it('exclude the files of the last program if the line failed', () => {
    expect(filesBeforeEnd('sed -i s/a/b/ a.ts && rm b.ts')).toEqual([{ path: 'a.ts', what: 'edited' }]);
    expect(filesBeforeEnd('rm b.ts')).toEqual([]);
  });
});
