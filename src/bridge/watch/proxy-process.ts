import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { bridgeSentences } from '../../language/english/bridge-english.ts';
import { SentenceError } from '../../language/sentence.ts';

/** A proxy for one run of an agent. */
interface ProxyProcess {
  readonly baseUrl: string;
  /** Resolves with the path of the first recording; undefined if the process ends before. */
  readonly recorded: Promise<string | undefined>;
  /** Resolves when the process ends for another reason than `stop`. */
  readonly died: Promise<void>;
  stop(): void;
}

/** Values for starting a proxy. */
interface ProxyStart {
  /** Absolute path of the command-line program. */
  readonly program: string;
  readonly agent: { readonly title: string };
  readonly upstream: string;
  /** Working folder of the agent. */
  readonly folder: string | undefined;
  /** Id of the strategy that compacts the agent's history; undefined to send it unchanged. */
  readonly strategy?: string | undefined;
  /** Receives the lines that the proxy writes about its work. */
  readonly log: (line: string) => void;
}

/** The first line on standard output: an address on loopback with a token. Paths of recordings follow. */
const addressLine = /^http:\/\/127\.0\.0\.1:\d+\/(?<token>[\w-]+)$/u;

/**
 * Starts a proxy and waits for its address. It ends with this process, because its standard input then ends.
 * @throws {SentenceError} if it ends or says something else
 */
export async function startProxyProcess(start: ProxyStart): Promise<ProxyProcess> {
  const { program, agent, upstream, folder, strategy, log } = start;
  const compaction = strategy === undefined ? [] : ['--compact', strategy];
  const args = [program, 'proxy', '--upstream', upstream, '--with-parent', ...compaction];
  const child = spawn(process.execPath, args, {
    cwd: folder,
    // VS Code's own executable can run as Node, so Node need not be installed.
    env: { ...process.env, ELECTRON_RUN_AS_NODE: '1' },
    windowsHide: true,
  });
  child.stdin.on('error', () => {});
  let token = '';
  let lastLine = '';
  createInterface({ input: child.stderr }).on('line', (line) => {
    lastLine = token === '' ? line : line.replaceAll(token, '…');
    log(lastLine);
  });
  let isStopped = false;
  const stop = () => {
    isStopped = true;
    child.stdin.end();
    child.kill();
  };
  const ended = once(child, 'close').then(
    () => lastLine,
    (error: unknown) => String(error),
  );
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const nextLine = async () => ((await lines.next()) as IteratorResult<string, undefined>).value;
  const baseUrl = (await nextLine()) ?? '';
  token = addressLine.exec(baseUrl)?.groups?.['token'] ?? '';
  if (token === '') {
    stop();
    const reason = await ended;
    throw new SentenceError(bridgeSentences.say('watchFailed', { agent: agent.title, reason }));
  }
  const died = new Promise<void>((resolve) => {
    void ended.then(() => {
      if (!isStopped) resolve();
    });
  });
  return { baseUrl, recorded: nextLine(), died, stop };
}
