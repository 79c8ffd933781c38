import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { lastingCommands } from '../../../src/compaction/ledger/lasting-commands.ts';

const lasting = (script: string) => lastingCommands(script).map(({ command }) => command);

describe('a command with a lasting effect', () => {
  it.each([
    'npm install left-pad',
    'yarn',
    'pip install -r requirements.txt',
    'npm version minor',
    'pnpm --filter web run deploy:prod',
    'make release',
    'npx prisma migrate deploy',
    'python manage.py migrate',
    'git push origin v1.2.0',
    "git tag -a v1.2.0 -m 'Release'",
    'git -C ../other push',
    'gh pr create --title "Mend it" --label bug',
    'gh api repos/o/r/issues/7/comments -f body=Done',
    'docker compose -f dev.yml up -d',
    'kubectl apply -f app.yml',
    'terraform apply -auto-approve',
    'git config user.name x',
    'mise use node@24',
  ])('is recognised: %s', (command) => {
    expect(lasting(command)).toEqual([command]);
  });

  it.each([
    'npm test',
    'npm run build',
    'git commit -m x',
    'git tag --list',
    'git config --get user.name',
    'npm publish --dry-run',
    'gh pr view 7',
    'gh api repos/o/r/pulls/7/comments',
    'terraform plan',
    'rm -rf build',
    'cd /tmp/trial && npm install',
    'pip install --target /tmp/x pkg',
    'make || make install',
    'if true; then npm ci; fi',
    './run.sh',
  ])('is not recognised in %s', (command) => {
    expect(lasting(command)).toEqual([]);
  });

  it('is listed as one step as written, with the change of folder before it', () => {
    expect(lasting('cd app && npm test && npm ci 2>&1 | tail -3; git push >/dev/null 2>&1')).toEqual([
      'cd app && npm ci',
      'cd app && git push',
    ]);
  });

  it('counts as certain to have run if the line would otherwise have failed', () => {
    const areSure = (script: string) => lastingCommands(script).map(({ isSure }) => isSure);
    expect(areSure('npm ci && npm test')).toEqual([true]);
    expect(areSure('npm ci | tail; npm ci; ls')).toEqual([false, false]);
  });

  it('is always a part of the line', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...' \'"$()&|;\n', 'npm ci', 'cd a', 'x') }), (line) => {
        for (const command of lasting(line)) expect(line).toContain(command.split(' && ').at(-1));
      }),
    );
  });
});
