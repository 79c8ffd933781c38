import '../shared/base.css';
import '../shared/kinds.css';
import './chat.css';
import './rows.css';
import './record.css';
import './actions.css';
import './changes.css';
import './standing.css';
import './composing.css';
import './find.css';
import './markdown.css';
import { chatNotifications, type ChatRequest } from '../../src/protocol/chat.ts';
import { connect } from '../shared/host.ts';
import { registerControls } from '../shared/controls.ts';
import { ChatPage } from './chat-page.ts';

registerControls();
new ChatPage(connect<ChatRequest, typeof chatNotifications>(chatNotifications)).start();
