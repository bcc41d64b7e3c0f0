import { Empty } from '@reelbook/web/components/states';
import type { ReactNode } from 'react';
import { ConnectButton } from './connect-button.tsx';

/** A player's page for a visitor: what will be here, and a connect button. Without a title the page has its own. */
export function Visitor({ title, children }: { title?: string; children: ReactNode }) {
  return (
    <>
      {title !== undefined && <h1 className="mb-6 text-2xl">{title}</h1>}
      <div className="rounded-lg border border-line bg-ink-1">
        <Empty className="py-14" action={<ConnectButton />}>
          {children}
        </Empty>
      </div>
    </>
  );
}
