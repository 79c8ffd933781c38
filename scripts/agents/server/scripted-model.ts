import { callFor, type Deed, requiredValues, searchFor } from './tool-calls.ts';
import type { ModelRequest, Reply, SentMessage } from './wires/wire.ts';

/** A step of the script: a call, or text that ends the turn. */
export type Step = (Deed | { readonly say: string }) & {
  /** Text before the call. */
  readonly with?: string;
  /** Reasoning before the text and the call. */
  readonly thought?: string;
  /** Input tokens to report instead of the actual number, until the agent compacts or the turn ends. */
  readonly usage?: number;
};

/** Purpose of a request. `side` is a small task outside the conversation, such as a title. */
export type RequestKind = 'main' | 'sub-agent' | 'summary' | 'side';

/** A reply, and the purpose of its request. */
export interface ScriptedReply extends Reply {
  readonly kind: RequestKind;
  readonly usage?: number;
  /** Skipped step, because the agent declares no tool for it. */
  readonly missed?: string;
}

/** Task of a sub-agent. It distinguishes the sub-agent's requests from the main agent's. */
export const subTask = 'Count the lines of the files in src and report the sum.';
const subResult = 'The files in src have 70 lines.';

/** A summary. As with a real model, each summary is different, and none repeats the conversation. */
function summaryOf(number: number): string {
  return `Summary ${number}. The work on the parcel prices went on. Some files were read and some commands ran. Next: go on with the task.`;
}

const summaryWish =
  /detailed summary of (?:the|our|this) conversation|context checkpoint|handoff summary|summari[sz]e (?:the|our|this) (?:conversation|session|work|history)|state_snapshot|create a (?:new )?(?:structured |detailed )?(?:context )?(?:checkpoint )?summary|anchored summary|compact(?:ing|ed)? (?:the|this) (?:conversation|history|context)|continuing (?:this|our) conversation|<conversation>|provide a detailed (?:prompt|summary)|summarization/i;

/** A model that follows a script, one turn of the user at a time. */
export class ScriptedModel {
  private readonly prompts: string[] = [];
  private steps: Step[] = [];
  private replies = 0;
  private summaries = 0;
  /** Input tokens to report instead of the actual number. */
  private usage: number | undefined;

  /**
   * Begins a turn. Drops steps that the previous turn did not use, so that an agent that stops early does not shift
   * the script.
   *
   * @param prompt the agent's next prompt; empty if it has none
   */
  begin(prompt: string, steps: readonly Step[]): void {
    if (prompt !== '') this.prompts.push(prompt);
    this.steps = [...steps];
    this.usage = undefined;
  }

  reply(request: ModelRequest): ScriptedReply {
    const kind = this.kindOf(request);
    switch (kind) {
      case 'summary':
        this.usage = undefined;
        return { kind, text: summaryOf(++this.summaries) };
      case 'side':
        return { kind, text: sideReply(request) };
      case 'sub-agent':
        return { kind, ...this.subAgentReply(request) };
      case 'main':
        return { kind, ...this.nextStep(request) };
    }
  }

  private kindOf({ tools, messages }: ModelRequest): RequestKind {
    const asked = textsOf(messages, 'user');
    const last = asked.findLast((text) => this.isPrompt(text) || text.includes(subTask));
    // Instructions may follow the prompt in the same message.
    const newest = this.afterPrompts(asked.at(-1) ?? '');
    const wish = tools.length === 0 ? [...textsOf(messages, 'system'), ...asked].join('\n') : newest;
    if (summaryWish.test(wish)) return 'summary';
    if (tools.length === 0) return 'side';
    return last?.includes(subTask) === true && !this.isPrompt(last) ? 'sub-agent' : 'main';
  }

  private afterPrompts(text: string): string {
    const ends = this.prompts.map((prompt) => {
      const start = text.lastIndexOf(prompt);
      return start < 0 ? 0 : start + prompt.length;
    });
    return text.slice(Math.max(0, ...ends));
  }

  private isPrompt(text: string): boolean {
    return this.prompts.some((prompt) => text.includes(prompt));
  }

  /** The replies to a sub-agent: one command, then a report. */
  private subAgentReply(request: ModelRequest): Reply {
    const hasRun = request.messages.some(({ calls }) => calls.some(({ input }) => input.includes('wc -l')));
    if (!hasRun)
      return this.called(callFor({ do: 'run', command: 'wc -l src/*' }, request)) ?? { text: subResult };
    // Some agents end a task with a call instead of text.
    const tool = request.tools.find(({ name }) => /complete_task|attempt_completion/.test(name));
    if (tool === undefined) return { text: subResult };
    const input = requiredValues(tool.schema, () => subResult);
    return this.called({ tool, input }) ?? {};
  }

  private nextStep(request: ModelRequest): Omit<ScriptedReply, 'kind'> {
    const step = this.steps.shift() ?? { say: 'There is nothing more to do.' };
    this.usage = step.usage ?? this.usage;
    const usage = this.usage === undefined ? {} : { usage: this.usage };
    const thought = step.thought === undefined ? {} : { thought: step.thought };
    if ('say' in step) return { ...usage, ...thought, text: step.say };
    const reply = this.called(callFor(step, request));
    if (reply !== undefined)
      return { ...usage, ...thought, ...(step.with !== undefined && { text: step.with }), ...reply };
    const search = this.called(searchFor(step, request));
    if (search !== undefined) {
      this.steps.unshift(step);
      return search;
    }
    // The step is skipped, and the turn continues.
    return { ...this.nextStep(request), missed: step.do === 'call' ? step.tool : step.do };
  }

  private called(planned: ReturnType<typeof callFor>): Reply | undefined {
    return planned && { call: { ...planned, id: `call_${++this.replies}` } };
  }
}

/** The reply to a side request: a title, as JSON if the request asks for JSON. */
function sideReply({ messages }: ModelRequest): string {
  const title = 'Parcel prices';
  const wantsJson = messages.some(({ texts }) => texts.some((text) => /\bJSON\b/.test(text)));
  return wantsJson ? JSON.stringify({ title, isNewTopic: false }) : title;
}

function textsOf(messages: readonly SentMessage[], role: SentMessage['role']): readonly string[] {
  return messages.filter((message) => message.role === role).map(({ texts }) => texts.join('\n'));
}
