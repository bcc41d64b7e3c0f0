/** English texts of standings, operators' names, unmatched deposits and pages that a role may not open. */
export const enDesk = {
  standing: {
    suspended: 'Suspended',
    excluded: 'Excluded',
    since: 'since {{time}} UTC, by',
    until: 'until {{time}} UTC',
    ended: 'permanently',
  },
};
