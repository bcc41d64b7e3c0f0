/** English texts of standings, operators' names and unmatched deposits. */
export const enDesk = {
  standing: {
    suspended: 'Suspended',
    excluded: 'Excluded',
    since: 'since {{time}} UTC, by',
    until: 'until {{time}} UTC',
    ended: 'permanently',
  },
  recipient: {
    none: 'No player found.',
    found: 'Players found',
    more: 'The first {{n}} players are shown. Type more to find the others.',
    other: 'Other player',
  },
  names: {
    set: 'Set name',
    name: 'Name',
    what: 'All operators see the name with the wallet, in the console and in the history. Players do not see it.',
  },
};
