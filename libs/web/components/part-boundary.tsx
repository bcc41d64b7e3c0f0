import { Component, type ReactNode } from 'react';
import { ChunkLoadError } from '../load-part.ts';
import { useText } from '../texts.ts';
import { Button } from './button.tsx';

interface Props {
  /** Style of the box that replaces the part. */
  className: string;
  /** Text under the title. */
  hint(isLoaded: boolean): string;
  children: ReactNode;
}

const RETRY_MS = 1_000;

const reload = () => location.reload();

/** The browser is online before the server can be reached: a reload then would end on the browser's own error page. */
function reloadWhenReachable(): void {
  fetch(location.href).then(reload, () => setTimeout(reloadWhenReachable, RETRY_MS));
}

/**
 * Shows an error with a reload button in place of a part that failed to load or to render. Offline there is no button, which
 * would lose the page: it is loaded again when the browser is online.
 */
export class PartBoundary extends Component<Props, { failed: unknown }> {
  override state = { failed: null };

  static getDerivedStateFromError(failed: unknown) {
    return { failed };
  }

  /** Stays after the part is left: it would fail again, as its failure is kept. */
  override componentDidCatch(failed: unknown) {
    if (failed instanceof ChunkLoadError) addEventListener('online', reloadWhenReachable);
  }

  override render() {
    const { failed } = this.state;
    return failed === null ? this.props.children : <Failed failed={failed} {...this.props} />;
  }
}

function Failed({ failed, className, hint }: Props & { failed: unknown }) {
  const textOf = useText();
  const isLoaded = !(failed instanceof ChunkLoadError);
  return (
    <div className={`flex flex-col gap-3 ${className}`} role="alert">
      <h1 className="text-xl">{textOf(isLoaded ? 'broken' : 'notLoaded')}</h1>
      <p className="text-fg-2">{hint(isLoaded)}</p>
      {navigator.onLine && (
        <Button look="primary" onClick={reload}>
          {textOf('reload')}
        </Button>
      )}
    </div>
  );
}
