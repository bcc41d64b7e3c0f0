import { csvRow } from '@reelbook/games/proofs/csv';
import { saveFile } from './export-file.ts';
import { pointInTime, queryClient } from './queries.ts';
import { session } from './session-store.ts';

/**
 * Saves the rows that a table shows as CSV. Its first line names its content, at which position of the ledger with which hash, when
 * and by whom. `data-value` of an element replaces its text: exact amounts, complete wallets, positions and times.
 */
export async function saveTable(
  label: string,
  table: HTMLTableElement,
  position: number | null,
): Promise<void> {
  const { at } = await queryClient.fetchQuery({
    ...pointInTime(position ?? undefined),
    staleTime: 0,
  });
  const now = new Date().toISOString();
  const by = session.get()?.operator ?? '';
  const head = ['Reelbook', label, at.position, at.hash, now, by];
  const rows = [...table.rows].map(({ cells }) => [...cells].map((cell) => cellText(cell)));
  const text = [head, ...rows].map(csvRow).join('');
  const name = `${label.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '-')}-${at.position}.csv`;
  saveFile(new Blob([text], { type: 'text/csv' }), name);
}

function cellText(node: Node): string {
  if (node instanceof HTMLButtonElement) return '';
  if (node instanceof HTMLElement && node.dataset.value !== undefined) return node.dataset.value;
  if (node.nodeType === Node.TEXT_NODE) return node.textContent ?? '';
  return [...node.childNodes].map(cellText).filter(Boolean).join(' ').replace(/\s+/g, ' ').trim();
}
