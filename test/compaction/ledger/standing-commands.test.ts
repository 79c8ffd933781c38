import { describe, expect, it } from 'vitest';
import { standingCommands } from '../../../src/compaction/ledger/standing-commands.ts';

const standing = (...commands: readonly string[]) =>
  standingCommands(commands.map((command) => ({ command }))).map(({ command }) => command);

describe('useful commands', () => {
  it.each([
    ['the same check with another filter', 'npm test 2>&1 | tail -5', 'npm test'],
    ['the same check from its folder', 'cd app && go vet ./...', 'cd app && go vet ./... | head'],
    ['a part before the whole', 'go test ./store -run TestOpen', 'go test ./...'],
    ['a script with other words', 'tools/harness.sh start', 'MODE=x tools/harness.sh stop'],
    ['a single check before a chain with it', 'npx tsc --noEmit', 'npx tsc --noEmit && npx eslint .'],
  ])('are the newest runs of checks and scripts: %s', (_, earlier, later) => {
    expect(standing(earlier, later)).toEqual([later]);
  });

  it.each([
    ['other targets', 'go test ./store', 'go test ./server'],
    ['another folder', 'cd app && npm test', 'cd web && npm test'],
    ['a chain that did more', 'npx tsc --noEmit && npm publish', 'npx tsc --noEmit'],
  ])('include both of two runs with %s', (_, one, other) => {
    expect(standing(one, other)).toEqual([one, other]);
  });

  it.each([
    'sed -i s/a/b/ src/a.ts',
    "cat > notes.md <<'EOF'\ntext\nEOF",
    'mkdir -p src/new && git add src',
    'cd /tmp/probe && go run .',
    'S=/private/tmp/scratch && cd $S/probe && go build -o ${S}/out .',
    'S=/private/tmp/x && $S/probe src/a.ts docs/b.md',
    'rm -rf ~/.claude/projects/-tmp-app/',
    'python3 /private/tmp/x/probe.py > /private/tmp/x/out.txt',
  ])('exclude: %s', (command) => {
    expect(standing(command)).toEqual([]);
  });

  it.each([
    'git commit -m "Open the store"',
    'rm -rf build',
    'npm install left-pad',
    'python3 scripts/generate.py > src/table.ts',
    'for f in a b; do ./run "$f"; done',
    'curl -X POST https://example.com/api',
    'rm -rf dist && npm run build',
  ])('include: %s', (command) => {
    expect(standing(command)).toEqual([command]);
  });
});
