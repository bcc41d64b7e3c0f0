import { loadPart } from '@reelbook/web/load-part';
import { type ComponentType, lazy } from 'react';

/** A page or chart in a separate chunk, loaded when it is first shown. */
export function part<Props extends object>(load: () => Promise<ComponentType<Props>>) {
  return lazy(async () => ({ default: await loadPart(load) }));
}
