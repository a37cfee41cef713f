import { useState } from 'preact/hooks';
import { saveCsv } from '../export/csv.js';
import { loadLater } from '../load-later.js';
import { errorText } from '../use-load.js';
import type { Column } from './columns.js';

interface ExportProps<Row> {
  /** The name of the file without its ending. */
  readonly name: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
}

/** Saves a table as a workbook with real numbers and dates, or as CSV. */
export function ExportButtons<Row>({ name, columns, rows }: ExportProps<Row>) {
  const [problem, setProblem] = useState('');
  const written = columns.filter(({ only }) => only !== 'screen');
  const saveWorkbook = (): void => {
    setProblem('');
    loadLater(() => import('../export/workbook.js'))
      .then((workbook) => workbook.saveWorkbook(name, written, rows))
      .catch((error: unknown) => setProblem(`The workbook was not made: ${errorText(error)}`));
  };
  return (
    <>
      <button type="button" onClick={saveWorkbook}>
        Excel
      </button>
      <button type="button" onClick={() => saveCsv(name, written, rows)}>
        CSV
      </button>
      {problem && <span role="alert">{problem}</span>}
    </>
  );
}
