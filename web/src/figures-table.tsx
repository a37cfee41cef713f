import type { JSX } from 'preact';

type Cells = readonly (string | undefined)[];

interface FiguresTableProps {
  /** What screen readers call it. */
  readonly label: string;
  readonly head: Cells;
  /** The first cell of each is its heading. */
  readonly rows: readonly Cells[];
  readonly total: Cells;
}

/** Shows rows of figures with a last row that adds them up. */
export function FiguresTable({ label, head, rows, total }: FiguresTableProps): JSX.Element {
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label={label}>
      <table>
        <thead>
          <tr>
            {head.map((text) => (
              <th scope="col">{text}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((cells) => (
            <Row cells={cells} />
          ))}
        </tbody>
        <tfoot>
          <Row cells={total} />
        </tfoot>
      </table>
    </div>
  );
}

function Row({ cells: [heading, ...figures] }: { readonly cells: Cells }): JSX.Element {
  return (
    <tr>
      <th scope="row">{heading}</th>
      {figures.map((figure) => (
        <td>{figure}</td>
      ))}
    </tr>
  );
}
