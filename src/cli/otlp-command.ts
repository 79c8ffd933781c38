import { surroundingsHere } from '../agent/files/surroundings.ts';
import { startTelemetryServer } from '../bridge/telemetry/telemetry-server.ts';
import { telemetryFolder } from '../transcripts/formats/otel/otel-files.ts';
import { type CommandIo, integerOf, readArguments, valued } from './command.ts';
import { ended, newToken } from './serving.ts';

/**
 * Receives telemetry of other programs and stores it as sessions, until the user interrupts the program.
 *
 * @throws {UsageError} for wrong arguments
 * @throws {SentenceError} if the port is in use
 */
export async function runOtlpCommand(args: readonly string[], io: CommandIo): Promise<void> {
  const { values } = readArguments(args, { port: valued }, []);
  const server = await startTelemetryServer({
    port: integerOf('port', values.port, 0) ?? 0,
    token: newToken(),
    folder: telemetryFolder(surroundingsHere()),
    log: io.log,
  });
  io.print(`OTEL_EXPORTER_OTLP_ENDPOINT=${server.baseUrl}`);
  await ended(io.signal, false);
  await server.close();
}
