import { catalogue } from '../sentence.ts';

/** Sentences about manual edits of the context: hiding, parts, continuing from a message; and about handoffs. */
export const commandSentences = catalogue('commands', {
  hide: 'Hide',
  hideMessages: 'Hide {count} {count:message|messages} from the context?',
  hideFrees:
    'Frees {freed} {freed:token|tokens}. The messages stay in the chat, and you can show them again.',
  hidePays:
    'Frees {freed} {freed:token|tokens}. The next request writes {rewritten} to the prompt cache again, which pays off after {calls} {calls:request|requests}. You can show the messages again.',
  hideNeverPays:
    'Frees {freed} {freed:token|tokens}. The next request writes {rewritten} to the prompt cache again, which costs more than it saves. You can show the messages again.',
  hideTheOthers: 'Hide the Others',
  isProtected: '“{excerpt}” is protected.',
  protectedByPin: 'It is pinned.',
  unpinAndHide: 'Unpin and Hide',
  protectedAsFirst: 'It is the first request of the chat, which the setting Protect First keeps.',
  unprotectFirst: 'Turn Off Protect First',
  protectedAsNewest: 'It is your newest request. You can hide it after you have sent another one.',
  protectedAsMemory: 'It belongs to memory or to the current plan, which the agent needs for every step.',
  protectedAsSystem: 'It is a system message.',
  protectedAsOpenCall: 'The model is still waiting for the results of these calls.',
  compactPart: 'Compact {count} {count:Message|Messages}',
  compactPartWidened: 'Compact {count} {count:Message|Messages}, Extended to Whole Exchanges',
  hidePartDetail: 'Takes these messages out of the context without a summary.',
  compactWithPreview: 'With Preview…',
  compactWithPreviewDetail: 'Shows the summary and the diff first. Nothing changes until you apply it.',
  previewWithAnother: 'Preview with Another Strategy',
  focusTitle: 'Focus of the Summary',
  focusPlaceholder: 'What to pay particular attention to (optional)',
  nothingAfterMessage: 'Nothing in the context comes after this message.',
  rewindTitle: 'Continue from Here',
  rewindFilesStay: 'Changed files are not reverted. You can undo this.',
  rewindWithout: 'Leave Out Later Messages',
  rewindWithoutDetail: 'The context ends with this message. Pins and memory stay.',
  rewindWithSummary: 'Summarise Later Messages',
  rewindWithSummaryDetail: 'A model summarises the later messages, and the summary takes their place.',

  // Renaming a chat.
  nothingToName: 'This chat has no messages yet, so it cannot be named.',
  namingChat: '{model} is writing a title',

  // Handing a chat off.
  nothingToHandOff: 'There is nothing to hand off yet.',
  handOffTitle: 'Hand Off Chat',
  handOffPlaceholder: 'Edit the text first if you like, then choose where it goes',
  handoffToChat: 'Start a New Chat with It',
  handoffToChatDetail: 'The text becomes the draft of the first message.',
  handoffToClipboard: 'Copy It',
  handoffToFile: 'Save It as a Markdown File…',
  handoffToFileDetail: 'For another agent, or for later.',
  handoffAddSummary: 'Include a Summary of the Discussion',
  handoffAddSummaryDetail: 'Asks the model once; the conversation has {tokens} {tokens:token|tokens}.',
  handoffSummarising: '{model} is summarising the discussion',
  handoffCopied: 'The handoff was copied.',
  handoffStaysOpen: 'The handoff stays open. Run /handoff again to choose where it goes.',
});
