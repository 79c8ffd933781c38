import '../base.css';
import '../kinds.css';
import './chat.css';
import './rows.css';
import './record.css';
import './actions.css';
import './changes.css';
import './standing.css';
import './composing.css';
import './find.css';
import './markdown.css';
import type { ChatNotification, ChatRequest } from '../../src/protocol/chat.ts';
import { connect } from '../host.ts';
import { registerControls } from '../toolkit.ts';
import { Chat } from './chat.ts';

registerControls();
new Chat(connect<ChatRequest, ChatNotification>()).start();
