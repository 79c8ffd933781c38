import '../shared/base.css';
import '../shared/kinds.css';
import './inspector.css';
import './picker.css';
import './usage.css';
import './tabs.css';
import './records.css';
import './summary.css';
import './messages.css';
import './budget/budget.css';
import './timeline/timeline.css';
import './ledger/ledger.css';
import './compactions/compactions.css';
import './what-if/what-if.css';
import './diff/diff.css';
import './diff/diff-tools.css';
import './diff/fates.css';
import './diff/texts.css';
// Last: what it says takes the place of what the others say.
import './narrow.css';
import { inspectorNotifications, type InspectorRequest } from '../../src/protocol/inspector.ts';
import { connect } from '../shared/host.ts';
import { registerControls } from '../shared/controls.ts';
import { InspectorPage } from './inspector-page.ts';

registerControls();
new InspectorPage(connect<InspectorRequest, typeof inspectorNotifications>(inspectorNotifications)).start();
