import { basename, isAbsolute } from 'node:path';
import type { Surroundings } from '../../agent/files/surroundings.ts';
import type { Sentence } from '../../language/sentence.ts';
import { type ConfigFile, configFiles, type ConnectableAgent, connectableAgents } from './agent-config.ts';
import { holdsConnection } from './config-changes.ts';
import { ConfigError } from './json-config.ts';
import { launcherIn } from './launcher.ts';
import { allReceipts, type StoredReceipt } from './receipts.ts';

/** An agent with the files that connect it. */
export interface Connection {
  readonly agent: ConnectableAgent;
  readonly files: readonly ConfigFile[];
}

/** The connections of this computer, and the reasons why some files could not be examined. */
interface Connections {
  readonly connections: readonly Connection[];
  readonly problems: readonly Sentence[];
}

/**
 * Finds connected agents, with or without receipts. It reads the usual configuration files, and files named
 * by the environment or by receipts.
 * @param folder the folder of the receipts
 */
export async function findConnections(folder: string, surroundings: Surroundings): Promise<Connections> {
  const receipts = await allReceipts(folder);
  const problems: Sentence[] = [];
  const connections = connectableAgents.map((agent) => {
    const files = filesOf(agent, folder, surroundings, receipts).filter((file) => {
      try {
        return holdsConnection(file);
      } catch (error) {
        if (!(error instanceof ConfigError)) throw error;
        // Without a receipt, the file probably contains no connection.
        if (receipts.some(({ path }) => path === file.path)) problems.push(error.sentence);
        return false;
      }
    });
    return { agent, files };
  });
  return { connections: connections.filter(({ files }) => files.length > 0), problems };
}

function filesOf(
  agent: ConnectableAgent,
  folder: string,
  surroundings: Surroundings,
  receipts: readonly StoredReceipt[],
): readonly ConfigFile[] {
  const launcher = launcherIn(folder, surroundings.platform);
  const [here, usual] = [surroundings, { ...surroundings, environment: {} }].map((one) =>
    configFiles(agent, launcher, one),
  );
  const elsewhere = receipts.flatMap(({ agents, path = '' }) =>
    agents.includes(agent) && isAbsolute(path)
      ? (usual ?? [])
          .filter((file) => basename(file.path) === basename(path))
          .map((file) => ({ ...file, path }))
      : [],
  );
  return [
    ...new Map([...(here ?? []), ...(usual ?? []), ...elsewhere].map((file) => [file.path, file])).values(),
  ];
}
