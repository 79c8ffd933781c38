import { keepPrivate } from '../../agent/files/private-files.ts';
import { surroundingsHere } from '../../agent/files/surroundings.ts';
import * as vscode from 'vscode';
import {
  defaultDeadline,
  type RegisteredStrategies,
} from '../../agent/custom-strategy/registered-strategies.ts';
import type { PictureTaker } from '../../agent/attachments/read-picture.ts';
import type { SubAgentHost } from '../../agent/delegation/sub-agent-session.ts';
import { systemPrompt } from '../../agent/session/system-prompt.ts';
import { factsOfModel } from '../../compaction/budget/model-table.ts';
import { CustomStrategyTitles } from '../../agent/custom-strategy/custom-strategy-titles.ts';
import { useDeclaredTitle } from '../settings/strategy-texts.ts';
import type { GovernedHistories } from '../../agent/governed/governed-histories.ts';
import type { UsageMeter } from '../../compaction/tokens/usage.ts';
import type { WatchedSessions } from '../live/watched-sessions.ts';
import { EngineClient } from '../../presenters/engine/engine-client.ts';
import type { OpenedTranscripts } from '../../presenters/live/opened-transcripts.ts';
import type { ReadingPorts } from '../../presenters/live/session-reader.ts';
import type { SubAgentSessions } from '../../presenters/inspector/sub-agent-sessions.ts';
import { compactionSettings, type Settings } from '../../presenters/settings/read-settings.ts';
import { SessionStore } from '../../presenters/storage/session-store.ts';
import { openStorage } from '../../presenters/storage/shared-folder.ts';
import { StateFile } from '../../presenters/storage/state-file.ts';
import { AgentHost } from '../agent/agent-host.ts';
import { ApiKeys, ClearTextConsent } from '../models/endpoint-access.ts';
import { ModelProvider } from '../models/model-provider.ts';
import { findRipgrep } from '../agent/ripgrep.ts';
import { openFolders } from '../editor/open-folders.ts';
import { SessionHub } from '../sessions/session-hub.ts';
import { tellOfRewritten } from '../sessions/session-notices.ts';
import { WindowSettings } from '../settings/editor-settings.ts';
import { editorWording } from '../editor/editor-wording.ts';
import { showWarning } from '../editor/plain-notices.ts';
import { LoadedOnce } from '../editor/loaded-once.ts';

/** Objects that this window has only once: settings, models, storage, agent and sessions. */
export interface Services {
  readonly log: vscode.LogOutputChannel;
  readonly settings: () => Settings;
  readonly keys: ApiKeys;
  readonly consent: ClearTextConsent;
  readonly provider: ModelProvider;
  /** Fires when new facts about a model are known. */
  readonly onDidFindModel: vscode.Event<void>;
  readonly agent: AgentHost;
  readonly pictureTaker: () => PictureTaker;
  /** Services of every session, whether a chat or a sub-agent. */
  readonly sessionPorts: SubAgentHost['ports'];
  readonly transcriptPorts: ReadingPorts;
  /** Returns the opened sessions of other agents. Loaded with the first call. */
  readonly opened: () => Promise<OpenedTranscripts>;
  /** Returns all sessions of other agents. Loaded with the first call. */
  readonly foreignSessions: () => Promise<WatchedSessions>;
  /** Returns the sub-agents of sessions. Loaded with the first call. */
  readonly subAgents: () => Promise<SubAgentSessions>;
  readonly hub: SessionHub;
  /** The conversations of VS Code's own chat. Loaded with its first request. */
  readonly governed: LoadedOnce<GovernedHistories>;
  /** Closes the open sessions, because other windows may be waiting for them, and sends the last telemetry. */
  close(): Promise<void>;
  dispose(): void;
  readonly meterOf: () => UsageMeter;
  readonly engine: EngineClient;
  readonly systemPrompt: () => string;
}

/** Creates the services. Encodings and models are loaded only with the first message. */
export function createServices(
  context: vscode.ExtensionContext,
  log: vscode.LogOutputChannel,
  registered: RegisteredStrategies,
): Services {
  // Created first, so that the settings are updated before other listeners read them.
  const windowSettings = new WindowSettings();
  const settings = () => windowSettings.current;
  const keys = new ApiKeys(context.secrets);
  const consent = new ClearTextConsent(context.globalState);
  const found = new vscode.EventEmitter<void>();
  const provider = new ModelProvider(keys, settings, {
    consent,
    changed: () => found.fire(),
    now: () => Date.now(),
  });
  const engine = new EngineClient(new URL('./engine-worker.js', import.meta.url), (line) => log.warn(line));
  const meterOf = () => engine.meterOf(provider.choice.encoding, provider.images.rule);
  const pictureTaker = () => ({ label: provider.choice.label, takesPictures: provider.images.isTaken });
  const titles = new CustomStrategyTitles(registered);
  useDeclaredTitle(() => titles.of(settings().customStrategy));
  const stored = openStorage(context.storageUri ?? context.globalStorageUri, log);
  void keepPrivate(context.globalStorageUri.fsPath);
  const agent = new AgentHost({
    settings,
    window: () => provider.choice.window,
    model: pictureTaker,
    ripgrepPath: findRipgrep(vscode.env.appRoot, openFolders()),
    stored,
    memory: { path: vscode.Uri.joinPath(context.globalStorageUri, 'memory.md').fsPath, shown: 'memory.md' },
    secrets: context.secrets,
    kept: context.globalState,
    log,
    report: (problem) => {
      log.warn(problem.english);
      void showWarning(`Context Budget: ${editorWording.text(problem)}`);
    },
  });
  // The meter is left out, because spreading its getter would read the settings in every new window.
  const portsOfAll: Omit<SubAgentHost['ports'], 'meter'> = {
    models: () => provider.models(),
    memory: () => agent.memory(),
    skills: () => agent.skills(),
    attachments: (next) => agent.attachments(next, meterOf()),
    readFile: (...named) => agent.readFile(...named),
    folder: () => agent.folders[0],
    systemPrompt: promptOfWorkspace,
    mcpToolsOnDemand: () => settings().mcpToolsOnDemand,
    settings: () => compactionSettings(settings(), provider.budget),
    customStrategy: async () => {
      const { findStrategy } = await import('../../agent/custom-strategy/find-strategy.ts');
      const found = await findStrategy(settings().customStrategy, {
        folders: agent.folders,
        registered,
        workerScript: new URL('./strategy-worker.js', import.meta.url),
        deadline: defaultDeadline,
      });
      return titles.learning(found);
    },
    now: () => Date.now(),
  };
  const sessionPorts: SubAgentHost['ports'] = {
    ...portsOfAll,
    get meter() {
      return meterOf();
    },
  };
  const limits = new LoadedOnce(async () => {
    const { agentLimitsIn } = await import('../../bridge/settings/agent-settings.ts');
    return agentLimitsIn(surroundingsHere());
  });
  const transcriptPorts: ReadingPorts = {
    meterOf,
    readerOf: async (place) => {
      const { engineReader } = await import('../../presenters/engine/engine-reader.ts');
      return engineReader({ engine, meterOf }, place);
    },
    budget: () => provider.budget,
    factsOf: (model) => factsOfModel(model, settings().models),
    listedAs: async (path) => {
      const listed = await (await foreign.get()).catalogue.find(path);
      if (listed === undefined) return undefined;
      const { titleOfSession } = await import('../../presenters/import/session-title.ts');
      const { isLive } = await import('../../presenters/sessions/session-catalogue.ts');
      const { workspace, recording } = listed;
      const title = titleOfSession(listed, editorWording);
      return { title, workspace, recording, isLive: isLive(listed, Date.now()) };
    },
    limitsOf: async (session) => (await limits.get())(session),
    marksOf: (path) => {
      const file = import('../../bridge/session-marks.ts').then(({ marksBeside }) =>
        marksBeside(surroundingsHere())(path),
      );
      return { read: async () => (await file).read(), add: async (mark) => (await file).add(mark) };
    },
  };
  const store = new SessionStore(stored('sessions'), {
    durability: () => settings().durability,
    rewritten: (notice) => tellOfRewritten(notice, log),
    windowName: () => vscode.workspace.name ?? '',
  });
  const opened = new LoadedOnce(async () => {
    const { OpenedTranscripts } = await import('../../presenters/live/opened-transcripts.ts');
    return new OpenedTranscripts({ ...transcriptPorts, wording: editorWording });
  });
  const foreign = new LoadedOnce(async () => {
    const { WatchedSessions } = await import('../live/watched-sessions.ts');
    const { fullnessReader } = await import('../../presenters/live/session-fullness.ts');
    const fill = { ...transcriptPorts, fullnessOf: fullnessReader(transcriptPorts) };
    return WatchedSessions.open(vscode.Uri.joinPath(context.globalStorageUri, '..').fsPath, fill);
  });
  const subAgents = new LoadedOnce(async () => {
    const { SubAgentSessions } = await import('../../presenters/inspector/sub-agent-sessions.ts');
    return new SubAgentSessions(store, () => sessionPorts, editorWording);
  });
  const governed = new LoadedOnce(async () => {
    const { governedChats } = await import('../models/governed-chats.ts');
    return governedChats({ sessionPorts, store, engine, log });
  });
  const telemetry = new LoadedOnce(async () => {
    const { AgentTelemetry } = await import('../agent/agent-telemetry.ts');
    const { version } = context.extension.packageJSON as { readonly version: string };
    const keyOf = () => keys.get(provider.keyUrl ?? settings().baseUrl);
    return new AgentTelemetry({ settings, version, log, keys: async () => [(await keyOf()) ?? []].flat() });
  });
  const hub: SessionHub = new SessionHub({
    ...portsOfAll,
    store,
    state: new StateFile(stored('state.json')),
    meterOf,
    engine,
    log,
    toolsOf: (access, sessionId, mayWrite) =>
      agent.toolsOf(access, {
        ports: sessionPorts,
        open: async (_subAgent, callKey) => {
          const place = (await subAgents.get()).begin(sessionId, callKey, mayWrite);
          return (await telemetry.get()).observed(place, { sessionId, callKey });
        },
        sharedFolder: (callKey) => store.sharedFolder(sessionId, callKey),
      }),
    filesOf: (sessionId) =>
      agent.folders.length === 0 ? Promise.resolve(undefined) : agent.filesOf(sessionId),
    approvalsOf: () => agent.approvals(),
    forget: (sessionId) => agent.forget(sessionId),
    telemetry: () => telemetry.get(),
    continued: async (id) => (await governed.started)?.find(id),
    hasWindow: async () => (await import('../sessions/window-present.ts')).hasWindow(),
  });
  return {
    log,
    settings,
    keys,
    consent,
    provider,
    onDidFindModel: found.event,
    agent,
    pictureTaker,
    sessionPorts,
    transcriptPorts,
    opened: () => opened.get(),
    foreignSessions: () => foreign.get(),
    subAgents: () => subAgents.get(),
    hub,
    governed,
    meterOf,
    engine,
    systemPrompt: promptOfWorkspace,
    close: async () => {
      await hub.close();
      await (await telemetry.started)?.close();
    },
    dispose: () => {
      void opened.started?.then((transcripts) => transcripts.dispose());
      windowSettings.dispose();
      void foreign.started?.then((sessions) => sessions.dispose());
      hub.dispose();
      void governed.started?.then((histories) => histories.close());
      agent.dispose();
      found.dispose();
      void engine.dispose();
    },
  };
}

/** The system prompt. It names the workspace if the workspace is trusted. */
function promptOfWorkspace(): string {
  const name = vscode.workspace.isTrusted ? vscode.workspace.name : undefined;
  return systemPrompt(name === undefined ? undefined : { name });
}
