import type { UsageMeter } from '../../compaction/tokens/usage.ts';
import type { SwitchedOff, ToolSet } from '../../transcripts/session/session-event.ts';
import type { AgentTool } from '../tools/support/tool.ts';
import type { Arrangement } from './arrange-tools.ts';
import type { Journal } from './journal.ts';
import type { OnDemand } from './session-ports.ts';
import { isOffIn, nothingOff, switched, type ToolSwitch } from './switched-off.ts';

interface ToolboxPorts {
  readonly meter: () => UsageMeter;
  readonly onDemand: () => OnDemand;
  /** Tokens of the window; undefined if unknown. */
  readonly window: () => number | undefined;
  readonly offered: () => Promise<readonly AgentTool[]>;
}

type Journalled = Pick<Journal, 'toolSet' | 'append' | 'holdOff' | 'isEmpty'>;

/** The tools of a session. Requests leave out switched-off tools and, on demand, the tools of servers. */
export class Toolbox {
  private readonly journal: Journalled;
  private readonly ports: ToolboxPorts;
  private arrangement: Arrangement | undefined;
  /** The last change in progress. This promise never rejects. */
  private changing: Promise<void> = Promise.resolve();

  constructor(journal: Journalled, ports: ToolboxPorts) {
    this.journal = journal;
    this.ports = ports;
  }

  get inRequest(): readonly AgentTool[] {
    return this.arrangement?.inRequest ?? [];
  }

  isOff(tool: Pick<AgentTool, 'name' | 'server'>): boolean {
    return isOffIn(this.off, tool);
  }

  /** Takes over the host's tools, and records the tools that requests contain from now on. */
  take(offered: readonly AgentTool[]): Promise<void> {
    return this.inTurn(() => this.carry(offered, this.off));
  }

  /** Returns the tools in the next request and the tools left out of it. Writes nothing. */
  async look(): Promise<ToolSet> {
    const { toolSet } = this.journal;
    if (toolSet.tools.length > 0) return toolSet;
    return (await this.arrange(await this.ports.offered(), this.off)).toolSet;
  }

  /** Switches a tool or a server on or off. Before the first message, there is no file to write to. */
  async switch(change: ToolSwitch): Promise<void> {
    await this.inTurn(async () => {
      const off = switched(this.off, change);
      if (this.journal.isEmpty) this.journal.holdOff(off);
      else await this.carry(this.arrangement?.offered ?? (await this.ports.offered()), off);
    });
  }

  /** Runs changes one after another, because each starts from the result of the previous change. */
  private inTurn(change: () => Promise<void>): Promise<void> {
    const done = this.changing.then(change);
    this.changing = done.catch(() => {});
    return done;
  }

  private get off(): SwitchedOff {
    return this.journal.toolSet.off ?? nothingOff;
  }

  private async carry(offered: readonly AgentTool[], off: SwitchedOff): Promise<void> {
    const arrangement = await this.arrange(offered, off);
    await this.journal.append({ type: 'tools', ...arrangement.toolSet });
    this.arrangement = arrangement;
  }

  private async arrange(offered: readonly AgentTool[], off: SwitchedOff): Promise<Arrangement> {
    // Imported on demand, so that activation does not load it.
    const { arrangeTools } = await import('./arrange-tools.ts');
    const { journal, ports } = this;
    return arrangeTools(offered, {
      before: journal.toolSet,
      off,
      onDemand: ports.onDemand(),
      window: ports.window(),
      count: async (schemas) => (await ports.meter().measureTools(schemas)).total,
    });
  }
}
