/** What a player is notified of, by the kind that the ledger names, in English. */
export const enNotices = {
  welcome: { title: 'Welcome to Reelbook', content: 'You start with {{points}} to play with.' },
  'big-win': { title: 'Big win', content: 'You won {{won}} with {{bet}}.' },
  'seeds-rotated': {
    title: 'Seeds rotated',
    content: 'Server seed {{pair}} is public. Rounds that can be verified now: {{nonces}}.',
  },
  'round-cancelled': {
    title: 'Round cancelled',
    content: 'An operator cancelled your round; {{back}} came back. Reason: {{reason}}',
  },
  exchanged: { title: 'Exchange done', content: '{{gave}} became {{got}}.' },
  'self-excluded': {
    title: 'Self-exclusion',
    content: 'You cannot bet or deposit until {{until}}. You can always withdraw.',
  },
  'self-excluded-for-good': {
    title: 'Self-exclusion',
    content: 'You cannot bet or deposit for good. You can always withdraw.',
  },
  excluded: {
    title: 'Excluded from play',
    content:
      'An operator excluded you. You cannot bet or deposit until {{until}}. You can always withdraw. Reason: {{reason}}',
  },
  'excluded-for-good': {
    title: 'Excluded from play',
    content:
      'An operator excluded you. You cannot bet or deposit for good. You can always withdraw. Reason: {{reason}}',
  },
  'limit-set': {
    title: 'Limit set',
    content:
      'An operator set you a limit. {{limit}}: at most {{amount}} within {{period}}. Reason: {{reason}}',
  },
  suspended: {
    title: 'Account suspended',
    content: 'You cannot bet or deposit for now. You can always withdraw. Reason: {{reason}}',
  },
  reinstated: { title: 'Account reinstated', content: 'You can play again. Reason: {{reason}}' },
  'balance-raised': {
    title: 'Balance adjusted',
    content: 'An operator added {{amount}} to your balance. Reason: {{reason}}',
  },
  'balance-lowered': {
    title: 'Balance adjusted',
    content: 'An operator took {{amount}} from your balance. Reason: {{reason}}',
  },
  'deposit-credited': {
    title: 'Deposit credited',
    content: '{{amount}} arrived and can be used.',
  },
  'withdrawal-requested': {
    title: 'Withdrawal requested',
    content: '{{gross}} are set aside: {{net}} will be sent, {{fee}} are the fee.',
  },
  'withdrawal-approved': { title: 'Withdrawal approved', content: 'It will be sent next.' },
  'withdrawal-sent': { title: 'Withdrawal sent', content: 'It is on its way to the chain.' },
  'withdrawal-paid': {
    title: 'Withdrawal paid',
    content: '{{net}} arrived in your wallet, for good.',
  },
  'withdrawal-returned': {
    title: 'Withdrawal returned',
    content: '{{back}} are yours again: {{reason}}',
  },
};
