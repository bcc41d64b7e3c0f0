import { Panel } from '../../components/panel.tsx';
import type { EventData } from './event-parts.tsx';

/** The body of the event, indented for reading. */
export function EventBody({ event }: { event: EventData }) {
  return (
    <Panel title="Event body" flush>
      <pre className="code">{pretty(event.body)}</pre>
    </Panel>
  );
}

function pretty(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return body;
  }
}
