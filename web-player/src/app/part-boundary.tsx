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
      <Translation>
        {(t) => (
          <div
            className="flex min-h-[60vh] flex-col items-center justify-center gap-2 px-4 text-center"
            role="alert"
          >
            <h1 className="text-xl">{t(`${what}.title`)}</h1>
            <p className="mb-4 text-fg-2">{t(`${what}.text`)}</p>
            <Button look="primary" onClick={() => location.reload()}>
              {t('broken.reload')}
            </Button>
          </div>
        )}
      </Translation>
    );
  }
}
