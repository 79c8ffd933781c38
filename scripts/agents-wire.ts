/**
 * Runs real agents through a long task twice: through the proxy, and through the proxy with a compaction. Prints the
 * outcomes, the requests that a strict endpoint refused, the input tokens that a provider would have billed, and how
 * far our counts of the recordings are from the server's.
 *
 * Usage: node scripts/agents-wire.ts [--compact ladder:32000] [--again] [AGENT…]
 */
import { parseArgs } from 'node:util';
import { loadEncoding } from '../src/compaction/tokens/token-counter.ts';
import { agents } from './agents/agents.ts';
import { PromptCache } from './agents/prompt-cache.ts';
import { type FinishedRun, lastRun, runAgent } from './agents/run-agent.ts';
import { requireSandbox } from './agents/sandbox.ts';
import { markdown } from './bench/tables.ts';
import { wireFidelity } from './agents/wire-fidelity.ts';
import { runMain } from './run-main.ts';

/** Prices of cached tokens relative to new ones. */
const prices = { read: 0.1, written: 1.25 };

await runMain(async () => {
  const { values, positionals } = parseArgs({
    options: {
      compact: { type: 'string', default: 'ladder:32000' },
      again: { type: 'boolean', default: false },
    },
    allowPositionals: true,
  });
  await requireSandbox();
  const count = await loadEncoding('o200k_base');
  const rows: string[][] = [];
  const fidelities: string[][] = [];
  for (const agent of agents.filter(({ id }) => positionals.length === 0 || positionals.includes(id))) {
    const runs: FinishedRun[] = [];
    for (const wire of ['record', values.compact]) {
      const run = values.again ? await lastRun(agent, wire) : await runAgent(agent, { wire, isLong: true });
      if (run !== undefined) runs.push(run);
    }
    const [plain, compacted] = runs;
    if (plain === undefined || compacted === undefined) continue;
    const { requests, worst, parts } = await wireFidelity(plain);
    fidelities.push([
      agent.title,
      `${requests}`,
      percent(worst, 2),
      ...[parts.tools, parts.system, parts.messages].map((share) => percent(share, 2)),
    ]);
    const [without, billed] = [billOf(plain, count), billOf(compacted, count)];
    rows.push([
      agent.title,
      endingOf(plain) === endingOf(compacted) ? 'alike' : `${endingOf(plain)} / ${endingOf(compacted)}`,
      `${refusedIn(plain).length} / ${refusedIn(compacted).length}`,
      `${percent(without.read / without.tokens)} / ${percent(billed.read / billed.tokens)}`,
      `${without.tokens.toLocaleString('en')} / ${billed.tokens.toLocaleString('en')}`,
      percent(billed.tokens / without.tokens),
      percent((billed.tokens - billed.read) / (without.tokens - without.read)),
      percent(billed.price / without.price),
    ]);
    for (const reason of new Set([...refusedIn(plain), ...refusedIn(compacted)])) console.log(`  ${reason}`);
  }
  const heads = [
    'agent',
    'ends',
    'refused',
    'cached',
    'input tokens',
    'share',
    'share of uncached',
    'price of input',
  ];
  console.log(markdown(heads, rows));
  const parts = ['agent', 'requests', 'worst difference to the report', 'tools', 'system', 'messages'];
  console.log(markdown(parts, fidelities));
});

/** The calls and texts of a run's replies, and how its turns ended. */
function endingOf({ turns, requests }: FinishedRun): string {
  const replies = requests.filter(({ kind }) => kind === 'main').map(({ reply }) => reply.text ?? reply.tool);
  return `${turns.map(({ code }) => code).join(' ')}, ${replies.length} replies`;
}

function refusedIn({ requests }: FinishedRun): readonly string[] {
  return requests.flatMap(({ refused }) => refused ?? []);
}

function billOf({ requests }: FinishedRun, count: (text: string) => number) {
  const cache = new PromptCache(count);
  const bill = { tokens: 0, read: 0, price: 0 };
  for (const { wire, body } of requests) {
    const { tokens, read, written } = cache.take(wire, body);
    bill.tokens += tokens;
    bill.read += read;
    bill.price += tokens - read - written + prices.read * read + prices.written * written;
  }
  return bill;
}

function percent(share: number, digits = 1): string {
  return `${(100 * share).toFixed(digits)}%`;
}
