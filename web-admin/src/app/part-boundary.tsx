import { Button } from '@reelbook/web/components/button';
import { ChunkLoadError } from '@reelbook/web/load-part';
import { Component, type ReactNode } from 'react';
import { Translation } from 'react-i18next';

/** A part that could not be loaded, or broke while it was drawn, with the way to load the page again. */
export class PartBoundary extends Component<{ children: ReactNode }, { failed: unknown }> {
  override state = { failed: null };

  static getDerivedStateFromError(failed: unknown) {
    return { failed };
  }

  override render() {
    const { failed } = this.state;
    if (failed === null) return this.props.children;
    const what = (failed as unknown) instanceof ChunkLoadError ? 'notLoaded' : 'broken';
    return (
      <Translation ns="console">
        {(t) => (
          <div className="flex flex-col items-start gap-3 py-12" role="alert">
            <h1 className="text-xl">{t(`shell.${what}`)}</h1>
            <p className="text-fg-2">{t('shell.nothingLost')}</p>
            <Button look="primary" onClick={() => location.reload()}>
              {t('shell.reload')}
            </Button>
          </div>
        )}
      </Translation>
    );
  }
}
