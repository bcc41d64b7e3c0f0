import { useEffect, useState } from 'react';

/** What a dialog is about; null while it is closed. It closes with `isAllowed`, and opens again by a press only. */
export function useDialog<About>(isAllowed: boolean) {
  const [about, setAbout] = useState<About | null>(null);
  useEffect(() => {
    if (!isAllowed) setAbout(null);
  }, [isAllowed]);
  return [isAllowed ? about : null, setAbout] as const;
}
