/**
 * Runs real agents against a scripted model without a network. Writes `docs/agents.md`, the sizes in
 * `src/transcripts/unseen-sizes.ts`, and the sessions in `test/fixtures/agents`.
 *
 * Usage: node scripts/agents.ts [--again] [AGENT…]. Without names, runs all agents with a free licence. `--again`
 * measures the last runs again and runs no agent.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { format, resolveConfig } from 'prettier';
import type { Agent } from './agents/agent.ts';
import { agents } from './agents/agents.ts';
import { agentsDocument, type AgentResult, unseenRows } from './agents/document.ts';
import { keepSessions } from './agents/fixtures.ts';
import { measureRun } from './agents/measure-run.ts';
import { type FinishedRun, lastRun, runAgent } from './agents/run-agent.ts';
import { requireSandbox } from './agents/sandbox.ts';
import { projectFolder } from './project.ts';
import { runMain } from './run-main.ts';

await runMain(async () => {
  const { values, positionals } = parseArgs({
    options: { again: { type: 'boolean', default: false } },
    allowPositionals: true,
  });
  const unknown = positionals.find((name) => agents.every(({ id }) => id !== name));
  if (unknown !== undefined)
    throw new Error(`There is no agent ${unknown}. There are: ${agents.map(({ id }) => id).join(', ')}.`);
  await requireSandbox();
  const chosen = agents.filter(({ id, licence }) =>
    positionals.length === 0 ? licence !== undefined : positionals.includes(id),
  );
  for (const agent of values.again ? [] : chosen) await tryRun(agent);
  const results: AgentResult[] = [];
  // The page includes every agent that ever ran on this machine, so that a single agent can be run again.
  for (const agent of agents) {
    const run = await lastRun(agent);
    if (run !== undefined) results.push({ agent, outcome: await measured(agent, run) });
  }
  await writePage(results);
  await writeSizes(results);
});

async function tryRun(agent: Agent): Promise<void> {
  console.log(`${agent.title} ${agent.version} …`);
  try {
    const { turns, requests } = await runAgent(agent);
    for (const { name, code, seconds } of turns) console.log(`  ${name}: code ${code}, ${seconds} s`);
    const missed = requests.flatMap(({ missed }) => missed ?? []);
    if (missed.length > 0) console.log(`  no tool for: ${missed.join(', ')}`);
  } catch (error) {
    console.log(`  ${error instanceof Error ? error.message : String(error)}`);
  }
}

async function measured(agent: Agent, run: FinishedRun): Promise<AgentResult['outcome']> {
  try {
    const measure = await measureRun(agent, run);
    if (agent.licence !== undefined) await keepSessions(measure, run);
    return measure;
  } catch (error) {
    return { failure: error instanceof Error ? error.message : String(error) };
  }
}

async function writePage(results: readonly AgentResult[]): Promise<void> {
  const page = join(projectFolder, 'docs', 'agents.md');
  const text = agentsDocument(results, new Date().toISOString().slice(0, 10));
  await writeFile(page, await format(text, { ...(await resolveConfig(page)), parser: 'markdown' }));
}

/** Writes the measured sizes into the product's table. Rows of agents that did not run stay unchanged. */
async function writeSizes(results: readonly AgentResult[]): Promise<void> {
  const file = join(projectFolder, 'src', 'transcripts', 'unseen-sizes.ts');
  const measures = results.flatMap(({ outcome }) => ('failure' in outcome ? [] : [outcome]));
  let text = await readFile(file, 'utf8');
  for (const [id, { version, system, tools }] of Object.entries(unseenRows(measures))) {
    const row = new RegExp(`^( *'?${id}'?: )\\{[^}]*\\}`, 'm');
    text = text.replace(
      row,
      `$1{ version: '${version}', system: ${grouped(system)}, tools: ${grouped(tools)} }`,
    );
  }
  await writeFile(file, await format(text, { ...(await resolveConfig(file)), parser: 'typescript' }));
}

/** A number as written in source code, with underscores. */
function grouped(value: number): string {
  return value.toLocaleString('en').replaceAll(',', '_');
}
