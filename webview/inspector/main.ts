import '../base.css';
import '../kinds.css';
import './inspector.css';
import './usage.css';
import './records.css';
import './summary.css';
import './diff/diff.css';
import './diff/fates.css';
import './diff/texts.css';
// Last: what it says takes the place of what the others say.
import './narrow.css';
import type { InspectorNotification, InspectorRequest } from '../../src/extension/protocol/inspector.ts';
import { connect } from '../host.ts';
import { registerControls } from '../toolkit.ts';
import { Inspector } from './inspector.ts';

registerControls();
new Inspector(connect<InspectorRequest, InspectorNotification>()).start();
