import { onTestFinished } from 'vitest';
import type { Discovery } from '../../../src/agent/providers/discovered-models.ts';
import {
  discover,
  type DiscoveryEndpoint,
  type DiscoveryProblem,
} from '../../../src/agent/providers/discovery.ts';
import { PlayedServer, type PlayedAnswer } from './played-server.ts';
import { englishOf } from '../../../src/compaction/records/reason.ts';

/** A server that is closed at the end of the test. */
export async function played(answers: Readonly<Record<string, PlayedAnswer>>): Promise<PlayedServer> {
  const server = await PlayedServer.start(answers);
  onTestFinished(() => server.close());
  return server;
}

export function endpointAt(
  server: Pick<PlayedServer, 'baseUrl'>,
  options: Partial<DiscoveryEndpoint> = {},
): DiscoveryEndpoint {
  return {
    baseUrl: server.baseUrl,
    apiKey: undefined,
    authentication: 'bearer',
    defaultQuery: {},
    dialect: 'models',
    ...options,
  };
}

/** Facts discovered about a server that gives these answers. */
export async function discovered(
  dialect: DiscoveryEndpoint['dialect'],
  model: string,
  answers: Readonly<Record<string, PlayedAnswer>>,
): Promise<Discovery> {
  const found = await discover(endpointAt(await played(answers), { dialect }), model);
  if ('problem' in found) throw new Error(englishOf(found.message));
  return found;
}

export async function problemOf(
  answers: Readonly<Record<string, PlayedAnswer>>,
  options: Partial<DiscoveryEndpoint> = {},
  timeLimit = 5_000,
): Promise<DiscoveryProblem> {
  const found = await discover(endpointAt(await played(answers), options), 'any', timeLimit);
  if (!('problem' in found)) throw new Error('There was no problem.');
  return found;
}
