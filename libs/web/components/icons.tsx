import type { ReactNode } from 'react';

/** Base of all icons: lines on a 20 x 20 grid, in the colour of the surrounding text. */
export function Icon(props: { size?: number | undefined; children: ReactNode }) {
  const { size = 20, children } = props;
  return (
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
}

/** An icon of one path. */
export const icon = (path: string, size?: number, strokeWidth?: number) => () => (
  <Icon size={size}>
    <path d={path} strokeWidth={strokeWidth} />
  </Icon>
);

export const HomeIcon = icon(
  'M3.5 9 10 3.5 16.5 9v6.5a1 1 0 0 1-1 1h-3.7v-4.6H8.2v4.6H4.5a1 1 0 0 1-1-1z',
);
/** A frame with three fields. */
const REELS =
  'M5 4h10a2.5 2.5 0 0 1 2.5 2.5v7A2.5 2.5 0 0 1 15 16H5a2.5 2.5 0 0 1-2.5-2.5v-7A2.5 2.5 0 0 1 5 4zM7.5 4v12M12.5 4v12';
export const GamesIcon = icon(REELS);
export const FairnessIcon = icon(
  'M10 2.8 16 5v4.6c0 3.6-2.4 6.4-6 7.6-3.6-1.2-6-4-6-7.6V5zM7.2 9.8l2 2 3.6-3.9',
);
export const LeaveIcon = icon(
  'M11.5 3.5H5a1 1 0 0 0-1 1v11a1 1 0 0 0 1 1h6.5M9 10h8M14 6.8l3.2 3.2-3.2 3.2',
);
export const PauseIcon = icon('M7.2 5v10M12.8 5v10');
export const RankIcon = icon('M3 16.5V11h4v5.5M8 16.5V4.5h4v12M13 16.5V8.5h4v8M2 16.5h16');
export const ProfileIcon = icon(
  'M6.8 7a3.2 3.2 0 1 0 6.4 0 3.2 3.2 0 1 0-6.4 0zM3.8 16.7c.8-3 3.2-4.5 6.2-4.5s5.4 1.5 6.2 4.5',
);
export const MoonIcon = icon('M16.3 11.8A6.8 6.8 0 0 1 8.2 3.7a6.8 6.8 0 1 0 8.1 8.1z');
export const SunIcon = icon(
  'M6.8 10a3.2 3.2 0 1 0 6.4 0 3.2 3.2 0 1 0-6.4 0zM10 2.5v1.7M10 15.8v1.7M2.5 10h1.7M15.8 10h1.7M4.7 4.7l1.2 1.2M14.1 14.1l1.2 1.2M4.7 15.3l1.2-1.2M14.1 5.9l1.2-1.2',
);
export const CloseIcon = icon('m5 5 10 10M15 5 5 15');
export const CheckIcon = icon('m4 10.5 4 4 8-9', 14, 2.2);
export const CrossIcon = icon('m5 5 10 10M15 5 5 15', 14, 2.2);
export const ArrowIcon = icon('M4 10h12M11 5l5 5-5 5', 16);

export const ReelsIcon = icon(`${REELS}M4.2 10h1.6M9.2 10h1.6M14.2 10h1.6`);
export const WalletIcon = icon(
  'M4 5.5h10.5a2 2 0 0 1 2 2v7a2 2 0 0 1-2 2h-10a2 2 0 0 1-2-2V5a1.8 1.8 0 0 1 1.8-1.8h9M16.5 9.2h-3.2a1.8 1.8 0 0 0 0 3.6h3.2',
);
export const BellIcon = icon('M5 14.2V9a5 5 0 0 1 10 0v5.2l1.5 1.3h-13zM8.4 17.6h3.2');
export const MotionIcon = icon('M2.5 6.5h9M2.5 10h12M2.5 13.5h7M14.5 6.5l3 3.5-3 3.5');
export const DownloadIcon = icon('M10 3v9M6.3 8.7 10 12.4l3.7-3.7M4 16.5h12', 16);

export function Logo() {
  return (
    <svg viewBox="0 0 28 28" width="28" height="28" aria-hidden="true" className="shrink-0">
      <rect width="28" height="28" rx="7" fill="var(--gold)" />
      <path
        d="M9 8.6h11.6M9 13h11.6M9 17.4h11.6M9 21.8h7"
        stroke="var(--brass-ink)"
        strokeWidth="2"
        strokeLinecap="round"
      />
    </svg>
  );
}
