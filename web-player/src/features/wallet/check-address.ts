/** Loaded only when a player types another address: the code of the chain is large. */
import './buffer.ts';

export { checkDestinationAt } from '@reelbook/solana/destination';
