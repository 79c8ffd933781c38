import { describe, expect, it } from 'vitest';
import {
  type ApprovalRequest,
  type ApprovalRule,
  type CommandReach,
  type CommandTerms,
  PendingApprovals,
} from '../../../src/agent/approvals/approval-request.ts';
import {
  ApprovalRules,
  StoredRules,
  ruleInWords,
  type RuleStore,
} from '../../../src/agent/approvals/approval-rules.ts';
import { said } from '../../support/sentences.ts';

const never = new AbortController().signal;
const noSandbox: CommandTerms = { reach: 'everything', withoutSandbox: 'missing' };

function requestOf(terms: CommandTerms): ApprovalRequest {
  const command = 'npm test';
  return {
    kind: 'command',
    title: said(command),
    details: command,
    patterns: [command],
    rule: { kind: 'command', pattern: command },
    terms,
  };
}

async function start(...kept: readonly ApprovalRule[]) {
  let saved = kept;
  const store: RuleStore = {
    load: () => saved,
    change(change) {
      saved = change(saved);
      return Promise.resolve();
    },
  };
  const rules = new ApprovalRules(await StoredRules.load(store), () => true);
  const asked: string[] = [];
  const approvals = new PendingApprovals(rules, (callKey, request) => {
    if (request !== undefined) asked.push(callKey);
  });
  return { rules, approvals, asked };
}

/** The reach granted without a question, or `asked` if the user is asked. */
async function unasked(rule: ApprovalRule, terms: CommandTerms): Promise<CommandReach | 'asked'> {
  const { approvals, asked } = await start(rule);
  const stop = new AbortController();
  const decision = approvals.ask(requestOf(terms), 'c', stop.signal).catch(() => undefined);
  const answer = await Promise.race([decision, settled()]);
  stop.abort();
  if (asked.length > 0) return 'asked';
  return answer?.isAllowed === true ? (answer.reach ?? terms.reach) : 'asked';
}

/** Resolves once all pending promise callbacks have run. */
const settled = () => new Promise<undefined>((resolve) => setImmediate(() => resolve(undefined)));

const ruleWith = (reach?: CommandReach): ApprovalRule => ({
  kind: 'command',
  pattern: 'npm test',
  ...(reach === undefined ? {} : { reach }),
});

describe('a rule for a command', () => {
  it.each<[CommandReach | undefined, CommandTerms, CommandReach | 'asked']>([
    ['sandbox', { reach: 'sandbox' }, 'sandbox'],
    ['sandbox', { reach: 'network' }, 'asked'],
    ['sandbox', { reach: 'everything' }, 'asked'],
    ['sandbox', noSandbox, 'asked'],
    ['network', { reach: 'sandbox' }, 'network'],
    ['network', { reach: 'network' }, 'network'],
    ['network', noSandbox, 'asked'],
    ['everything', { reach: 'sandbox' }, 'everything'],
    ['everything', { reach: 'network' }, 'everything'],
    ['everything', noSandbox, 'everything'],
    // A rule made without a sandbox.
    [undefined, { reach: 'sandbox' }, 'sandbox'],
    [undefined, { reach: 'network' }, 'asked'],
    [undefined, noSandbox, 'everything'],
  ])('with the reach %s, for the requested terms %o, results in: %s', async (reach, terms, granted) => {
    expect(await unasked(ruleWith(reach), terms)).toBe(granted);
  });

  it('keeps the reach that the user chose on the card, not the requested one', async () => {
    const { rules, approvals } = await start();
    const decision = approvals.ask(requestOf({ reach: 'sandbox' }), 'c', never);
    await settled();
    await approvals.decide('c', { isAllowed: true, scope: 'always', reach: 'network' });
    expect(await decision).toEqual({ isAllowed: true, scope: 'always', reach: 'network' });
    expect(rules.list().map(({ rule }) => rule)).toEqual([ruleWith('network')]);
  });

  it('keeps the requested reach if the user did not change it', async () => {
    const { rules, approvals } = await start();
    void approvals.ask(requestOf({ reach: 'network', networkReason: 'It installs.' }), 'c', never);
    await settled();
    await approvals.decide('c', { isAllowed: true, scope: 'session' });
    expect(rules.list().map(({ rule }) => rule)).toEqual([ruleWith('network')]);
  });

  it('also answers waiting questions, except those that need a wider reach', async () => {
    const { approvals } = await start();
    const less = approvals.ask(requestOf({ reach: 'sandbox' }), 'less', never);
    const more = approvals.ask(requestOf({ reach: 'network' }), 'more', never);
    const first = approvals.ask(requestOf({ reach: 'sandbox' }), 'first', never);
    await settled();
    await approvals.decide('first', { isAllowed: true, scope: 'session' });
    expect(await first).toMatchObject({ isAllowed: true });
    expect(await less).toMatchObject({ isAllowed: true, reach: 'sandbox' });
    expect(approvals.requestOf('more')).toBeDefined();
    await approvals.decide('more', { isAllowed: false, feedback: '' });
    expect(await more).toMatchObject({ isAllowed: false });
  });

  it('is described with its reach', () => {
    expect(ruleInWords(ruleWith('sandbox')).english).toMatch(/, in the sandbox without network$/);
    expect(ruleInWords(ruleWith('network')).english).toMatch(/, in the sandbox with network$/);
    expect(ruleInWords(ruleWith('everything')).english).toMatch(/, outside the sandbox$/);
    expect(ruleInWords(ruleWith()).english).not.toContain('sandbox');
  });
});

describe('PendingApprovals', () => {
  const edit: ApprovalRequest = {
    kind: 'edit',
    title: said('Edit a.ts'),
    details: '',
    patterns: ['a.ts'],
    rule: { kind: 'edit', pattern: '**' },
  };
  const yes = { isAllowed: true, scope: 'once' } as const;

  it('reports when a question opens and closes', async () => {
    const told: unknown[] = [];
    const { rules } = await start();
    const approvals = new PendingApprovals(rules, (key, request) => told.push([key, request?.kind]));
    const decision = approvals.ask(edit, 'c', never);
    await settled();
    expect(approvals.requestOf('c')).toBe(edit);
    expect(await approvals.decide('c', yes)).toBe(true);
    expect(await decision).toBe(yes);
    expect(told).toEqual([
      ['c', 'edit'],
      ['c', undefined],
    ]);
    expect(approvals.requestOf('c')).toBeUndefined();
  });

  it('asks no question if a rule allows the request', async () => {
    const { approvals, asked } = await start({ kind: 'edit', pattern: '**' });
    expect(await approvals.ask(edit, 'c', never)).toEqual(yes);
    expect(asked).toEqual([]);
  });

  it.each([
    ['allowed once', yes],
    ['refused', { isAllowed: false, feedback: 'no' }],
  ] as const)('makes no rule for a request that is %s', async (_, decision) => {
    const { rules, approvals } = await start();
    void approvals.ask(edit, 'c', never);
    await settled();
    await approvals.decide('c', decision);
    expect(rules.list()).toEqual([]);
  });

  it('makes no rule if the request offers no rule', async () => {
    const { rules, approvals } = await start();
    const decision = approvals.ask({ ...edit, rule: undefined }, 'c', never);
    await settled();
    await approvals.decide('c', { isAllowed: true, scope: 'always' });
    expect(await decision).toMatchObject({ isAllowed: true });
    expect(rules.list()).toEqual([]);
  });

  it('makes a rule without a reach for an edit, and for a command without a sandbox', async () => {
    const { rules, approvals } = await start();
    const chosen = { isAllowed: true, scope: 'session', reach: 'everything' } as const;
    for (const request of [edit, requestOf(noSandbox)]) {
      void approvals.ask(request, request.kind, never);
      await settled();
      await approvals.decide(request.kind, chosen);
    }
    expect(rules.list().map(({ rule }) => rule)).toEqual([edit.rule, ruleWith()]);
  });

  it('asks about an edit even if a rule for edits has the widest reach', async () => {
    const { approvals, asked } = await start({ kind: 'edit', pattern: '**', reach: 'everything' });
    const decision = approvals.ask(edit, 'c', never);
    await settled();
    expect(asked).toEqual(['c']);
    await approvals.decide('c', { isAllowed: false, feedback: '' });
    expect(await decision).toMatchObject({ isAllowed: false });
  });

  it('ignores an answer to a question that is not waiting', async () => {
    const { approvals } = await start();
    expect(await approvals.decide('c', yes)).toBe(false);
  });

  it('asks nothing if already cancelled, and drops a question if the call is cancelled', async () => {
    const { approvals, asked } = await start();
    const stop = new AbortController();
    const decision = approvals.ask(edit, 'c', stop.signal);
    await settled();
    stop.abort();
    await expect(decision).rejects.toThrow();
    expect(approvals.requestOf('c')).toBeUndefined();
    await expect(approvals.ask(edit, 'd', stop.signal)).rejects.toThrow();
    expect(asked).toEqual(['c']);
  });

  it('asks nothing if the call is cancelled while rules are read', async () => {
    const stop = new AbortController();
    const asked: string[] = [];
    const isAllowed = () => (stop.abort(), false);
    const approvals = new PendingApprovals({ isAllowed, allow: () => undefined }, (key) => asked.push(key));
    await expect(approvals.ask(edit, 'c', stop.signal)).rejects.toThrow();
    expect(asked).toEqual([]);
  });
});
