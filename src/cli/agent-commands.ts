import { hookEvents } from '../bridge/hooks/hook-call.ts';
import { type Command, readArguments } from './command.ts';
import { disconnect } from './disconnect-command.ts';

/** Commands for other agents. The commands that agents call load their code on demand. */
export const agentCommands: readonly Command[] = [
  {
    name: 'hook',
    synopsis: hookEvents.join('|'),
    summary:
      'Answers a hook of another agent, over standard input and output: gives back what a compaction lost. Never fails.',
    async run([event]) {
      const { runHookCommand } = await import('./hook-command.ts');
      await runHookCommand(event);
      return 0;
    },
  },
  {
    name: 'disconnect',
    synopsis: '[AGENT ...] [--yes]',
    summary: 'Lists connected agents, or disconnects the named ones after it has shown the change and asked.',
    run: disconnect,
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
  {
    name: 'proxy',
    synopsis:
      '--upstream URL [--port N] [--compact STRATEGY [--window N] [--recall]] [--no-bodies] [--with-parent]',
    summary:
      'Passes requests of an agent on to its provider and records them. Prints the base URL to give the agent, and runs until it is interrupted.',
    async run(args, io) {
      const { runProxyCommand } = await import('./proxy-command.ts');
      await runProxyCommand(args, io);
      return 0;
    },
  },
  {
    name: 'otlp',
    synopsis: '[--port N]',
    summary:
      'Receives telemetry of other programs over OTLP/HTTP and stores it as sessions. Prints the endpoint to give them, and runs until it is interrupted.',
    async run(args, io) {
      const { runOtlpCommand } = await import('./otlp-command.ts');
      await runOtlpCommand(args, io);
      return 0;
    },
  },
];
