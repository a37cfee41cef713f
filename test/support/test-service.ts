/** Signs the tokens of every service that a test starts. */
export const TEST_SECRET = 'f3K9x-0aVbQ7tZ2mLpW8sYdR4uHc6NjE1iGo5qTe';

/** Keeps a line of a log until the test ends. */
export function keepError(line: string): void {
  const remedy = line.includes('"permission denied for')
    ? '\ngrant sales_service the right in docs/roles.sql'
    : '';
  (globalThis as { serviceErrors?: string[] }).serviceErrors?.push(
    line.trim().replaceAll('\\n', '\n') + remedy,
  );
}
