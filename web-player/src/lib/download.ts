import { ApiError } from '@reelbook/contract/client';
import { API_BASE } from '@reelbook/contract/route';
import { endSession } from './api.ts';
import { session } from './session-store.ts';

const SESSION_DEAD = 401;

/** Saves a file of the API. Throws ApiError, and what the connection throws. */
export async function download(path: string, name: string): Promise<void> {
  const response = await fetch(`${API_BASE}${path}`, {
    headers: { authorization: `Bearer ${session.reread()?.token ?? ''}` },
  });
  if (response.status === SESSION_DEAD) endSession();
  if (!response.ok) throw new ApiError(response.status, response.statusText, null);
  saveAs(name, await response.blob());
}

export function saveAs(name: string, file: Blob): void {
  const url = URL.createObjectURL(file);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  URL.revokeObjectURL(url);
}
