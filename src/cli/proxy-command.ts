import { randomBytes } from 'node:crypto';
import { surroundingsHere } from '../agent/files/surroundings.ts';
import { startProxy } from '../bridge/proxy/proxy-server.ts';
import { Recorder } from '../bridge/proxy/recorder.ts';
import { upstreamOf } from '../bridge/proxy/upstream.ts';
import { stateFolder } from '../transcripts/session/state-folder.ts';
import { wires } from '../wire/wires.ts';
import { integerOf, type Io, readArguments, UsageError, valued } from './command.ts';
import { createMeter } from './measuring.ts';

/** Bytes of the token in the base URL. */
const tokenBytes = 16;

/**
 * Passes requests of any client on to a provider and records them, until the user interrupts the program.
 *
 * @throws {UsageError} for wrong arguments
 * @throws {SentenceError} if the port is in use
 */
export async function runProxyCommand(args: readonly string[], io: Io): Promise<void> {
  const { values } = readArguments(
    args,
    { upstream: valued, port: valued, 'no-bodies': { type: 'boolean', default: false } },
    [],
  );
  if (values.upstream === undefined) {
    throw new UsageError('--upstream must name the provider, for example https://api.anthropic.com.');
  }
  const upstream = upstreamOf(values.upstream);
  const recorder = values['no-bodies']
    ? undefined
    : new Recorder({
        folder: `${stateFolder(surroundingsHere())}/wire`,
        workingFolder: process.cwd(),
        meter: createMeter('o200k_base'),
        log: io.note,
      });
  const proxy = await startProxy({
    upstream,
    port: integerOf('port', values.port, 0) ?? 0,
    token: randomBytes(tokenBytes).toString('hex'),
    wires,
    observe: (start) => (start.asks === 'reply' ? recorder?.observe(start) : undefined),
    log: io.note,
  });
  io.print(proxy.baseUrl);
  if (!io.signal.aborted) {
    await new Promise((resolve) => io.signal.addEventListener('abort', resolve, { once: true }));
  }
  await proxy.close();
  await recorder?.close();
}
