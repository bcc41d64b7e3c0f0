import { Component, type ReactNode } from 'react';
import { Translation } from 'react-i18next';
import { Button } from '../components/button.tsx';

/** A part that could not be loaded, or broke while it was drawn, with the way to load the page again. */
export class PartBoundary extends Component<{ children: ReactNode }, { failed: boolean }> {
  override state = { failed: false };

  static getDerivedStateFromError() {
    return { failed: true };
  }

  override render() {
    if (!this.state.failed) return this.props.children;
    return (
      <Translation>
        {(t) => (
          <div className="boot" role="alert">
            <strong>{t('broken.title')}</strong>
            <span className="mb-4">{t('broken.text')}</span>
            <Button look="primary" onClick={() => location.reload()}>
              {t('broken.reload')}
            </Button>
          </div>
        )}
      </Translation>
    );
  }
}
