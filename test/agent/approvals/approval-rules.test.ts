import { describe, expect, it } from 'vitest';
import type { ApprovalRequest, ApprovalRule } from '../../../src/agent/approvals/approval-request.ts';
import { ApprovalRules } from '../../../src/agent/approvals/approval-rules.ts';
import { KeptRules, type RuleStore } from '../../../src/agent/approvals/kept-rules.ts';
import { ruleInWords } from '../../../src/agent/approvals/rule-in-words.ts';

const npmTest: ApprovalRule = { kind: 'command', pattern: 'npm test' };
const anyEdit: ApprovalRule = { kind: 'edit', pattern: '**' };

function requestOf(
  kind: ApprovalRequest['kind'],
  subjects: readonly string[],
  rule: ApprovalRule | undefined = { kind, pattern: '**' },
): ApprovalRequest {
  return { kind, title: '', details: '', subjects, rule };
}

/** Keeps rules as a file would. */
function memoryStore(rules: readonly ApprovalRule[] = []) {
  let saved = rules;
  const store: RuleStore = {
    load: () => Promise.resolve(saved),
    save(next) {
      saved = next;
      return Promise.resolve();
    },
  };
  return { store, saved: () => saved };
}

async function createRules(store = memoryStore().store, isEnabled = () => true) {
  return new ApprovalRules(await KeptRules.load(store), isEnabled);
}

describe('ApprovalRules', () => {
  it('allows nothing at first', async () => {
    const rules = await createRules();
    expect(rules.isAllowed(requestOf('command', ['npm test']))).toBe(false);
  });

  it('allows for one chat what was allowed for the session', async () => {
    const { store, saved } = memoryStore();
    const rules = await createRules(store);
    await rules.allow(npmTest, 'session');
    expect(rules.isAllowed(requestOf('command', ['npm test -- lock']))).toBe(true);
    expect(saved()).toEqual([]);
    expect((await createRules(store)).isAllowed(requestOf('command', ['npm test']))).toBe(false);
  });

  it('allows in all chats, and after a restart, what is always allowed', async () => {
    const { store } = memoryStore();
    const kept = await KeptRules.load(store);
    const other = new ApprovalRules(kept, () => true);
    await new ApprovalRules(kept, () => true).allow(npmTest, 'always');
    expect(other.isAllowed(requestOf('command', ['npm test']))).toBe(true);
    expect((await createRules(store)).isAllowed(requestOf('command', ['npm test']))).toBe(true);
  });

  it('keeps a rule that is allowed twice once, in the wider scope', async () => {
    const rules = await createRules();
    await rules.allow(npmTest, 'session');
    await rules.allow(npmTest, 'always');
    await rules.allow(npmTest, 'always');
    expect(rules.list()).toEqual([{ rule: npmTest, scope: 'always' }]);
  });

  it('forgets a rule that is removed, wherever it was', async () => {
    const { store, saved } = memoryStore([npmTest]);
    const rules = await createRules(store);
    await rules.allow(npmTest, 'session');
    await rules.remove(npmTest);
    expect(rules.list()).toEqual([]);
    expect(saved()).toEqual([]);
  });

  it('allows nothing in Restricted Mode, and all of it again when the folder is trusted', async () => {
    let isTrusted = false;
    const rules = await createRules(memoryStore([npmTest]).store, () => isTrusted);
    expect(rules.isAllowed(requestOf('command', ['npm test']))).toBe(false);
    isTrusted = true;
    expect(rules.isAllowed(requestOf('command', ['npm test']))).toBe(true);
  });

  it('keeps a dangerous command until the end of the chat at most, and word for word', async () => {
    const { store, saved } = memoryStore();
    const rules = await createRules(store);
    await rules.allow({ kind: 'command', pattern: 'rm -rf build' }, 'always');
    expect(saved()).toEqual([]);
    const isAllowed = (command: string) =>
      rules.isAllowed({ ...requestOf('command', [command]), rule: undefined });
    expect(isAllowed('rm -rf build')).toBe(true);
    expect(isAllowed('rm -rf build src')).toBe(false);
  });

  it('does not let a kept rule reach further than it would have been offered', async () => {
    const rules = await createRules(memoryStore([{ kind: 'command', pattern: 'rm' }]).store);
    expect(rules.isAllowed(requestOf('command', ['rm -rf src']))).toBe(false);
  });

  it('takes every subject of a request', async () => {
    const rules = await createRules(memoryStore([{ kind: 'edit', pattern: 'src/**' }]).store);
    expect(rules.isAllowed(requestOf('edit', ['src/a.ts', 'src/deep/b.ts']))).toBe(true);
    expect(rules.isAllowed(requestOf('edit', ['src/a.ts', 'package.json']))).toBe(false);
    expect(rules.isAllowed(requestOf('edit', []))).toBe(false);
  });

  it('never covers an edit for which no rule is offered', async () => {
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

  it('does not mix kinds', async () => {
    const rules = await createRules(memoryStore([anyEdit]).store);
    expect(rules.isAllowed(requestOf('command', ['**']))).toBe(false);
    expect(rules.isAllowed(requestOf('mcp', ['**']))).toBe(false);
  });
});

describe('ruleInWords', () => {
  it.each([
    [npmTest, 'npm test … (with any arguments)'],
    [{ kind: 'command', pattern: 'make test' }, 'Exactly: make test'],
    [{ kind: 'command', pattern: 'a > b' }, 'Exactly: a > b'],
    [{ kind: 'command', pattern: 'cd sub && npm test' }, 'cd sub && npm test … (with any arguments)'],
    [{ kind: 'command', pattern: 'make && npm test' }, 'Exactly: make && npm test'],
    [anyEdit, 'Edits to any file that is not sensitive'],
    [{ kind: 'mcp', pattern: 'files.read' }, 'The tool files.read'],
  ] as const)('says what %o allows', (rule, words) => {
    expect(ruleInWords(rule)).toBe(words);
  });
});
