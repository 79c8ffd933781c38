import { appendFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { ChatPage } from '../harness/chat-page.ts';
import { agentFolders } from '../harness/foreign-sessions.ts';
import { VscodeWorkbench } from '../harness/vscode-workbench.ts';
import { claudeCodeSession, forgottenFile, rememberedFile } from '../support/claude-code-session.ts';
import { eventually } from '../support/eventually.ts';
import { claudeCodeFields, contextIn, runConfiguredHooks } from '../support/agents/hook-agents.ts';

const settingsBefore = '{\n  // Mine\n  "model": "opus"\n}\n';

/** Each test begins where the one before it ended. */
describe('an agent on this computer', () => {
  let workbench: VscodeWorkbench;
  let settings: string;

  beforeAll(async () => {
    workbench = await VscodeWorkbench.open();
    settings = join(workbench.host.agentsFolder, 'claude', 'settings.json');
    await mkdir(dirname(settings), { recursive: true });
    await writeFile(settings, settingsBefore);
    // A page of the first start takes the focus and closes the list.
    await ChatPage.open(workbench);
    return () => workbench.close();
  });

  const choose = (command: string, agent: string) =>
    workbench.runAndChoose(command, workbench.listRows(agent).first());
  const question = (text: string) => workbench.quickInput.getByText(text).first();
  const agree = async (to: string) => {
    await workbench.quickInput.getByRole('option', { name: to, exact: true }).click();
  };

  const runHooks = (event: string, input: object) =>
    runConfiguredHooks(settings, agentFolders(workbench.host.agentsFolder), event, input);

  it('is connected only after its exact configuration change is shown', async () => {
    await choose('Context Budget: Connect an Agent…', 'Claude Code');
    await question('Connect Claude Code? This changes').waitFor();
    await workbench.page.locator('.editor-instance').getByText('SessionStart').first().waitFor();
    expect(await readFile(settings, 'utf8')).toBe(settingsBefore);
  });

  it('is connected once the user agrees', async () => {
    await agree('Connect');
    await workbench.notification('Claude Code gets back what its summaries leave out').waitFor();
    const after = await readFile(settings, 'utf8');
    expect(after).toContain('// Mine');
    expect(after).toContain('hook PreCompact');
  });

  it('receives at its next start the facts that a summary lost', async () => {
    const session = join(workbench.host.agentsFolder, 'claude/projects/printer/s1.jsonl');
    await mkdir(dirname(session), { recursive: true });
    const lines = claudeCodeSession.split('\n');
    const summaryAt = lines.findIndex((line) => line.includes('"isCompactSummary":true'));
    await writeFile(session, `${lines.slice(0, summaryAt).join('\n')}\n`);
    expect(await runHooks('PreCompact', claudeCodeFields('PreCompact', session))).toBe('');
    await appendFile(session, `${lines[summaryAt]}\n`);
    const start = claudeCodeFields('SessionStart', session, { source: 'compact' });
    const given = contextIn(await runHooks('SessionStart', start));
    expect(given).toContain(forgottenFile);
    expect(given).not.toContain(rememberedFile);
  });

  it('has its earlier configuration again once it is disconnected', async () => {
    await choose('Context Budget: Disconnect an Agent…', 'Claude Code');
    await question('Disconnect Claude Code? This changes').waitFor();
    await agree('Disconnect');
    await workbench.notification('Claude Code is disconnected').waitFor();
    await eventually(() => readFile(settings, 'utf8')).toBe(settingsBefore);
  });

  it('is not changed if its configuration cannot be read', async () => {
    await writeFile(settings, '{ "hooks": ');
    await choose('Context Budget: Connect an Agent…', 'Claude Code');
    await workbench.notification('is not valid JSON: see line 1').waitFor();
    expect(await readFile(settings, 'utf8')).toBe('{ "hooks": ');
  });
});
