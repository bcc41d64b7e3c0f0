import { testCatalogues } from '@reelbook/testing/catalogues';
import { en } from './en.ts';
import { zh } from './zh.ts';

testCatalogues({
  en,
  zh,
  folders: [
    'web-admin/src',
    'libs/web',
    'libs/contract',
    'libs/ledger',
    'libs/solana',
    'services/cashier',
  ],
});
