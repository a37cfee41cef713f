import { saveCsv } from '../export/csv.js';
import { loadLater } from '../load-later.js';
import { Button } from './button.js';
import type { Column } from './columns.js';

interface ExportProps<Row> {
  readonly name: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
}

/** Saves a table as a workbook with real numbers and dates, or as CSV. */
export function ExportButtons<Row>({ name, columns, rows }: ExportProps<Row>) {
  const saveExcel = async (): Promise<void> => {
    const { saveWorkbook } = await loadLater(() => import('../export/workbook.js'));
    await saveWorkbook(name, columns, rows);
  };
  return (
    <>
      <Button act={saveExcel}>Excel</Button>
      <Button act={() => saveCsv(name, columns, rows)}>CSV</Button>
    </>
  );
}
