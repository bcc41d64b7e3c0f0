import type { ReactNode } from 'react';

const stroke = (children: ReactNode, size = 20) => (
  <svg
    width={size}
    height={size}
    viewBox="0 0 20 20"
    fill="none"
    stroke="currentColor"
    strokeWidth="1.6"
    strokeLinecap="round"
    strokeLinejoin="round"
    aria-hidden="true"
    className="shrink-0"
  >
    {children}
  </svg>
);

export const MenuIcon = () => stroke(<path d="M3.5 6h13M3.5 10h13M3.5 14h13" />);
export const SearchIcon = () =>
  stroke(
    <>
      <circle cx="9" cy="9" r="5" />
      <path d="m13 13 3.5 3.5" />
    </>,
    16,
  );
