import type { RefObject } from 'preact';
import { useLayoutEffect, useState } from 'preact/hooks';

export interface Cell {
  readonly row: number;
  readonly column: number;
}

interface Size {
  readonly rows: number;
  readonly columns: number;
}

interface Actions {
  readonly show: (row: number) => void;
  readonly open: (cell: Cell) => void;
}

const PAGE_ROWS = 10;

/** Moves the focus between the cells of a grid; one cell is in the tab order. */
export function useActiveCell(frame: RefObject<HTMLElement | null>, size: Size, { show, open }: Actions) {
  const [cell, setCell] = useState<Cell>({ row: 0, column: size.columns - 1 });
  const [moves, setMoves] = useState(0);
  const active = clamp(cell, size);
  useLayoutEffect(() => {
    if (moves > 0) frame.current?.querySelector<HTMLElement>(`[data-cell="${active.row} ${active.column}"]`)?.focus();
  }, [moves]);
  const onKeyDown = (event: KeyboardEvent): void => {
    const from = focusedCell() ?? active;
    const target = clamp(moved(from, event, size), size);
    if (event.key === ' ' || event.key === 'Enter') open(from);
    else if (target.row === from.row && target.column === from.column) return;
    else {
      show(target.row);
      setCell(target);
      setMoves(moves + 1);
    }
    event.preventDefault();
  };
  return { active, onKeyDown };
}

function moved({ row, column }: Cell, { key, ctrlKey }: KeyboardEvent, { rows, columns }: Size): Cell {
  const steps: Readonly<Record<string, Cell>> = {
    ArrowUp: { row: row - 1, column },
    ArrowDown: { row: row + 1, column },
    ArrowLeft: { row, column: column - 1 },
    ArrowRight: { row, column: column + 1 },
    PageUp: { row: row - PAGE_ROWS, column },
    PageDown: { row: row + PAGE_ROWS, column },
    Home: { row: ctrlKey ? 0 : row, column: 0 },
    End: { row: ctrlKey ? rows - 1 : row, column: columns - 1 },
  };
  return steps[key] ?? { row, column };
}

function clamp({ row, column }: Cell, { rows, columns }: Size): Cell {
  return { row: Math.max(Math.min(row, rows - 1), 0), column: Math.max(Math.min(column, columns - 1), 0) };
}

/** A click moves the focus, too. */
function focusedCell(): Cell | undefined {
  return document.activeElement ? cellOf(document.activeElement) : undefined;
}

/** The cell that an element lies in. */
export function cellOf(element: Element): Cell | undefined {
  const [row, column] = element.closest('[data-cell]')?.getAttribute('data-cell')?.split(' ').map(Number) ?? [];
  return row === undefined || column === undefined ? undefined : { row, column };
}
