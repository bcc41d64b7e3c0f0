import * as Radix from '@radix-ui/react-tabs';
import type { ReactNode } from 'react';

interface Props<Name extends string> {
  label: string;
  names: readonly Name[];
  value: Name;
  onChange(name: Name): void;
  titleOf(name: Name): string;
  children: ReactNode;
}

/** A tab list; the arrow keys move between tabs. */
export function Tabs<Name extends string>(props: Props<Name>) {
  const { label, names, value, onChange, titleOf, children } = props;
  return (
    <Radix.Root value={value} onValueChange={(name) => onChange(name as Name)}>
      <Radix.List
        aria-label={label}
        className="mb-4 flex flex-wrap gap-1 rounded-md border border-line bg-ink-1 p-1 sm:inline-flex"
      >
        {names.map((name) => (
          <Radix.Trigger
            key={name}
            value={name}
            className="min-h-11 flex-auto whitespace-nowrap rounded-sm px-2 font-medium text-fg-2 text-sm transition-colors hover:text-fg data-[state=active]:bg-ink-3 data-[state=active]:text-fg sm:flex-none sm:px-4"
          >
            {titleOf(name)}
          </Radix.Trigger>
        ))}
      </Radix.List>
      <Radix.Content value={value}>{children}</Radix.Content>
    </Radix.Root>
  );
}
