// Figures, their targets, and the table of both.

/** Returns the value below which the given share of the values lies; 0 of none. */
export function quantile(values, share) {
  const sorted = [...values].sort((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}

/** What was measured, as rows of name, figure, unit and what it must be at most. */
export class Figures {
  #rows = [];

  /** @param most target; undefined where a figure has none */
  add(name, figure, unit, most) {
    this.#rows.push({ name, figure, unit, most });
    console.error(`${name}: ${text(figure)} ${unit}`);
  }

  /** True if every target is met. */
  met() {
    return this.#rows.every(({ figure, most }) => most === undefined || figure <= most);
  }

  /** Returns the table. A ratio above 1 misses the target. */
  table() {
    const rows = this.#rows.map(({ name, figure, unit, most }) => [
      name,
      `${text(figure)} ${unit}`,
      most === undefined ? '' : `${text(most)} ${unit}`,
      most === undefined ? '' : ratio(figure, most),
      most === undefined ? '' : figure <= most ? 'met' : 'MISSED',
    ]);
    const all = [['what', 'measured', 'at most', 'ratio', ''], ...rows];
    const widths = all[0].map((_, column) => Math.max(...all.map((row) => row[column].length)));
    const line = (row) =>
      row.map((cell, column) => (column === 0 ? cell.padEnd(widths[0]) : cell.padStart(widths[column]))).join('  ');
    return all.map((row) => line(row).trimEnd()).join('\n');
  }
}

function ratio(figure, most) {
  return most === 0 ? (figure === 0 ? '0.00' : 'above') : (figure / most).toFixed(2);
}

function text(figure) {
  return figure >= 100 || Number.isInteger(figure) ? figure.toFixed(0) : figure.toFixed(1);
}
