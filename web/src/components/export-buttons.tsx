import { saveCsv } from '../export/csv.js';
import { loadLater } from '../load-later.js';
import { Button } from './button.js';
import type { Sheet } from './columns.js';

/** Saves a table as a workbook with real numbers and dates, or as CSV. */
export function ExportButtons<Row>(sheet: Sheet<Row>) {
  const saveExcel = async (): Promise<void> => {
    const { saveWorkbook } = await loadLater(() => import('../export/workbook.js'));
    await saveWorkbook(sheet);
  };
  return (
    <>
      <Button act={saveExcel}>Excel</Button>
      <Button act={() => saveCsv(sheet)}>CSV</Button>
    </>
  );
}
