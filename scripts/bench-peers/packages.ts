import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { projectFolder } from '../project.ts';
import { runCommand } from '../run-command.ts';

/**
 * Packages to install: the peers, and the peer dependencies of some of them. None is a dependency of this project.
 */
export const peerPackages: Readonly<Record<string, string>> = {
  '@cline/core': '0.0.86',
  '@google/adk': '2.0.0',
  '@google/gemini-cli-core': '0.61.0',
  '@langchain/core': '1.4.0',
  '@langchain/langgraph': '1.7.3',
  '@mastra/core': '1.71.0',
  '@strands-agents/sdk': '1.19.0',
  ai: '7.0.173',
  deepagents: '1.14.1',
  langchain: '1.5.14',
  langsmith: '0.9.0',
  zod: '4.6.7',
};

/** Git ignores it, as all of `out`. */
export const peersFolder = join(projectFolder, 'out', 'peers');

/** Folder where a peer may write files; emptied at the end, because the files quote the sessions. */
export const outputsFolder = join(peersFolder, 'outputs');

/** Name → why it could not be installed. */
export type FailedPackages = ReadonlyMap<string, string>;

/** The `package.json` of the folder. */
export function manifestOf(packages: Readonly<Record<string, string>>): string {
  const manifest = { name: 'context-budget-peers', private: true, type: 'module', dependencies: packages };
  return `${JSON.stringify(manifest, null, 2)}\n`;
}

/**
 * Brings every package into the folder, together where that works, else one by one, so that a package that cannot be
 * had takes no other with it. Install scripts stay off. Nothing is done where all of them are there already.
 *
 * @param report shows one line of progress
 */
export async function installPeers(
  report: (line: string) => void,
  packages = peerPackages,
  folder = peersFolder,
): Promise<FailedPackages> {
  const missing = await missingPackages(packages, folder);
  if (missing.length === 0) return new Map();
  report(`Installing ${missing.join(', ')} into ${folder} …`);
  await mkdir(folder, { recursive: true });
  if ((await install(packages, folder)) === undefined) return new Map();
  const failed = new Map<string, string>();
  let kept: Readonly<Record<string, string>> = {};
  for (const [name, version] of Object.entries(packages)) {
    report(`  ${name} ${version} …`);
    const together = { ...kept, [name]: version };
    const reason = await install(together, folder);
    if (reason === undefined) kept = together;
    else failed.set(name, reason);
  }
  if (failed.size > 0) await install(kept, folder);
  return failed;
}

/** @returns what npm said where it failed, in one line */
async function install(
  packages: Readonly<Record<string, string>>,
  folder: string,
): Promise<string | undefined> {
  await writeFile(join(folder, 'package.json'), manifestOf(packages));
  const options = ['--ignore-scripts', '--legacy-peer-deps', '--no-audit', '--no-fund', '--loglevel=error'];
  try {
    const { code, output } = await runCommand('npm', ['install', ...options], { cwd: folder });
    return code === 0 ? undefined : reasonIn(output);
  } catch (error) {
    return reasonIn(String(error));
  }
}

/** The line of npm's output that names the reason, without addresses and paths of this machine. */
export function reasonIn(output: string): string {
  const lines = output.split('\n').map((line) => line.replace(/^npm (?:error|ERR!) ?/u, '').trim());
  const telling = lines.find((line) => line !== '' && !/^(?:code|errno|syscall|path)\b/u.test(line));
  return (telling ?? 'npm failed')
    .replaceAll(/\w+:\/\/\S+/gu, '…')
    .replaceAll(/(?<![\w@.])\/[^\s'"]+/gu, '…')
    .slice(0, 160);
}

async function missingPackages(
  packages: Readonly<Record<string, string>>,
  folder: string,
): Promise<readonly string[]> {
  const missing: string[] = [];
  for (const [name, version] of Object.entries(packages)) {
    if ((await installedVersion(name, folder)) !== version) missing.push(`${name} ${version}`);
  }
  return missing;
}

async function installedVersion(name: string, folder: string): Promise<string | undefined> {
  const path = join(folder, 'node_modules', name, 'package.json');
  if (!existsSync(path)) return undefined;
  return (JSON.parse(await readFile(path, 'utf8')) as { readonly version?: string }).version;
}
