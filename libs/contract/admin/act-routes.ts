import { Empty, KeyHeaders } from '../schemas/common.ts';
import { actPaths } from './act-paths.ts';
import {
  AdjustBody,
  Adjusted,
  AdjustmentParams,
  Adjustments,
  ChangeBody,
  Configuration,
  ConfigurationDone,
  ExcludePlayerBody,
  ExpiredBody,
  History,
  HistoryQuery,
  LimitPlayerBody,
  NoteBody,
  Notes,
  Preview,
  PreviewBody,
  ResolveBody,
  RoundParams,
  SignatureParams,
  SwitchBody,
  Switches,
  Voided,
  WalletOnly,
  WithdrawalOnly,
} from './act-schemas.ts';
import { Done, ReasonBody } from './schemas.ts';

const onPlayer = { tag: 'players', headers: KeyHeaders, params: WalletOnly, data: Done } as const;
const onAdjustment = { tag: 'players', headers: KeyHeaders, params: AdjustmentParams } as const;
const onWithdrawal = {
  tag: 'desk',
  headers: KeyHeaders,
  params: WithdrawalOnly,
  data: Empty,
} as const;
const configuration = 'configuration';

export const actRoutes = {
  suspendPlayer: {
    ...actPaths.suspendPlayer,
    ...onPlayer,
    summary: 'No play, no points bought, no deposit meant; every way out stays open',
    body: ReasonBody,
  },
  reinstatePlayer: {
    ...actPaths.reinstatePlayer,
    ...onPlayer,
    summary: 'End a suspension',
    body: ReasonBody,
  },
  playerNotes: {
    ...actPaths.playerNotes,
    summary: 'What operators noted of a player, newest first',
    tag: 'players',
    params: WalletOnly,
    data: Notes,
  },
  notePlayer: {
    ...actPaths.notePlayer,
    ...onPlayer,
    summary: 'Note something of a player for other operators; no personal data',
    body: NoteBody,
  },
  limitPlayer: {
    ...actPaths.limitPlayer,
    ...onPlayer,
    summary: "Tighten a player's limit, at once; looser is for the player alone",
    body: LimitPlayerBody,
  },
  excludePlayer: {
    ...actPaths.excludePlayer,
    ...onPlayer,
    summary: 'Exclude a player from play; an exclusion is never made shorter',
    body: ExcludePlayerBody,
  },
  voidRound: {
    ...actPaths.voidRound,
    ...onPlayer,
    params: RoundParams,
    summary:
      'Give the stake of an open round back; above a threshold it waits for another to do so',
    body: ReasonBody,
    data: Voided,
  },
  refuseVoid: {
    ...actPaths.refuseVoid,
    ...onPlayer,
    params: RoundParams,
    summary: 'Refuse a void that another proposed, or withdraw your own; the round goes on',
    body: ReasonBody,
    data: Done,
  },
  adjustments: {
    ...actPaths.adjustments,
    summary: 'Adjustments and voids that wait for a second operator',
    tag: 'players',
    data: Adjustments,
  },
  adjustBalance: {
    ...actPaths.adjustBalance,
    ...onPlayer,
    summary: 'Give to a player or take, from and to the house; above a threshold it waits',
    body: AdjustBody,
    data: Adjusted,
  },
  approveAdjustment: {
    ...actPaths.approveAdjustment,
    ...onAdjustment,
    summary: 'The second of four eyes: another operator than the one who proposed it',
    body: ReasonBody,
    data: Adjusted,
  },
  refuseAdjustment: {
    ...actPaths.refuseAdjustment,
    ...onAdjustment,
    summary: 'Refuse what another proposed, or withdraw your own',
    body: ReasonBody,
    data: Done,
  },
  approveWithdrawal: {
    ...actPaths.approveWithdrawal,
    ...onWithdrawal,
    summary: 'Approve a withdrawal; it takes two different operators',
    body: ReasonBody,
  },
  denyWithdrawal: {
    ...actPaths.denyWithdrawal,
    ...onWithdrawal,
    summary: 'Deny a withdrawal: all of it goes back, the fee too',
    body: ReasonBody,
  },
  sayExpired: {
    ...actPaths.sayExpired,
    ...onWithdrawal,
    summary: 'You made sure that the signed attempt never landed and is dead; it is signed anew',
    body: ExpiredBody,
  },
  resolveUnmatched: {
    ...actPaths.resolveUnmatched,
    summary: 'Say whose an unmatched deposit is',
    tag: 'desk',
    headers: KeyHeaders,
    params: SignatureParams,
    body: ResolveBody,
    data: Empty,
  },
  switches: {
    ...actPaths.switches,
    summary: 'What can be stopped, and what is',
    tag: configuration,
    data: Switches,
  },
  setSwitch: {
    ...actPaths.setSwitch,
    summary: 'Stop something at once, or propose that it goes on; another operator confirms that',
    tag: configuration,
    headers: KeyHeaders,
    body: SwitchBody,
    data: ConfigurationDone,
  },
  configuration: {
    ...actPaths.configuration,
    summary: 'The configuration in force',
    tag: configuration,
    data: Configuration,
  },
  configurationHistory: {
    ...actPaths.configurationHistory,
    summary: 'Who changed what, when and why, newest first',
    tag: configuration,
    query: HistoryQuery,
    data: History,
  },
  previewConfiguration: {
    ...actPaths.previewConfiguration,
    summary: 'What changes would do, and every fault of them; nothing is changed',
    tag: configuration,
    body: PreviewBody,
    data: Preview,
  },
  changeConfiguration: {
    ...actPaths.changeConfiguration,
    summary:
      'Tighten values at once, or propose a change; gateways follow, and players are notified',
    tag: configuration,
    headers: KeyHeaders,
    body: ChangeBody,
    data: ConfigurationDone,
  },
} as const;
