import { chatWire } from './chat-wire.ts';
import { geminiWire } from './gemini-wire.ts';
import { messagesWire } from './messages-wire.ts';
import { responsesWire } from './responses-wire.ts';
import type { Wire } from './wire.ts';

/** All protocols, in the order in which they are asked whether a path is theirs. */
export const wires: readonly Wire[] = [responsesWire, messagesWire, geminiWire, chatWire];
