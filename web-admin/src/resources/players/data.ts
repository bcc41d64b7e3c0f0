import type { AdminData } from '@reelbook/contract/admin/routes';

export type PlayerData = AdminData<'player'>;

/** What every dialog of an act is given. */
export interface ActProps {
  player: PlayerData;
  onClose(): void;
}
