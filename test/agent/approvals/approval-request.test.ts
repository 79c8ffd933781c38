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
  KeptRules,
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
    subjects: [command],
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
  const rules = new ApprovalRules(await KeptRules.load(store), () => true);
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
  ])('with reach %s covers a command that asks for %o: %s', async (reach, terms, granted) => {
    expect(await unasked(ruleWith(reach), terms)).toBe(granted);
  });

  it('keeps the reach allowed on the card, not the requested one', async () => {
    const { rules, approvals } = await start();
    const decision = approvals.ask(requestOf({ reach: 'sandbox' }), 'c', never);
    await settled();
    await approvals.decide('c', { isAllowed: true, scope: 'always', reach: 'network' });
    expect(await decision).toEqual({ isAllowed: true, scope: 'always', reach: 'network' });
    expect(rules.list().map(({ rule }) => rule)).toEqual([ruleWith('network')]);
  });

  it('keeps the requested reach if the user changed nothing', async () => {
    const { rules, approvals } = await start();
    void approvals.ask(requestOf({ reach: 'network', networkReason: 'It installs.' }), 'c', never);
    await settled();
    await approvals.decide('c', { isAllowed: true, scope: 'session' });
    expect(rules.list().map(({ rule }) => rule)).toEqual([ruleWith('network')]);
  });

  it('answers other waiting questions, but none with a wider reach', async () => {
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

  it('states its reach', () => {
    expect(ruleInWords(ruleWith('sandbox')).english).toMatch(/, in the sandbox without network$/);
    expect(ruleInWords(ruleWith('network')).english).toMatch(/, in the sandbox with network$/);
    expect(ruleInWords(ruleWith('everything')).english).toMatch(/, outside the sandbox$/);
    expect(ruleInWords(ruleWith()).english).not.toContain('sandbox');
  });
});
