import { describe, expect, it } from 'vitest';
import type { ApprovalRequest, ApprovalRule } from '../../../src/agent/approvals/approval-request.ts';
import {
  ApprovalRules,
  bringUpToDate,
  StoredRules,
  ruleInWords,
  type RuleStore,
} from '../../../src/agent/approvals/approval-rules.ts';
import { said } from '../../support/sentences.ts';

const npmTest: ApprovalRule = { kind: 'command', pattern: 'npm test', shell: 'posix' };
const anyEdit: ApprovalRule = { kind: 'edit', pattern: '**' };

function requestOf(
  kind: ApprovalRequest['kind'],
  patterns: readonly string[],
  rule: ApprovalRule | undefined = { kind, pattern: '**' },
): ApprovalRequest {
  return { kind, title: said(''), details: '', patterns, rule };
}

/** The request for a line of commands, each with its pattern. */
function commandRequest(...patterns: readonly string[]): ApprovalRequest {
  return requestOf('command', patterns, {
    kind: 'command',
    pattern: patterns.join(' && '),
    shell: 'posix',
  });
}

/** Keeps rules as a file would. */
function memoryStore(rules: readonly ApprovalRule[] = []) {
  let saved = rules;
  const store: RuleStore = {
    load: () => saved,
    change(change) {
      saved = change(saved);
      return Promise.resolve();
    },
  };
  return { store, saved: () => saved };
}

async function createRules(store = memoryStore().store, isEnabled = () => true) {
  return new ApprovalRules(await StoredRules.load(store), isEnabled);
}

describe('ApprovalRules', () => {
  it('allows a session rule in one chat only', async () => {
    const { store, saved } = memoryStore();
    const rules = await createRules(store);
    await rules.allow(npmTest, 'session');
    expect(rules.isAllowed(commandRequest('npm test'))).toBe(true);
    expect(saved()).toEqual([]);
    expect((await createRules(store)).isAllowed(commandRequest('npm test'))).toBe(false);
  });

  it('allows a permanent rule in all chats and after a restart', async () => {
    const { store } = memoryStore();
    const kept = await StoredRules.load(store);
    const other = new ApprovalRules(kept, () => true);
    await new ApprovalRules(kept, () => true).allow(npmTest, 'always');
    expect(other.isAllowed(commandRequest('npm test'))).toBe(true);
    expect((await createRules(store)).isAllowed(commandRequest('npm test'))).toBe(true);
  });

  it('stores a rule once if it is allowed several times, with the wider scope', async () => {
    const rules = await createRules();
    await rules.allow(npmTest, 'session');
    await rules.allow(npmTest, 'always');
    await rules.allow(npmTest, 'always');
    expect(rules.list()).toEqual([{ rule: npmTest, scope: 'always' }]);
  });

  it('removes a rule from the session and from the store', async () => {
    const { store, saved } = memoryStore([npmTest]);
    const rules = await createRules(store);
    await rules.allow(npmTest, 'session');
    await rules.remove(npmTest);
    expect(rules.list()).toEqual([]);
    expect(saved()).toEqual([]);
  });

  it('allows nothing in Restricted Mode, and everything again once the folder is trusted', async () => {
    let isTrusted = false;
    const rules = await createRules(memoryStore([npmTest]).store, () => isTrusted);
    expect(rules.isAllowed(commandRequest('npm test'))).toBe(false);
    isTrusted = true;
    expect(rules.isAllowed(commandRequest('npm test'))).toBe(true);
  });

  it('allows a line if rules cover the whole line or all its commands', async () => {
    const rules = await createRules(memoryStore([npmTest]).store);
    const line = commandRequest('npm test', 'git log');
    expect(rules.isAllowed(line)).toBe(false);
    await rules.allow({ ...npmTest, pattern: 'git log' }, 'session');
    expect(rules.isAllowed(line)).toBe(true);
    await rules.remove(npmTest);
    expect(rules.isAllowed(line)).toBe(false);
    await rules.allow(line.rule!, 'session');
    expect(rules.isAllowed(line)).toBe(true);
  });

  it('allows a line without known commands only by a rule for the whole line', async () => {
    const rules = await createRules(memoryStore([npmTest]).store);
    expect(rules.isAllowed({ ...commandRequest(), rule: { ...npmTest, pattern: 'x' } })).toBe(false);
    expect(rules.isAllowed({ ...commandRequest(), rule: npmTest })).toBe(true);
  });

  it('keeps rules apart that differ in kind, pattern, shell or reach', async () => {
    const all: readonly ApprovalRule[] = [
      npmTest,
      { ...npmTest, kind: 'mcp' },
      { ...npmTest, pattern: 'npm run test' },
      { ...npmTest, shell: 'windows' },
      { ...npmTest, reach: 'network' },
    ];
    const rules = await createRules(memoryStore(all.slice(0, 3)).store);
    for (const rule of all) await rules.allow(rule, 'session');
    for (const rule of all.slice(0, 3)) await rules.remove(rule);
    expect(rules.list()).toEqual(all.slice(3).map((rule) => ({ rule, scope: 'session' })));
  });

  it('reads the stored rules before the first question', async () => {
    let reads = 0;
    const { store } = memoryStore();
    await StoredRules.load({ ...store, load: () => (reads++, []) });
    expect(reads).toBe(1);
  });

  it('allows no command whose request offers no rule', async () => {
    const rules = await createRules(memoryStore([npmTest]).store);
    expect(rules.isAllowed({ ...commandRequest('npm test'), rule: undefined })).toBe(false);
  });

  it('does not apply a rule for one shell to another', async () => {
    const rules = await createRules(memoryStore([{ ...npmTest, shell: 'windows' }]).store);
    expect(rules.isAllowed(commandRequest('npm test'))).toBe(false);
  });

  it('allows no edit whose request offers no rule', async () => {
    const rules = await createRules(memoryStore([anyEdit]).store);
    expect(rules.isAllowed(requestOf('edit', ['src/a.ts']))).toBe(true);
    expect(rules.isAllowed({ ...requestOf('edit', ['.env']), rule: undefined })).toBe(false);
  });

  it.each(['mcp', 'memory', 'delegate'] as const)('allows %s by its exact name', async (kind) => {
    const rules = await createRules(memoryStore([{ kind, pattern: 'files.read' }]).store);
    expect(rules.isAllowed(requestOf(kind, ['files.read']))).toBe(true);
    expect(rules.isAllowed(requestOf(kind, ['files.read2']))).toBe(false);
    expect(rules.isAllowed(requestOf(kind, ['files.*']))).toBe(false);
  });

  it('does not apply a rule to another kind of action', async () => {
    const rules = await createRules(memoryStore([anyEdit]).store);
    expect(rules.isAllowed(requestOf('command', ['**']))).toBe(false);
    expect(rules.isAllowed(requestOf('mcp', ['**']))).toBe(false);
  });
});

describe('ruleInWords', () => {
  it.each([
    ['npm test', 'Exactly: npm test'],
    ['git log', 'git log … (with all read-only options, inside the workspace)'],
    ['cd sub && git log', 'cd sub && git log … (with all read-only options, inside the workspace)'],
    ["cd 'a b' && ls", "cd 'a b' && ls … (with all read-only options, inside the workspace)"],
    ['git commit', 'git commit … (with its everyday options, inside the workspace)'],
    ['git log --oneline && npm test', 'Exactly: git log --oneline && npm test'],
  ])('describes the rule %s as %s', (pattern, words) => {
    expect(ruleInWords({ kind: 'command', pattern, shell: 'posix' }).english).toBe(words);
  });

  it.each([
    [
      anyEdit,
      'Edits to source files and documents, except those that configure tools, run automatically or instruct agents',
    ],
    [{ kind: 'mcp', pattern: 'files.read' }, 'The tool files.read'],
    [{ kind: 'read', pattern: '/etc/hosts' }, 'Reading /etc/hosts'],
    [{ kind: 'memory', pattern: '**' }, 'Notes to remember'],
    [{ kind: 'delegate', pattern: '**' }, 'Starting sub-agents'],
    [{ ...npmTest, reach: 'network' }, 'Exactly: npm test, in the sandbox with network'],
  ] as const)('describes the scope of %o', (rule, words) => {
    expect(ruleInWords(rule).english).toBe(words);
  });
});

describe('bringUpToDate', () => {
  async function broughtUpToDate(...rules: readonly ApprovalRule[]) {
    const { store, saved } = memoryStore(rules);
    const sentences: string[] = [];
    await bringUpToDate(await StoredRules.load(store), (sentence) => sentences.push(sentence), 'posix');
    return { rules: saved(), sentences };
  }

  it.each(['npm test', 'git log', 'sed', 'make test', 'cd sub && npm test', 'npm run build && npm test'])(
    'keeps %s, whose meaning has not become wider',
    async (pattern) => {
      const { rules, sentences } = await broughtUpToDate({ kind: 'command', pattern });
      expect(rules).toEqual([{ kind: 'command', pattern, shell: 'posix' }]);
      expect(sentences).toEqual([]);
    },
  );

  it.each(['rm -rf build', 'ls *.ts', 'npm test > out.txt', 'bash -c x', 'cat .env', 'make -C ../other'])(
    'removes %s and reports it',
    async (pattern) => {
      const { rules, sentences } = await broughtUpToDate({ kind: 'command', pattern });
      expect(rules).toEqual([]);
      expect(sentences).toEqual([`A rule of an earlier version is asked about again: command ${pattern}`]);
    },
  );

  it('keeps unchanged rules and rules for another shell', async () => {
    const others: readonly ApprovalRule[] = [
      npmTest,
      anyEdit,
      { kind: 'mcp', pattern: 'files.read' },
      { kind: 'command', pattern: 'dir /s', shell: 'windows' },
    ];
    expect(await broughtUpToDate(...others)).toEqual({ rules: others, sentences: [] });
  });

  it('removes a rule for edits with an outdated pattern', async () => {
    expect((await broughtUpToDate({ kind: 'edit', pattern: 'src/**' })).rules).toEqual([]);
  });
});
