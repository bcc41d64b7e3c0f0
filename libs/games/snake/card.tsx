/** A picture of the board in its colours, not a real round. */
export function SnakeCard() {
  return (
    <>
      <path
        d="M56 72h32V40h40v24h40V32h8"
        fill="none"
        stroke="var(--mint)"
        strokeWidth="13"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
      <circle cx="178" cy="32" r="9.5" fill="var(--brass)" />
      <circle cx="180" cy="28.5" r="1.7" fill="#11141a" />
      <circle cx="180" cy="35.5" r="1.7" fill="#11141a" />
      <circle cx="208" cy="32" r="7" fill="var(--coral)" />
      <path d="M208 26q1-5 5-5.5" fill="none" stroke="var(--mint)" strokeWidth="2.4" />
      <circle cx="205.6" cy="29.6" r="1.9" fill="#fff" fillOpacity=".6" />
    </>
  );
}
