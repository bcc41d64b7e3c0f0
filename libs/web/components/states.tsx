import { Component, type ReactNode } from 'react';
import { ChunkLoadError } from '../load-part.ts';
import { tabStorage } from '../storage.ts';
import { useText } from '../texts.ts';
import { Button } from './button.tsx';

/** A grey bar with the size of the loading content. */
export function Skeleton({ className = '' }: { className?: string }) {
  // The non-breaking space gives it a baseline, so that neighbouring content does not move when the text arrives.
  return (
    <span aria-hidden="true" className={`skeleton block select-none rounded-sm ${className}`}>
      {'\u00a0'}
    </span>
  );
}

/** Placeholder rows of a loading list. */
export function SkeletonRows({ count, className = 'h-12' }: { count: number; className?: string }) {
  const textOf = useText();
  return (
    <div role="status" aria-label={textOf('loading')}>
      {Array.from({ length: count }, (_, row) => (
        <div
          key={row}
          className={`flex items-center border-line border-b last:border-0 ${className}`}
        >
          <Skeleton className="h-4 w-full" />
        </div>
      ))}
    </div>
  );
}

/** An empty list: what will be here, and the first step. */
export function Empty({
  children,
  action,
  className = '',
}: {
  children: ReactNode;
  action?: ReactNode;
  className?: string;
}) {
  return (
    <div
      className={`flex flex-col items-center gap-4 px-4 py-8 text-center text-fg-2 text-sm ${className}`}
    >
      <p>{children}</p>
      {action}
    </div>
  );
}

/** A list that failed to load, with a retry button. */
export function LoadFailed({ retry }: { retry(): void }) {
  const textOf = useText();
  return (
    <Empty action={<Button onClick={retry}>{textOf('tryAgain')}</Button>}>
      {textOf('loadFailed')}
    </Empty>
  );
}

interface Props {
  /** Style of the box that replaces the part. */
  className: string;
  /** Text under the title. */
  hint(isLoaded: boolean): string;
  children: ReactNode;
}

const RETRY_MS = 1_000;
const RELOAD_EVERY_MS = 60_000;
const RELOADED_KEY = 'reloaded_at';

const reload = () => location.reload();

/** Not `navigator.onLine`: a browser is online before the server can be reached. */
export const isReachable = () =>
  fetch(location.href).then(
    ({ ok }) => ok,
    () => false,
  );

/**
 * Shows an error with a reload button in place of a part that failed to load or to render. What failed to load is loaded again
 * once the server responds: by a reload, because its failure is kept, and at most one a minute, because it may not help.
 * Offline there is no button, which would lose the page.
 */
export class PartBoundary extends Component<Props, { failed: unknown }> {
  override state = { failed: null };
  private isShown = false;

  static getDerivedStateFromError(failed: unknown) {
    return { failed };
  }

  override componentDidMount() {
    this.isShown = true;
  }

  override componentWillUnmount() {
    this.isShown = false;
  }

  override componentDidCatch(failed: unknown) {
    if (failed instanceof ChunkLoadError) void this.recover();
  }

  private async recover(): Promise<void> {
    while (!(await isReachable())) await new Promise((wake) => setTimeout(wake, RETRY_MS));
    const isSoon = Date.now() - Number(tabStorage.get(RELOADED_KEY)) < RELOAD_EVERY_MS;
    if (isSoon || !this.isShown) return;
    tabStorage.set(RELOADED_KEY, String(Date.now()));
    reload();
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
