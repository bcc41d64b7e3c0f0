import { Component, type ReactNode } from 'react';
import { Translation } from 'react-i18next';
import { ChunkLoadError } from '../load-part.ts';
import { Button } from './button.tsx';

interface Props {
  /** Style of the box that replaces the part. */
  className: string;
  /** Text under the title. */
  hint(isLoaded: boolean): string;
  children: ReactNode;
}

/** Shows an error with a reload button in place of a part that failed to load or to render. */
export class PartBoundary extends Component<Props, { failed: unknown }> {
  override state = { failed: null };

  static getDerivedStateFromError(failed: unknown) {
    return { failed };
  }

  override render() {
    const { failed } = this.state;
    const { className, hint, children } = this.props;
    if (failed === null) return children;
    const isLoaded = !((failed as unknown) instanceof ChunkLoadError);
    return (
      <Translation>
        {(t) => (
          <div className={`flex flex-col gap-3 ${className}`} role="alert">
            <h1 className="text-xl">{t(isLoaded ? 'common.broken' : 'common.notLoaded')}</h1>
            <p className="text-fg-2">{hint(isLoaded)}</p>
            <Button look="primary" onClick={() => location.reload()}>
              {t('common.reload')}
            </Button>
          </div>
        )}
      </Translation>
    );
  }
}
