import { Icon } from '@reelbook/web/components/icons';

export const MenuIcon = () => (
  <Icon>
    <path d="M3.5 6h13M3.5 10h13M3.5 14h13" />
  </Icon>
);
export const SearchIcon = () => (
  <Icon size={16}>
    <circle cx="9" cy="9" r="5" />
    <path d="m13 13 3.5 3.5" />
  </Icon>
);

export const CopyIcon = () => (
  <Icon size={14}>
    <rect x="7" y="7" width="9" height="9" rx="1.5" />
    <path d="M13 4H5.5A1.5 1.5 0 0 0 4 5.5V13" />
  </Icon>
);
