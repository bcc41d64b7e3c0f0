import type { AdminData } from '@reelbook/contract/admin/routes';

export type PlayerData = AdminData<'player'>;

/** Props of the dialogs of player actions. */
export interface DialogProps {
  player: PlayerData;
  onClose(): void;
}
