import type { AdminData } from '@reelbook/admin/answers';

export type PlayerData = AdminData<'player'>;

/** Props of the dialogs of player actions. */
export interface DialogProps<Fields extends keyof PlayerData = keyof PlayerData> {
  player: Pick<PlayerData, Fields>;
  onClose(): void;
}
