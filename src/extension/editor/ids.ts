/** Names that both `package.json` and the code use. */
export const viewIds = {
  chat: 'contextBudget.chat',
  inspector: 'contextBudget.inspector',
  sessions: 'contextBudget.sessions',
} as const;

/** Vendor of the models that VS Code's chat can use. */
export const modelVendor = 'context-budget';

export const commandIds = {
  newChat: 'contextBudget.newChat',
  compactNow: 'contextBudget.compactNow',
  compactWithPreview: 'contextBudget.compactWithPreview',
  undoCompaction: 'contextBudget.undoCompaction',
  openInspector: 'contextBudget.openInspector',
  selectStrategy: 'contextBudget.selectStrategy',
  configureStrategy: 'contextBudget.configureStrategy',
  moveSettings: 'contextBudget.moveSettings',
  setApiKey: 'contextBudget.setApiKey',
  clearApiKey: 'contextBudget.clearApiKey',
  showLog: 'contextBudget.showLog',
  showSessions: 'contextBudget.showSessions',
  renameSession: 'contextBudget.renameSession',
  regenerateTitle: 'contextBudget.regenerateTitle',
  deleteSession: 'contextBudget.deleteSession',
  handOff: 'contextBudget.handOff',
  importSession: 'contextBudget.importSession',
  openTranscript: 'contextBudget.openTranscript',
  selectModel: 'contextBudget.selectModel',
  manageApprovals: 'contextBudget.manageApprovals',
  manageUnencrypted: 'contextBudget.manageUnencrypted',
  setMcpSecret: 'contextBudget.setMcpSecret',
  reviewMcpServers: 'contextBudget.reviewMcpServers',
  openMemory: 'contextBudget.openMemory',
  focusChat: 'contextBudget.focusChat',
  showMenu: 'contextBudget.showMenu',
  compactWithFocus: 'contextBudget.compactWithFocus',
  openSampleSession: 'contextBudget.openSampleSession',
  askAboutSelection: 'contextBudget.askAboutSelection',
  nextChange: 'contextBudget.nextChange',
  previousChange: 'contextBudget.previousChange',
  connectAgent: 'contextBudget.connectAgent',
  disconnectAgent: 'contextBudget.disconnectAgent',
  watchAgent: 'contextBudget.watchAgent',
  stopWatching: 'contextBudget.stopWatching',
  hideRow: 'contextBudget.hideRow',
  showRow: 'contextBudget.showRow',
  showNotices: 'contextBudget.showNotices',
  refreshSessions: 'contextBudget.refreshSessions',
  moreSessions: 'contextBudget.moreSessions',
  openChat: 'contextBudget.openChat',
  revealSession: 'contextBudget.revealSession',
  handOffSession: 'contextBudget.handOffSession',
  toggleLiveStatus: 'contextBudget.toggleLiveStatus',
} as const;

export type CommandId = (typeof commandIds)[keyof typeof commandIds];

/** Context key with the possible action on the focused row of the chat. */
export const rowActionKey = 'contextBudget.rowAction';

/** URI scheme of the read-only documents that a diff editor compares. */
export const documentScheme = 'context-budget';

/** URI scheme of files before and after an edit. */
export const editScheme = 'context-budget-edit';

/** URI scheme of other agents' configurations before and after a change. */
export const configScheme = 'context-budget-config';
