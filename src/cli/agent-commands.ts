import { hookEvents } from '../bridge/hooks/hook-call.ts';
import { loadEncoding } from '../compaction/tokens/token-counter.ts';
import { type Command, readArguments } from './command.ts';

/** Commands that other agents run. Their code is loaded when they do. */
export const agentCommands: readonly Command[] = [
  {
    name: 'hook',
    synopsis: hookEvents.join('|'),
    summary:
      'Answers a hook of another agent, over standard input and output: gives back what a compaction lost. Never fails.',
    async run([event]) {
      const { runHookCommand } = await import('./hook-command.ts');
      await runHookCommand(event, () => loadEncoding('o200k_base'));
      return 0;
    },
  },
  {
    name: 'mcp',
    synopsis: '',
    summary:
      'Serves the sessions of this folder to any agent, over standard input and output: recall, search_history, what_was_lost, context_usage.',
    async run(args, { signal }) {
      readArguments(args, {}, []);
      const { runMcpCommand } = await import('./mcp-command.ts');
      await runMcpCommand(signal);
      return 0;
    },
  },
];
