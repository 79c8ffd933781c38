import type { CompactionsNotification } from '../../protocol/inspector-compactions.ts';
import type { RecordsRequest, WhatIfNotification } from '../../protocol/inspector-what-if.ts';
import type { InspectedSession } from './inspected-session.ts';
import { CompactionsHost, type RecordDialogs } from './compactions-host.ts';
import type { InspectorModel } from './inspector-model.ts';
import type { ModelChoice } from '../models/model-choice.ts';
import { isRecordSession } from './record-actions.ts';
import { WhatIfHost, type WhatIfHostPorts } from './what-if-host.ts';

/** What is shown. */
export interface RecordsSubject {
  readonly id: string;
  readonly inspector: InspectorModel;
  readonly session: InspectedSession;
  /** False where what is shown can only be looked at. */
  readonly isChat: boolean;
  readonly model: ModelChoice;
}

/** Answers what is asked about compactions that were made or tried. Loaded with the first such question. */
export class RecordsHost {
  private readonly compactions: CompactionsHost;
  private readonly whatIf: WhatIfHost;

  constructor(
    post: (notification: CompactionsNotification | WhatIfNotification) => void,
    dialogs: RecordDialogs,
    ports: WhatIfHostPorts,
  ) {
    this.compactions = new CompactionsHost(post, dialogs);
    this.whatIf = new WhatIfHost(post, ports);
  }

  async handle(request: RecordsRequest, subject: RecordsSubject): Promise<void> {
    const { id, inspector, session, isChat, model } = subject;
    const changes = isChat && isRecordSession(session) ? session : undefined;
    const { transcript, compaction } = session;
    switch (request.type) {
      case 'what-if-show':
      case 'what-if-run':
      case 'what-if-cancel':
      case 'what-if-lost':
      case 'what-if-preview':
      case 'what-if-apply':
      case 'what-if-use':
        return this.whatIf.handle(request, {
          sessionId: id,
          inspector,
          transcript,
          tools: session.tools,
          budget: compaction.budget,
          model,
          session: changes,
        });
      default:
        return this.compactions.handle(request, { inspector, session, changes });
    }
  }

  /** Ends what runs in the background, when the inspector is closed. */
  dispose(): void {
    this.whatIf.stop();
  }
}
